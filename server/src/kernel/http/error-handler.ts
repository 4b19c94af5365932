import type { IncomingMessage } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import { toLingeringResponse } from './body.ts'

/** The framework's errors as the hub's. */
const FRAMEWORK: Record<string, (cause: unknown) => AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) => new AppError('UNSUPPORTED_MEDIA_TYPE', 'json_required', { cause }),
  FST_ERR_CTP_BODY_TOO_LARGE: (cause) => new AppError('PAYLOAD_TOO_LARGE', 'body_too_large', { cause }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (cause) =>
    new AppError('INVALID_REQUEST', 'content_length_wrong', { cause, details: { issues: [] } }),
  FST_ERR_BAD_URL: (cause) => new AppError('INVALID_REQUEST', 'address_not_utf8', { cause, details: { issues: [] } }),
  FST_ERR_MAX_PARAM_LENGTH: (cause) => new AppError('NOT_FOUND', 'path_too_long', { cause }),
}

/** The only place where an exception becomes a response. */
export function installErrorHandler(app: FastifyInstance, formatError: FormatError = () => undefined): void {
  app.decorate('formatError', formatError)
  app.setErrorHandler((error: FastifyError | AppError | Error, request, reply) => {
    const appError = toAppError(error)
    report(request, error, appError)
    return sendError(request, reply, appError)
  })
}

/** The same for HTML pages: the response is a page with the status of the error. */
export function installErrorPages(
  app: FastifyInstance,
  render: (request: FastifyRequest, error: AppError) => string,
): void {
  app.setErrorHandler((error: FastifyError | AppError | Error, request, reply) => {
    const appError = toAppError(error)
    report(request, error, appError)
    request.errorCode = appError.code
    setErrorHeaders(request, reply, appError)
    return reply.code(appError.status).type('text/html; charset=utf-8').send(render(request, appError))
  })
}

/** At most the first line is known of a request that could not be parsed. */
export type RefusedRequest = { id: string; raw: IncomingMessage | RequestLine }
export type RequestLine = { method: string; url: string }

/** Builds the response to a failed request where clients expect another one than the hub's, and undefined elsewhere. */
export type FormatError = (request: RefusedRequest, error: AppError) => { status: number; body: object } | undefined

declare module 'fastify' {
  interface FastifyInstance {
    formatError: FormatError
    /** Called for each request that failed because the database cannot be used. */
    reportOutage: (err: unknown) => void
  }
}

/** Logs a fault of the hub with its stack. A 503 is a warning, because it is temporary; an outage is logged once. */
function report(request: FastifyRequest, error: Error, appError: AppError): void {
  if (appError.status === 503 && isDatabaseUnavailable(appError.cause)) {
    request.server.reportOutage(appError.cause)
    return
  }
  const isOurs = appError.status >= 500 || (error === appError && error.cause !== undefined)
  const { code, message, status } = appError
  if (status === 503) request.log.warn({ code, reason: message }, 'request refused for now')
  else if (isOurs) request.log.error({ err: error, code }, 'request failed')
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  request.errorCode = error.code
  setErrorHeaders(request, reply, error)
  const formatted = request.server.formatError(request, error)
  const { status, body } = formatted ?? { status: error.status, body: buildErrorBody(error, request.id) }
  reply.code(status).type('application/json; charset=utf-8')
  const isWhole = request.raw.complete || error.code === 'REQUEST_TIMEOUT' || request.method === 'HEAD'
  if (isWhole) return reply.send(body)
  const text = JSON.stringify(body)
  return reply.header('Content-Length', Buffer.byteLength(text)).send(toLingeringResponse(request.raw, text))
}

function setErrorHeaders(request: FastifyRequest, reply: FastifyReply, error: AppError): void {
  reply.headers(error.headers)
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(error.retryAfterSeconds))
  if (error.code === 'UNAUTHORIZED') reply.header('WWW-Authenticate', 'Bearer realm="hubline"')
  // The unread rest of the request would be parsed as the next request on this connection.
  if (!request.raw.complete) reply.header('Connection', 'close')
}

export function buildErrorBody(error: AppError, requestId: string) {
  const { code, message, details, extraFields } = error
  return { error: { ...extraFields, code, message, request_id: requestId, details } }
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseUnavailable(error)) {
    return new AppError('NOT_READY', 'database_unavailable', { cause: error })
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = FRAMEWORK[code]?.(error)
  if (known) return known
  return new AppError('INTERNAL_ERROR', 'internal_error', {
    cause: error,
  })
}
