import { setMaxListeners } from 'node:events'
import type { CreateListener } from '@hubline/sdk'
import type { Arguments, Command, Context } from '../command.ts'
import { readList, readNumber, readText } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { createForwarder, type Forwarded, type Outcome } from '../listen/forwarder.ts'
import { watchKeys } from '../listen/keyboard.ts'
import { type ListenerSession, runListener } from '../listen/listener.ts'
import { findLeftSession, storeSession } from '../listen/session-store.ts'
import { loadSecret, lockTarget } from '../listen/target.ts'
import { findChannelId } from '../names.ts'
import { toSentence } from '../terminal.ts'
import { parseKinds } from './webhooks.ts'

const REPLAYS_MAX = 9
/** For this long after a connection, a server that refuses deliveries may still be about to get the secret. */
const SECRET_NEW_MS = 60_000

export const listen: Command = {
  name: 'listen',
  summary: 'Receive deliveries on your machine without a public URL',
  usage: '--forward-to <url> [options]',
  description: `Posts each delivery to the URL, signed with the secret that it prints, as the hub would post it to an endpoint. The
secret stays the same for a hub, a key and a URL until --new-secret. Any response of your server acknowledges a delivery; while
your server is down, deliveries wait. In the first minute after a connection a 401 or 403 does not count: your
server may not have the secret yet, and the delivery is posted again every 5 seconds. After a lost connection, a restart of the hub
or of this program nothing is lost within 60 seconds, and what had not been acknowledged comes again with the same
X-Hub-Delivery-Id.

Keys: r replays the last delivery, 2 to 9 the second to ninth last one, q ends.`,
  options: {
    'forward-to': {
      type: 'string',
      value: 'url',
      description: 'The URL to post to, such as http://localhost:3000/hook',
    },
    events: {
      type: 'string',
      value: 'kinds',
      multiple: true,
      description: 'Receive only these event types, such as message.received',
    },
    channel: {
      type: 'string',
      value: 'channel',
      multiple: true,
      description: 'Receive only the events of this channel',
    },
    raw: { type: 'boolean', description: "Receive the upstream's payloads, as with payload_mode upstream_raw" },
    timeout: { type: 'string', value: 'seconds', description: 'Wait this long for your server (30 by default)' },
    new: { type: 'boolean', description: 'Start over without the deliveries that a previous run did not acknowledge' },
    'new-secret': { type: 'boolean', description: 'Start over with a new secret' },
  },
  positionals: { min: 0, max: 0 },
  examples: [
    'hubline listen --forward-to http://localhost:3000/hook',
    'hubline listen --forward-to localhost:3000 --events message.received --channel Padaria',
  ],

  async run(context, args) {
    const url = parseTarget(readText(args.values, 'forward-to'))
    const timeoutMs = readNumber(args.values, 'timeout', { min: 1, max: 600, otherwise: 30 }) * 1000
    const filters = await readFilters(context, args)
    const { url: hubUrl, key } = await context.loadSettings()
    const target = { hubUrl, key, url: new URL(url).href }
    const release = await lockTarget(context.io.env, target)
    try {
      const secret = await loadSecret(context.io.env, target, args.values['new-secret'] === true)
      return await listenUntilStopped(context, { url, timeoutMs, filters, secret, isNew: args.values.new === true })
    } finally {
      await release()
    }
  },
}

async function readFilters(context: Context, { values }: Arguments): Promise<CreateListener> {
  const kinds = parseKinds(readList(values, 'events'))
  const names = readList(values, 'channel')
  const hub = await context.connect()
  const channelIds = await Promise.all(names.map((name) => findChannelId(hub, name)))
  return {
    event_types: kinds,
    payload_mode: values.raw === true ? 'upstream_raw' : 'normalized',
    ...(channelIds.length > 0 && { all_channels: false, channel_ids: channelIds }),
  }
}

type Run = { url: string; timeoutMs: number; filters: CreateListener; secret: string; isNew: boolean }

async function listenUntilStopped(context: Context, run: Run): Promise<number> {
  const { url, timeoutMs, filters, isNew } = run
  const { io, connect, loadSettings, isJson, printJson, say, paint } = context
  const settings = await loadSettings()
  const purpose = JSON.stringify([settings.url, settings.key.slice(-4), url, filters])
  const found = isNew ? undefined : await findLeftSession(io.env, purpose)
  const left = found?.secret === run.secret ? found : undefined
  const recent: Forwarded[] = []
  const stopped = new AbortController()
  const signal = AbortSignal.any([io.signal, stopped.signal])
  // Each delivery that waits listens to it, and there may be many.
  setMaxListeners(0, signal)
  let { secret } = run
  let wasConnected = false
  let connectedAt = performance.now()

  const isSecretNew = () => performance.now() - connectedAt < SECRET_NEW_MS
  const forwarder = createForwarder({ url, timeoutMs, secret: () => secret, isSecretNew, signal, report })
  const keys = watchKeys(io, press)

  function report(delivery: Forwarded, outcome: Outcome): void {
    if (!delivery.isReplay) remember(recent, delivery)
    if (isJson) return void printJson(toRecord(delivery, outcome))
    say(formatOutcome(context, delivery, outcome, secret))
  }

  function press(key: string): void {
    if (key === 'q') return void stopped.abort()
    const delivery = key === 'r' ? recent.at(-1) : /^[1-9]$/.test(key) ? recent.at(-Number(key)) : undefined
    if (delivery) void forwarder.replay(delivery)
    else if (key === 'r' || /^[1-9]$/.test(key)) say(paint('dim', 'No such delivery to replay yet.'))
  }

  async function onSession(session: ListenerSession, isCreated: boolean): Promise<void> {
    secret = session.secret
    await storeSession(io.env, { ...session, purpose })
    if (isJson) return void printJson({ type: 'listener', id: session.id, secret, is_new: isCreated })
    say(
      isCreated
        ? `Signing secret: ${paint('bold', secret)}`
        : `Going on with the former run. Signing secret: ${paint('bold', secret)}`,
    )
  }

  function onState(state: 'connected' | 'disconnected' | 'gone', message: string): void {
    const isConnected = state === 'connected'
    if (isConnected === wasConnected && state !== 'gone') return
    wasConnected = isConnected
    if (isConnected) connectedAt = performance.now()
    if (isJson) return void printJson({ type: state, message })
    if (isConnected)
      say(paint('dim', `Connected. Forwarding to ${url}. ${io.stdin.isTTY ? 'r replays, q ends.' : ''}`.trimEnd()))
    else
      context.warn(state === 'gone' ? message : `Lost the connection to the hub. ${toSentence(message)} Reconnecting…`)
  }

  try {
    const hub = await connect()
    const wanted = { ...filters, secret: run.secret }
    await runListener({ hub, wanted, left, signal, forward: forwarder.forward, onSession, onState })
    return 0
  } finally {
    keys.stop()
  }
}

/** Keeps the last nine. A retry of one is not another one. */
function remember(recent: Forwarded[], delivery: Forwarded): void {
  const index = recent.findIndex(({ id }) => id === delivery.id)
  if (index >= 0) return
  recent.push(delivery)
  if (recent.length > REPLAYS_MAX) recent.shift()
}

function toRecord({ id, event, isReplay = false }: Forwarded, { waitMs, ...answer }: Outcome) {
  return {
    type: 'forwarded',
    id,
    event,
    is_replay: isReplay,
    ...answer,
    ...(waitMs > 0 && { again_after_seconds: waitMs / 1000 }),
  }
}

function formatOutcome(
  { paint }: Context,
  { id, event, isReplay }: Forwarded,
  outcome: Outcome,
  secret: string,
): string {
  const time = paint('dim', new Date().toTimeString().slice(0, 8))
  const name = `${event.padEnd(20)} ${paint('dim', id)}${isReplay ? paint('cyan', ' replay') : ''}`
  const wait = outcome.waitMs > 0 ? `, again in ${outcome.waitMs / 1000} s` : ''
  if ('failure' in outcome) return `${time}  ${name}  ${paint('yellow', `no answer (${outcome.failure})${wait}`)}`
  const { status, ms } = outcome
  const hint =
    wait && paint('yellow', `  Does your server have the secret that ends in ${secret.slice(-4)}?${wait.slice(1)}`)
  return `${time}  ${name}  ${paint(status < 300 ? 'green' : 'red', String(status))} ${paint('dim', `${ms} ms`)}${hint}`
}

/** `3000`, `localhost:3000/hook` and a whole URL. */
function parseTarget(text: string | undefined): string {
  if (text === undefined)
    throw usageError('Missing --forward-to. Example: hubline listen --forward-to http://localhost:3000/hook')
  const url = /^\d+$/.test(text) ? `http://localhost:${text}` : /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(url))
    throw usageError(`--forward-to must be a URL such as http://localhost:3000/hook, not '${text}'.`)
  return url
}
