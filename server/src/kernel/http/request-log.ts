import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What the application knows of a request beyond HTTP: ids, never contents. */
export type LogFields = (request: FastifyRequest) => Record<string, unknown>

export function installRequestLog(app: FastifyInstance, logFields: LogFields): void {
  app.addHook('onRequest', async (request, reply) => {
    // A client that gives up leaves an answer that never ends, and a line without a status.
    const abandon = () => logRequest(request, reply, logFields, null)
    const keep = () => reply.raw.off('close', abandon)
    reply.raw.once('close', abandon).once('finish', keep).once('error', keep)
  })
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply, logFields))
}

/**
 * One line per request. The route's pattern stands for its path: a real path
 * can hold a one-time link, and a query string anything.
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
      // What is refused before it is routed has no start to measure from.
      ms: Math.round((reply.elapsedTime || 0) * 10) / 10,
      ip: request.ip,
      ...logFields(request),
    },
    'request',
  )
}
