import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DailyStatistics, EndpointStatistics, EndpointStatisticsQuery, Statistics, StatisticsQuery } from './schemas.ts'
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
      '/daily-statistics',
      {
        schema: {
          operationId: 'showDailyStatistics',
          summary:
            'Show how many messages there were on each of the last 30 days, by the time zone of the organization',
          tags,
          response: { 200: DailyStatistics },
        },
      },
      async ({ principal }) => ({ data: await figures.readDays(principal.organizationId) }),
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
