import { maxHeaderSize } from 'node:http'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Clock } from '../clock.ts'
import { AppError, invalidRequest } from '../errors.ts'
import { isUuid, newId } from '../ids.ts'
import type { Logger } from '../logger.ts'
import { parseIp } from '../net/ip.ts'
import { BODY_BYTES_MAX, installJsonBody } from './body.ts'
import { asAppError, errorBody, installErrorHandler, sendError } from './error-handler.ts'
import { headersOf, installHeaders, setHeaders } from './headers.ts'
import { installNotFound } from './not-found.ts'
import { installRequestLog, type LogFields, logRequest } from './request-log.ts'
import { installSerialization } from './serialization.ts'
import { installValidation } from './validation.ts'

export type ServerOptions = {
  logger: Logger
  now: Clock
  trustedProxies: string[]
  isHttps: boolean
  logFields: LogFields
  timeouts?: Partial<typeof TIMEOUTS_MS>
}

/**
 * Against clients that hold a connection by being slow. `request` bounds the
 * largest upload on a poor line; a JSON body has the shorter `body`.
 */
const TIMEOUTS_MS = { headers: 15_000, body: 20_000, request: 600_000, keepAlive: 65_000, check: 1000 }

const DEPTH_OF_PATH_MAX = 2048
const KEY_HEADER = 'idempotency-key'

/** A server with the hub's manners, and no routes yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const timeouts = { ...TIMEOUTS_MS, ...options.timeouts }
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
      // Node would refuse without an envelope; a hook does it with one.
      requireHostHeader: false,
    },
    // The caller has let the open requests end before it closes the server: the remaining connections are idle.
    forceCloseConnections: true,
    // Requests that come while it closes get the hub's own answer, like all others.
    return503OnClosing: false,
    routerOptions: { maxParamLength: DEPTH_OF_PATH_MAX },
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers['x-request-id'], options.now),
    frameworkErrors: (error, request, reply) => refuseUnrouted(error, request, reply, options),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, options),
  }) as unknown as FastifyInstance
  // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1); Node would refuse it without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', async (request) => {
    settleAddress(request)
    refuseTwoKeys(request)
  })
  installRequestLog(app, options.logFields)
  installHeaders(app, { isHttps: options.isHttps })
  installErrorHandler(app)
  installValidation(app)
  installSerialization(app)
  installJsonBody(app, { bodyTimeoutMs: timeouts.body })
  installNotFound(app)
  await app.register(cookie)
  return app
}

function requestId(given: string | string[] | undefined, now: Clock): string {
  return typeof given === 'string' && isUuid(given) ? given.toLowerCase() : newId(now())
}

/** A proxy may forward a header that holds no address. Then only the proxy's own address is known. */
function settleAddress(request: FastifyRequest): void {
  if (parseIp(request.ip) !== undefined) return
  Object.defineProperty(request, 'ip', { value: request.socket.remoteAddress ?? '' })
}

/** Node joins repeated headers into one value, which would be an idempotency key that the caller has not chosen. */
function refuseTwoKeys({ headers, raw }: FastifyRequest): void {
  if (headers[KEY_HEADER] === undefined) return
  const lines = raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === KEY_HEADER)
  if (lines.length > 1) throw invalidRequest('The header Idempotency-Key is there twice.')
}

/** What the router refuses never meets a hook, and has the same manners all the same. */
function refuseUnrouted(error: Error, request: FastifyRequest, reply: FastifyReply, options: ServerOptions): void {
  settleAddress(request)
  setHeaders(request, reply, options)
  reply.raw.once('finish', () => logRequest(request, reply, options.logFields))
  sendError(request, reply, asAppError(error))
}

/** What Node refuses before there is a request: it still gets an envelope and an id. */
function refuseConnection(error: Error & { code?: string }, socket: Socket, options: ServerOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const answer = connectionError(error.code)
  const id = newId(options.now())
  const body = JSON.stringify(errorBody(answer, id))
  const reason = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' }[answer.status]
  const head = [
    `HTTP/1.1 ${answer.status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headersOf(id, options.isHttps)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  // The message repeats nothing of the request: it may be half of a header with a token.
  const fields = { request_id: id, status: answer.status, code: error.code, ip: socket.remoteAddress }
  options.logger.info(fields, 'connection refused')
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function connectionError(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('HEADERS_TOO_LARGE', `The request's headers are larger than ${maxHeaderSize} bytes.`)
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('REQUEST_TIMEOUT', 'The request did not arrive in time.')
  return new AppError('INVALID_REQUEST', 'This is not valid HTTP/1.1.')
}
