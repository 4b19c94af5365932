import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ActivityQuery, ChannelActivityPage } from './schemas.ts'
import type { Activity } from './service.ts'

export function activityRoutes(activity: Activity): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/channel-activity',
      {
        schema: {
          operationId: 'listChannelActivity',
          summary: 'List when channels received and sent last, and how many endpoints they have',
          tags: ['Console'],
          querystring: ActivityQuery,
          response: { 200: ChannelActivityPage },
        },
      },
      async ({ principal, query }) => ({ data: await activity.page(principal.organizationId, query) }),
    )
  }
}
