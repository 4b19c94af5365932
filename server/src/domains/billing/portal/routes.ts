import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { BillingProvider } from '../provider/service.ts'
import { PortalResponse } from './schemas.ts'
import type { Portal } from './service.ts'

type Services = { billing: BillingProvider; portal: Portal }

export function portalRoutes({ billing, portal }: Services): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/subscription/portal',
      {
        schema: {
          operationId: 'openPortal',
          summary: 'A link to the billing portal, for card, invoices and cancellation',
          description: 'The link works once, for five minutes.',
          tags: ['Billing'],
          response: { 200: PortalResponse },
          errors: ['BILLING_OFF', 'UPSTREAM_UNAVAILABLE'],
        },
      },
      async ({ principal }) => ({ data: await portal.issueLink(billing.require(), principal) }),
    )
  }
}
