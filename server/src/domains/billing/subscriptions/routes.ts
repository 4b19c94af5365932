import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SubscriptionResponse, UsageResponse } from './schemas.ts'
import type { Subscriptions } from './service.ts'

const tags = ['Billing']

export function subscriptionRoutes({ subscriptions }: { subscriptions: Subscriptions }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/subscription',
      {
        schema: {
          operationId: 'getSubscription',
          summary: 'Plan, status, quotas and usage',
          tags,
          response: { 200: SubscriptionResponse },
        },
      },
      async ({ principal }) => ({ data: await subscriptions.show(principal.organizationId) }),
    )

    app.get(
      '/usage',
      {
        schema: {
          operationId: 'getUsage',
          summary: 'Get the usage of the current period',
          tags,
          response: { 200: UsageResponse },
        },
      },
      async ({ principal }) => ({ data: { usage: await subscriptions.showUsage(principal.organizationId) } }),
    )
  }
}
