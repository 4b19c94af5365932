import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { isMediaHost } from './media-hosts.ts'

const CONNECTIONS_MAX = 128
const ANSWER_BYTES_MAX = 1024 * 1024

export type Outgoing = {
  method: 'GET' | 'POST' | 'DELETE'
  origin: string
  /** Path and query. It may hold a secret, and therefore never enters an error. */
  path: string
  headers: Record<string, string>
  body?: string | Readable
  /** In place of the usual limit. */
  answerBytesMax?: number
  signal: AbortSignal
}

export type Exchange = Answer | Lost
export type Answer = { isAnswer: true; status: number; bytes: Buffer; traceId: string | null }

/** No whole answer. `hasLeft` is false only when not one byte of the request can have reached the upstream. */
export type Lost = { isAnswer: false; hasLeft: boolean; status: number | null; traceId: string | null; cause: unknown }

/** An answer whose body is still to come. Whoever does not read it to its end destroys it. */
export type Opened = { isAnswer: true; status: number; headers: IncomingHttpHeaders; body: Readable }

export type Transport = ReturnType<typeof createTransport>

/**
 * Bytes out, bytes in: no redirects, no decompression, no retry, a bounded
 * answer, only hosts that are on the list. It speaks HTTP/1.1 with one request
 * at a time on a connection, because then "has it left?" has a plain answer.
 */
export function createTransport({ origins, connectTimeoutMs }: { origins: string[]; connectTimeoutMs: number }) {
  const allowed = new Set(origins)
  const options = {
    pipelining: 1,
    allowH2: false,
    // The deadline of the call covers both, exactly; undici's own timers are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectTimeoutMs },
  }
  const calls = new Agent({ ...options, connections: CONNECTIONS_MAX })
  // A file takes as long as its slowest end, so that no number of connections would be enough for all to share.
  const files = new Agent(options)
  const mayDownloadFrom = (origin: string) => allowed.has(origin) || isMediaHost(origin)
  return {
    isAllowed: (origin: string) => allowed.has(origin),

    exchange(outgoing: Outgoing): Promise<Exchange> {
      const isFile = outgoing.body !== undefined && typeof outgoing.body !== 'string'
      if (allowed.has(outgoing.origin)) return exchange(isFile ? files : calls, outgoing)
      throw notAllowed()
    },

    mayDownloadFrom,

    /** The same for an answer of any length. The signal holds until the end of the body. */
    async open(outgoing: Outgoing): Promise<Opened | Lost> {
      if (!mayDownloadFrom(outgoing.origin)) throw notAllowed()
      try {
        const { statusCode: status, headers, body } = await files.request(outgoing)
        // Whoever reads it gets the error; one that comes while nobody does must not end the process.
        body.on('error', () => undefined)
        return { isAnswer: true, status, headers, body }
      } catch (cause) {
        return { isAnswer: false, hasLeft: true, status: null, traceId: null, cause }
      }
    },

    /** Waits for what is under way, which its deadline ends. */
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all([calls, files].map(async (agent) => (agent.destroyed ? undefined : agent.close())))
    },
  }
}

function notAllowed(): Error {
  return new Error('A host that is not on the allow-list was about to be called')
}

function exchange(agent: Agent, { signal, answerBytesMax, ...outgoing }: Outgoing): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  if (signal.aborted) {
    resolve({ isAnswer: false, hasLeft: false, status: null, traceId: null, cause: signal.reason })
    return promise
  }
  const conversation = converse(answerBytesMax ?? ANSWER_BYTES_MAX, (outcome) => {
    signal.removeEventListener('abort', expire)
    resolve(outcome)
  })
  const expire = () => conversation.end(signal.reason)
  signal.addEventListener('abort', expire, { once: true })
  agent.dispatch(outgoing, conversation.handler)
  return promise
}

/** One request as the HTTP client reports it, up to its one outcome. */
function converse(bytesMax: number, finish: (outcome: Exchange) => void) {
  const seen = { hasLeft: false, status: null as number | null, traceId: null as string | null }
  const chunks: Buffer[] = []
  let bytes = 0
  let isOver = false
  let controller: Dispatcher.DispatchController | undefined

  const lose = (cause: unknown) => finish({ isAnswer: false, ...seen, cause })

  const handler: Dispatcher.DispatchHandler = {
    /** Called with a connection in hand, before the first byte is written: aborting here keeps all of them back. */
    onRequestStart(given) {
      controller = given
      if (isOver || seen.hasLeft) given.abort(new Error('A request leaves within its deadline, and once'))
      seen.hasLeft = true
    },
    onResponseStart(_controller, status, headers) {
      seen.status = status
      seen.traceId = traceIdOf(headers['x-fb-trace-id'])
    },
    onResponseData(given, chunk) {
      bytes += chunk.length
      if (bytes <= bytesMax) chunks.push(chunk)
      else given.abort(new Error(`The answer is larger than ${bytesMax} bytes`))
    },
    onResponseEnd() {
      finish({ isAnswer: true, status: seen.status ?? 0, bytes: Buffer.concat(chunks), traceId: seen.traceId })
    },
    onResponseError: (_controller, err) => lose(err),
  }

  function end(reason: Error): void {
    isOver = true
    lose(reason)
    controller?.abort(reason)
  }
  return { handler, end }
}

/** It goes into logs and answers, so it must look like what it claims to be. */
function traceIdOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\w+/=-]{1,64}$/.test(header) ? header : null
}
