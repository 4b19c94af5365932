import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'

const CONNECTIONS_MAX = 128
const RESPONSE_BYTES_MAX = 1024 * 1024
const MEDIA_DOMAIN = 'fbsbx.com'

export type UpstreamRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  origin: string
  /** Path and query. It may contain a secret, so it never appears in an error. */
  path: string
  headers: Record<string, string>
  body?: string | Readable
  /** Replaces the default limit. */
  responseBytesMax?: number
  signal: AbortSignal
}

export type UpstreamResponse = { isResponse: true; status: number; bytes: Buffer; traceId: string | null }

/** No complete response. `wasSent` is false only if no byte of the request can have reached the upstream. */
type NoResponse = {
  isResponse: false
  wasSent: boolean
  status: number | null
  traceId: string | null
  cause: unknown
}

/** A response whose body is still to be read. The caller reads it to the end or destroys it. */
export type StreamedResponse = { isResponse: true; status: number; headers: IncomingHttpHeaders; body: Readable }

/**
 * Sends requests to allowed hosts: no redirects, no decompression, no retries, a limit on the
 * response size. HTTP/1.1 without pipelining makes it certain whether a request was sent.
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
  // File transfers last as long as the slower end takes. With a shared limit they could block every call.
  const files = new Agent(options)
  const mayDownloadFrom = (origin: string) => allowed.has(origin) || isMediaHost(origin)
  return {
    isAllowed: (origin: string) => allowed.has(origin),

    request(request: UpstreamRequest): Promise<UpstreamResponse | NoResponse> {
      const isFile = request.body !== undefined && typeof request.body !== 'string'
      if (allowed.has(request.origin)) return dispatch(isFile ? files : calls, request)
      throw hostNotAllowed()
    },

    mayDownloadFrom,

    /** A request with a response of any length. The signal applies until the end of the body. */
    async openStream(request: UpstreamRequest): Promise<StreamedResponse | NoResponse> {
      if (!mayDownloadFrom(request.origin)) throw hostNotAllowed()
      try {
        const { statusCode: status, headers, body } = await files.request(request)
        // The reader gets the error. Without a listener, an error before the first read would end the process.
        body.on('error', () => undefined)
        return { isResponse: true, status, headers, body }
      } catch (cause) {
        return { isResponse: false, wasSent: true, status: null, traceId: null, cause }
      }
    },

    /** Waits for requests in flight; their deadlines bound the wait. */
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all([calls, files].map(async (agent) => (agent.destroyed ? undefined : agent.close())))
    },
  }
}

function hostNotAllowed(): Error {
  return new Error('A request to a host that is not on the allowlist was refused')
}

function dispatch(
  agent: Agent,
  { signal, responseBytesMax, ...request }: UpstreamRequest,
): Promise<UpstreamResponse | NoResponse> {
  const { promise, resolve } = Promise.withResolvers<UpstreamResponse | NoResponse>()
  if (signal.aborted) {
    resolve({ isResponse: false, wasSent: false, status: null, traceId: null, cause: signal.reason })
    return promise
  }
  const collector = collectResponse(responseBytesMax ?? RESPONSE_BYTES_MAX, (outcome) => {
    signal.removeEventListener('abort', expire)
    resolve(outcome)
  })
  const expire = () => collector.abort(signal.reason)
  signal.addEventListener('abort', expire, { once: true })
  agent.dispatch(request, collector.handler)
  return promise
}

/** Collects undici's events of one request into one outcome. */
function collectResponse(bytesMax: number, finish: (outcome: UpstreamResponse | NoResponse) => void) {
  const progress = { wasSent: false, status: null as number | null, traceId: null as string | null }
  const chunks: Buffer[] = []
  let bytes = 0
  let isAborted = false
  let controller: Dispatcher.DispatchController | undefined

  const fail = (cause: unknown) => finish({ isResponse: false, ...progress, cause })

  const handler: Dispatcher.DispatchHandler = {
    /** undici has a connection and has written nothing yet: an abort here keeps the whole request back. */
    onRequestStart(current) {
      controller = current
      if (isAborted || progress.wasSent) current.abort(new Error('A request is sent once, and within its deadline'))
      progress.wasSent = true
    },
    onResponseStart(_controller, status, headers) {
      progress.status = status
      progress.traceId = readTraceId(headers['x-fb-trace-id'])
    },
    onResponseData(current, chunk) {
      bytes += chunk.length
      if (bytes <= bytesMax) chunks.push(chunk)
      else current.abort(new Error(`The response is larger than ${bytesMax} bytes`))
    },
    onResponseEnd() {
      finish({
        isResponse: true,
        status: progress.status ?? 0,
        bytes: Buffer.concat(chunks),
        traceId: progress.traceId,
      })
    },
    onResponseError: (_controller, err) => fail(err),
  }

  function abort(reason: Error): void {
    isAborted = true
    fail(reason)
    controller?.abort(reason)
  }
  return { handler, abort }
}

/** The trace id appears in logs and API responses, so only a plausible one is taken. */
function readTraceId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\w+/=-]{1,64}$/.test(header) ? header : null
}

/**
 * Hosts of the platform's files. File URLs come from outside and the request carries the
 * token, so the token is sent only to the platform's own names, over https, on port 443.
 */
export function isMediaHost(origin: string): boolean {
  const { protocol, port, hostname } = URL.parse(origin) ?? {}
  return protocol === 'https:' && port === '' && `.${hostname}`.endsWith(`.${MEDIA_DOMAIN}`)
}
