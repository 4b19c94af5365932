import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EndpointStatistics, EndpointStatisticsQuery, Statistics, StatisticsQuery } from './schemas.ts'
import type { Figures } from './service.ts'

const tags = ['Console']

export function figureRoutes(figures: Figures): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/statistics',
      {
        schema: {
          operationId: 'showStatistics',
          summary: 'Show figures of messages, deliveries and errors over a period',
          tags,
          querystring: StatisticsQuery,
          response: { 200: Statistics },
          errors: ['NOT_FOUND'],
        },
      },
      async ({ principal, query }) => ({ data: await figures.read(principal.organizationId, query) }),
    )

    app.get(
      '/endpoint-statistics',
      {
        schema: {
          operationId: 'showEndpointStatistics',
          summary: 'Show figures of the deliveries of each endpoint over a period',
          tags,
          querystring: EndpointStatisticsQuery,
          response: { 200: EndpointStatistics },
        },
      },
      async ({ principal, query }) => ({ data: await figures.readEndpoints(principal.organizationId, query) }),
    )
  }
}
