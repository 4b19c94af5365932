import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What the application knows of a request beyond HTTP: ids, never contents. */
export type LogFields = (request: FastifyRequest) => Record<string, unknown>

/**
 * One line per request. The route's pattern stands for its path: a real path
 * can hold a one-time link, and a query string anything.
 */
export function installRequestLog(app: FastifyInstance, logFields: LogFields): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.is404 ? null : request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        ...logFields(request),
      },
      'request',
    )
  })
}
