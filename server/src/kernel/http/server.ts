import { type IncomingMessage, maxHeaderSize, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Clock } from '../clock.ts'
import { AppError, invalidRequest } from '../errors.ts'
import { isUuid, newId } from '../ids.ts'
import type { Logger } from '../logger.ts'
import { isLoopbackAddress, readHostName } from '../net/addresses.ts'
import { isIn, parseBlock, parseIp, toUnmapped } from '../net/ip.ts'
import { BODY_BYTES_MAX, installJsonBody } from './body.ts'
import { createBodyBudget } from './body-budget.ts'
import { limitConnections } from './connection-limits.ts'
import {
  buildErrorBody,
  type FormatError,
  installErrorHandler,
  type RequestLine,
  sendError,
  toAppError,
} from './error-handler.ts'
import { buildResponseHeaders, installHeaders, setHeaders } from './headers.ts'
import { afterReading } from './late-reading.ts'
import { installNotFound, type NotFoundPage } from './not-found.ts'
import { installRequestLog, type LogFields, logRequest } from './request-log.ts'
import { installRequestTracing } from './request-tracing.ts'
import { installSerialization } from './serialization.ts'
import { addSyncHook } from './sync-hook.ts'
import { installValidation } from './validation/validation.ts'

export type ServerOptions = {
  logger: Logger
  now: Clock
  trustedProxies: string[]
  isHttps: boolean
  logFields: LogFields
  notFoundPage?: NotFoundPage
  /**
   * Called for each request before it is routed, and for the first line of one that could not be parsed. `readHost` returns
   * the name that the client used.
   */
  prepareRequest?: (request: IncomingMessage | RequestLine, readHost: () => string | undefined) => void
  formatError?: FormatError
  reportOutage?: (err: unknown) => void
  timeouts?: Partial<typeof TIMEOUTS_MS>
  connectionsMax?: number
  /** Limits all bodies that are being read. */
  bodyBytesMax?: number
}

/**
 * Limits how long a slow client can hold a connection. `request` bounds the
 * largest upload on a slow network; a JSON body has the shorter `body`. `response` is
 * for a response of which the client takes nothing; streams send heartbeats more often.
 */
const TIMEOUTS_MS = {
  headers: 15_000,
  body: 20_000,
  request: 600_000,
  response: 30_000,
  keepAlive: 65_000,
  check: 1000,
}

/** Each connection holds memory and a file descriptor before it has sent anything. */
const CONNECTIONS_MAX = 10_000
const DROP_WARNING_MS = 60_000
/** A hundred of the largest bodies, or thousands of usual ones. A client can leave a body unfinished until its timeout. */
const BODY_BYTES_IN_MEMORY_MAX = 128 * 1024 * 1024

/** Node's code for a request whose headers or body did not arrive in time. */
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const PARAMETER_LENGTH_MAX = 2048
const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'

/** A server with the hub's headers, limits, errors and logs, and without routes. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const timeouts = { ...TIMEOUTS_MS, ...options.timeouts }
  /** The last request of each connection. */
  const requests = new WeakMap<Socket, IncomingMessage>()
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
      // Node would respond without an error body. A hook responds with one.
      requireHostHeader: false,
    },
    // The caller waits for open requests before it closes the server, so the remaining connections are idle.
    forceCloseConnections: true,
    // Requests during the shutdown get the hub's own response.
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    requestIdHeader: false,
    genReqId: ({ headers }) => readRequestId(headers['x-request-id'], options.now),
    frameworkErrors: (error, request, reply) => refuseUnrouted(error, request, reply, options),
    clientErrorHandler: (error, socket) => {
      const readRefused = () => findUnfinished(requests, socket) ?? readUnparsed(error, socket)
      const refuse = () => refuseConnection(error, socket, options, readRefused())
      if (error.code === TIMED_OUT) refuseLate(socket, requests, refuse)
      else refuse()
    },
  }) as unknown as FastifyInstance
  const isTrusted = createBlockCheck(options.trustedProxies)
  function readUnparsed({ rawPacket }: { rawPacket?: unknown }, socket: Socket): RequestLine | undefined {
    const { line, headers } = readHead(rawPacket)
    if (line) options.prepareRequest?.(line, () => readHost({ headers, socket }, isTrusted))
    return line
  }
  // Before the listener of the framework, so that nothing has read the address yet.
  app.server.prependListener('request', (request) => {
    requests.set(request.socket, request)
    options.prepareRequest?.(request, () => readHost(request, isTrusted))
  })
  const connectionsMax = options.connectionsMax ?? CONNECTIONS_MAX
  const warnOfRefusal = createRefusalWarning(options.logger, connectionsMax)
  const isProxy = createProxyCheck(options.trustedProxies)
  limitConnections(app.server, { connectionsMax, isProxy, onRefused: warnOfRefusal })
  app.server.on('drop', warnOfRefusal)
  // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1); Node would refuse it without an error body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  addSyncHook(app, 'onRequest', normalizeClientIp)
  installRequestTracing(app)
  installForwardingWarning(app)
  installRequestLog(app, options.logFields)
  // Before each hook that may refuse a request: a refusal carries the headers too.
  installHeaders(app, { isHttps: options.isHttps })
  addSyncHook(app, 'onRequest', requireOneIdempotencyKey)
  app.decorate('reportOutage', options.reportOutage ?? ((err) => options.logger.warn({ err }, 'database unavailable')))
  installErrorHandler(app, options.formatError)
  installValidation(app)
  installSerialization(app)
  installJsonBody(app, {
    timeoutMs: timeouts.body,
    budget: createBodyBudget(options.bodyBytesMax ?? BODY_BYTES_IN_MEMORY_MAX),
  })
  installNotFound(app, options.notFoundPage)
  closeStalledResponses(app, timeouts)
  await app.register(cookie)
  return app
}

/**
 * The time starts again with each byte that the client takes. The timeout of the socket would also start again with each
 * byte that the client sends, so that a client could hold a response for as long as it sends its next request.
 */
function closeStalledResponses(app: FastifyInstance, { response, check }: typeof TIMEOUTS_MS): void {
  app.addHook('onSend', ({ socket }, { raw }, payload, done) => {
    let [taken, takenAt] = [countTaken(socket), performance.now()]
    const timer = setInterval(() => {
      // A destroyed response never finishes. One more listener of each 'close' would be too many for Node.
      if (raw.destroyed) return clearInterval(timer)
      const before = taken
      taken = countTaken(socket)
      if (taken > before || socket.writableLength === 0) takenAt = performance.now()
      else if (performance.now() - takenAt >= response) raw.destroy()
    }, check)
    raw.once('finish', () => clearInterval(timer))
    done(null, payload)
  })
}

/** The bytes that the system has taken from a connection's buffers. Of the write in progress only Node's handle knows. */
function countTaken(socket: Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null }): number {
  const { _handle: handle } = socket
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}

/** At most once a minute: refused connections come in thousands. */
function createRefusalWarning(logger: Logger, connectionsMax: number): () => void {
  let warnedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - warnedAt < DROP_WARNING_MS) return
    warnedAt = performance.now()
    logger.warn({ connections_max: connectionsMax }, 'connections are refused, because too many are open')
  }
}

/** On this machine, or trusted: such a peer connects for many clients. */
function createProxyCheck(trustedProxies: string[]): (address: string) => boolean {
  const isTrusted = createBlockCheck(trustedProxies)
  return (address) => isLoopbackAddress(address) || isTrusted(address)
}

function createBlockCheck(trustedProxies: string[]): (address: string) => boolean {
  const blocks = trustedProxies.map(parseBlock)
  return (address) => {
    const ip = parseIp(address)
    return ip !== undefined && blocks.some((block) => isIn(toUnmapped(ip), block))
  }
}

/** The name in the address that the client used, as far as a trusted proxy forwards it. */
function readHost(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isTrusted: (address: string) => boolean,
): string | undefined {
  const forwarded = isTrusted(socket.remoteAddress ?? '') ? headers['x-forwarded-host'] : undefined
  const host = forwarded === undefined ? headers.host : String(forwarded).split(',').at(-1)?.trim()
  return host === undefined ? undefined : readHostName(host)
}

function readRequestId(header: string | string[] | undefined, now: Clock): string {
  return typeof header === 'string' && isUuid(header) ? header.toLowerCase() : newId(now())
}

/** A proxy may forward a header without an address. Then only the proxy's own address is known. */
function normalizeClientIp(request: FastifyRequest): void {
  if (parseIp(request.ip) !== undefined) return
  Object.defineProperty(request, 'ip', { value: request.socket.remoteAddress ?? '' })
}

/**
 * Warns once if a peer that is not trusted forwards requests. Behind a proxy that is missing in `trustedProxies`, all
 * clients have one address, so that one of them can use up the limits of all.
 */
function installForwardingWarning(app: FastifyInstance): void {
  let isWarned = false
  addSyncHook(app, 'onRequest', ({ headers, ips, socket, log }) => {
    // `ips` has the addresses that a trusted peer forwards besides its own.
    const isIgnored = headers['x-forwarded-for'] !== undefined && (ips ?? []).length < 2
    if (isWarned || !isIgnored) return
    isWarned = true
    log.warn(
      { peer: socket.remoteAddress },
      'x-forwarded-for of an untrusted peer is ignored: if it is your proxy, add it to TRUSTED_PROXIES',
    )
  })
}

/** Node joins repeated headers into one value, which is not the idempotency key that the client chose. */
function requireOneIdempotencyKey({ headers, raw }: FastifyRequest): void {
  if (headers[IDEMPOTENCY_KEY_HEADER] === undefined) return
  const lines = raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === IDEMPOTENCY_KEY_HEADER)
  if (lines.length > 1) throw invalidRequest('idempotency_key_repeated')
}

/** Responds to requests that the router refuses: no hook runs for them. */
function refuseUnrouted(error: Error, request: FastifyRequest, reply: FastifyReply, options: ServerOptions): void {
  normalizeClientIp(request)
  setHeaders(request, reply, options)
  reply.raw.once('finish', () => logRequest(request, reply, options.logFields))
  sendError(request, reply, toAppError(error))
}

/** Refuses a request that Node found late, unless it has arrived. Node does not time it again. */
function refuseLate(socket: Socket, requests: WeakMap<Socket, IncomingMessage>, refuse: () => void): void {
  const known = { bytes: socket.bytesRead, request: requests.get(socket) }
  afterReading(() => {
    const request = requests.get(socket)
    const hasArrived = request !== known.request || request?.complete
    if (hasArrived) return
    if (socket.bytesRead > known.bytes) refuseLate(socket, requests, refuse)
    else refuse()
  })
}

/** The request of a connection whose body has not arrived yet. */
function findUnfinished(requests: WeakMap<Socket, IncomingMessage>, socket: Socket): IncomingMessage | undefined {
  const request = requests.get(socket)
  return request?.complete ? undefined : request
}

/** Responds to what Node refuses, mostly before there is a request, with an error body and an id too. */
function refuseConnection(
  error: Error & { code?: string },
  socket: Socket,
  options: ServerOptions,
  request: IncomingMessage | RequestLine | undefined,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const appError = toConnectionError(error.code)
  const id = newId(options.now())
  const formatted = request && options.formatError?.({ id, raw: request }, appError)
  const status = formatted?.status ?? appError.status
  const body = JSON.stringify(formatted?.body ?? buildErrorBody(appError, id))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(buildResponseHeaders(id, options.isHttps)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  // Nothing of the request is logged: it may be a part of a header with a token.
  const fields = { request_id: id, status, code: error.code, ip: socket.remoteAddress }
  options.logger.info(fields, 'connection refused')
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** The first line and the headers of a request that Node could not parse, if the bytes that it had begin with one. */
function readHead(bytes: unknown): { line: RequestLine | undefined; headers: Record<string, string> } {
  const [head = ''] = (Buffer.isBuffer(bytes) ? bytes.toString('latin1') : '').split('\r\n\r\n', 1)
  const [first = '', ...lines] = head.split('\r\n')
  const [, method, url] = /^([A-Z]{1,20}) (\S+)/.exec(first) ?? []
  const headers = lines.map((text) => {
    const end = text.indexOf(':')
    return [text.slice(0, end).toLowerCase(), text.slice(end + 1).trim()]
  })
  return {
    line: method === undefined || url === undefined ? undefined : { method, url },
    headers: Object.fromEntries(headers),
  }
}

function toConnectionError(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('HEADERS_TOO_LARGE', 'headers_too_large', { parameters: { maximum: maxHeaderSize } })
  }
  if (code === TIMED_OUT) return new AppError('REQUEST_TIMEOUT', 'request_too_slow')
  return new AppError('INVALID_REQUEST', 'not_http')
}
