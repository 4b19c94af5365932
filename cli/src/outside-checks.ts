import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { type Hub, HubApiError } from '@hubline/sdk'
import { LISTENER_SECRET_HEADER } from './generated/definitions.gen.ts'
import { explainFailure } from './probes.ts'

export type Check = {
  id: string
  status: 'ok' | 'warning' | 'failing' | 'skipped'
  message: string
  remedy: string | null
}

/** Meta gives up on a callback address that takes longer. */
const CHALLENGE_MS_MAX = 6000
/** The hub sends the first line of a stream at once. */
const FIRST_LINE_MS_MAX = 5000
const CERTIFICATE_DAYS_MIN = 14
const DAY_MS = 86_400_000
/** The path of `graph_url`, where no host of its own is set for it. */
const GRAPH_PATH = '/graph'

type Outside = { url: string; hub: Hub; verifyToken: string | undefined }

/** Looks at the hub through its proxy, from this machine: as Meta and the clients of the hub do, if it stands outside. */
export async function* listOutsideChecks({ url, hub, verifyToken }: Outside): AsyncGenerator<Check> {
  yield await checkTls(new URL(url))
  yield await checkChallenge(url, verifyToken)
  yield await checkPublicUrl(url, hub)
  yield await checkBuffering(hub)
}

/** Meta has no missing certificates fetched for it, and Node has not either. */
export async function checkTls({ protocol, hostname, port }: URL): Promise<Check> {
  const id = 'tls'
  if (protocol !== 'https:') {
    return {
      id,
      status: 'failing',
      message: 'Meta calls https addresses only.',
      remedy: 'Put a proxy with TLS in front of the hub.',
    }
  }
  // An IPv6 address has brackets in a URL alone.
  const host = hostname.replace(/^\[|\]$/g, '')
  const { failure, problem, validTo } = await readCertificate(host, Number(port || 443))
  if (failure !== null) {
    const message = `There is no TLS connection: ${failure}.`
    return { id, status: 'failing', message, remedy: 'Look at the proxy, and that the URL has its port.' }
  }
  if (problem !== null) {
    const remedy = 'Let the proxy send the whole chain: its certificate, and those between it and a known authority.'
    return { id, status: 'failing', message: `The certificate is not trusted: ${problem}.`, remedy }
  }
  const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS)
  return days < CERTIFICATE_DAYS_MIN
    ? { id, status: 'warning', message: `The certificate expires in ${days} days.`, remedy: 'Renew it, by a timer.' }
    : { id, status: 'ok', message: `The certificate is trusted, for ${days} more days.`, remedy: null }
}

/** With a `failure` there was no handshake; with a `problem` there was, and the certificate is not trusted. */
type Certificate = { failure: string | null; problem: string | null; validTo: string }

function readCertificate(host: string, port: number): Promise<Certificate> {
  return new Promise((resolve) => {
    // The name of a server in a handshake is never an address.
    const servername = isIP(host) === 0 ? { servername: host } : {}
    const socket = connect({ host, port, ...servername, rejectUnauthorized: false, timeout: CHALLENGE_MS_MAX })
    const end = (certificate: Partial<Certificate>) => {
      socket.destroy()
      resolve({ failure: null, problem: null, validTo: '', ...certificate })
    }
    socket.once('secureConnect', () => {
      const problem = socket.authorized ? null : String(socket.authorizationError)
      end({ problem, validTo: socket.getPeerCertificate().valid_to })
    })
    socket.once('timeout', () => end({ failure: 'no answer' }))
    socket.once('error', (err) => end({ failure: explainFailure(err) }))
  })
}

/** With the verify token, the whole challenge. Without it, the hub's own refusal shows that the address leads to it. */
async function checkChallenge(url: string, verifyToken: string | undefined): Promise<Check> {
  const id = 'challenge'
  const challenge = randomBytes(8).toString('hex')
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.challenge': challenge,
    'hub.verify_token': verifyToken ?? `doctor-${challenge}`,
  })
  const startedAt = performance.now()
  try {
    const response = await fetch(`${url}/hooks/upstream?${query}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(CHALLENGE_MS_MAX),
    })
    const text = await response.text()
    const ms = Math.round(performance.now() - startedAt)
    if (verifyToken !== undefined && text === challenge) {
      return { id, status: 'ok', message: `/hooks/upstream answers the challenge in ${ms} ms.`, remedy: null }
    }
    if (!isHubError(text)) {
      const message = `/hooks/upstream does not lead to the hub: it answered ${response.status}.`
      return {
        id,
        status: 'failing',
        message,
        remedy: 'Let the proxy pass this path on, with its query, and without a redirect.',
      }
    }
    return verifyToken === undefined
      ? { id, status: 'ok', message: `/hooks/upstream leads to the hub, which answers in ${ms} ms.`, remedy: null }
      : {
          id,
          status: 'failing',
          message: 'The hub has another verify token.',
          remedy: 'Give --verify-token the value of UPSTREAM_VERIFY_TOKEN.',
        }
  } catch (err) {
    const message = `/hooks/upstream: ${explainFailure(err)}. Meta waits for six seconds.`
    return { id, status: 'failing', message, remedy: 'Look at the proxy, and at the log of the hub.' }
  }
}

function isHubError(text: string): boolean {
  try {
    const body = JSON.parse(text) as { error?: { code?: unknown; request_id?: unknown } }
    return typeof body.error?.code === 'string' && typeof body.error.request_id === 'string'
  } catch {
    return false
  }
}

/** The addresses in the hub's answers are made of `PUBLIC_URL`. */
async function checkPublicUrl(url: string, hub: Hub): Promise<Check> {
  const id = 'public-url'
  const skipped = (message: string): Check => ({ id, status: 'skipped', message, remedy: null })
  const [channel] = await hub.channels
    .list()
    .toArray()
    .catch(() => [])
  if (!channel) return skipped('There is no channel whose address would show PUBLIC_URL.')
  const graph = new URL(channel.graph_url)
  if (graph.pathname !== GRAPH_PATH) return skipped('GRAPH_URL is set, so that no address shows PUBLIC_URL.')
  if (graph.origin === new URL(url).origin) {
    return { id, status: 'ok', message: `PUBLIC_URL is ${graph.origin}.`, remedy: null }
  }
  const message = `PUBLIC_URL is ${graph.origin}, and you call ${new URL(url).origin}.`
  return {
    id,
    status: 'failing',
    message,
    remedy: 'Set PUBLIC_URL to the address that Meta and people open: links and callbacks are made of it.',
  }
}

/** A proxy that collects responses holds the first line of a stream back. */
async function checkBuffering(hub: Hub): Promise<Check> {
  const id = 'buffering'
  const stopped = new AbortController()
  try {
    const { listener, secret } = await hub.listeners.create({})
    const headers = { [LISTENER_SECRET_HEADER]: secret }
    const timer = setTimeout(() => stopped.abort(), FIRST_LINE_MS_MAX)
    try {
      const response = await hub.listeners.stream(listener.id, {
        headers,
        signal: stopped.signal,
        retries: 0,
      })
      for await (const _chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) break
    } finally {
      clearTimeout(timer)
      stopped.abort()
      await hub.listeners.delete(listener.id, { headers }).catch(() => undefined)
    }
    return { id, status: 'ok', message: 'Streams arrive line by line.', remedy: null }
  } catch (err) {
    if (err instanceof HubApiError) {
      return { id, status: 'skipped', message: `No stream could be opened: ${err.message}`, remedy: null }
    }
    const message = 'The first line of a stream did not arrive in five seconds.'
    return {
      id,
      status: 'failing',
      message,
      remedy: 'Switch the buffering of responses off in the proxy (nginx: proxy_buffering off).',
    }
  }
}
