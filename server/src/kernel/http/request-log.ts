import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../errors.ts'
import { addSyncHook } from './sync-hook.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that was sent, for the log. */
    errorCode: ErrorCode | undefined
  }
}

/** Fields of the application for a request: ids, never contents. */
export type LogFields = (request: FastifyRequest) => Record<string, unknown>

export function installRequestLog(app: FastifyInstance, logFields: LogFields): void {
  app.decorateRequest('errorCode', undefined)
  addSyncHook(app, 'onRequest', (request, reply) => {
    // The response to a client that disconnects never finishes: its line has no status.
    const logAborted = () => logRequest(request, reply, logFields, null)
    const removeListener = () => reply.raw.off('close', logAborted)
    reply.raw.once('close', logAborted).once('finish', removeListener).once('error', removeListener)
  })
  addSyncHook(app, 'onResponse', (request, reply) => logRequest(request, reply, logFields))
}

/**
 * Writes one line per request, with the pattern of the route and not the path: a
 * path can contain a one-time link, and a query string any secret.
 */
export function logRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  logFields: LogFields,
  status: number | null = reply.statusCode,
): void {
  request.log.info(
    {
      method: request.method,
      route: request.is404 ? null : request.routeOptions.url,
      status,
      ...(request.errorCode && { error_code: request.errorCode }),
      // A request that is refused before routing has no start time.
      ms: Math.round((reply.elapsedTime || 0) * 10) / 10,
      ip: request.ip,
      ...logFields(request),
    },
    'request',
  )
}
