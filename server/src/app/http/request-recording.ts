import type { FastifyInstance } from 'fastify'
import type { RequestLog } from '../../domains/request-log/service.ts'
import { addSyncHook } from '../../kernel/http/sync-hook.ts'

/**
 * Hands each answered request of an API key or a channel token to the request log. Without a credential no organization is
 * known, and the dashboard's own reads would fill the log.
 */
export function installRequestRecording(app: FastifyInstance, requestLog: Pick<RequestLog, 'record'>): void {
  addSyncHook(app, 'onResponse', (request, reply) => {
    const { principal } = request
    if (!principal || principal.session) return
    requestLog.record({
      organizationId: principal.organizationId,
      initiator: principal.initiator,
      method: request.method,
      route: request.routeOptions.url ?? '',
      url: request.url,
      status: reply.statusCode,
      errorCode: request.errorCode,
      durationMs: reply.elapsedTime,
      answeredAt: performance.now(),
    })
  })
}
