import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { BillingProvider } from '../provider/service.ts'
import type { Prices } from './price-lookup.ts'
import { PriceList } from './schemas.ts'

export function priceRoutes({
  billing,
  prices,
}: {
  billing: BillingProvider
  prices: Prices
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/billing/prices',
      {
        schema: {
          operationId: 'listPrices',
          summary: 'List the prices of the plans and of an additional connection, as the payment provider has them',
          description: 'A price that the provider does not have is missing.',
          tags: ['Console'],
          response: { 200: PriceList },
          errors: ['BILLING_OFF', 'UPSTREAM_UNAVAILABLE'],
        },
      },
      async () => ({ data: { prices: await prices.list(billing.require()) } }),
    )
  }
}
