import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../kernel/http/schemas.ts'
import { RequestErrors, RequestErrorsQuery, RequestLogPage, RequestLogQuery } from './schemas.ts'
import type { RequestLog } from './service.ts'

export function requestLogRoutes(requestLog: RequestLog): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:id/requests',
      {
        schema: {
          operationId: 'listRequests',
          summary: 'List the requests of API keys and channel tokens, newest first',
          tags: ['Console'],
          params: IdParams,
          querystring: RequestLogQuery,
          response: { 200: RequestLogPage },
        },
      },
      async ({ principal, query }) => ({ data: await requestLog.page(principal.organizationId, query) }),
    )

    app.get(
      '/organizations/:id/requests/errors',
      {
        schema: {
          operationId: 'listRequestErrors',
          summary: 'Count failed requests by error code and route, the most frequent first',
          tags: ['Console'],
          params: IdParams,
          querystring: RequestErrorsQuery,
          response: { 200: RequestErrors },
        },
      },
      async ({ principal, query }) => ({
        data: { errors: await requestLog.listErrors(principal.organizationId, query.since) },
      }),
    )
  }
}
