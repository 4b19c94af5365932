import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ActivityQuery, ChannelActivityPage } from './activity/schemas.ts'
import type { Activity } from './activity/service.ts'
import { AttentionList } from './attention/schemas.ts'
import type { Attention } from './attention/service.ts'
import {
  DailyStatistics,
  DailyStatisticsQuery,
  EndpointStatistics,
  EndpointStatisticsQuery,
  Statistics,
  StatisticsQuery,
} from './figures/schemas.ts'
import type { Figures } from './figures/service.ts'

const tags = ['Console']

type Services = { figures: Figures; activity: Activity; attention: Attention }

export function overviewRoutes({ figures, activity, attention }: Services): FastifyPluginAsyncTypebox {
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
          summary: 'Show how many messages there were on each day, by the time zone of the organization',
          tags,
          querystring: DailyStatisticsQuery,
          response: { 200: DailyStatistics },
        },
      },
      async ({ principal, query }) => ({ data: await figures.readDays(principal.organizationId, query) }),
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

    app.get(
      '/channel-activity',
      {
        schema: {
          operationId: 'listChannelActivity',
          summary: 'List when channels received and sent last, and how many endpoints they have',
          tags,
          querystring: ActivityQuery,
          response: { 200: ChannelActivityPage },
        },
      },
      async ({ principal, query }) => ({ data: await activity.page(principal.organizationId, query) }),
    )

    app.get(
      '/attention',
      {
        schema: {
          operationId: 'listAttention',
          summary: 'List what needs attention, the most urgent first',
          tags,
          response: { 200: AttentionList },
        },
      },
      async ({ principal }) => ({ data: { attention: await attention.list(principal.organizationId) } }),
    )
  }
}
