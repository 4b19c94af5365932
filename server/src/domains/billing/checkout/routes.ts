import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IDEMPOTENCY_ERRORS, IdempotencyHeaders } from '../idempotency/schemas.ts'
import type { BillingProvider } from '../provider/service.ts'
import { CheckoutBody, CheckoutResponse } from './schemas.ts'
import type { Checkouts } from './service.ts'

type Services = { billing: BillingProvider; checkouts: Checkouts }

export function checkoutRoutes({ billing, checkouts }: Services): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/subscription/checkout',
      {
        schema: {
          operationId: 'openCheckout',
          summary: 'Begin the purchase of a plan, or the change to another one',
          description: 'Opens a page for a person. The limits rise once it is paid.',
          tags: ['Billing'],
          headers: IdempotencyHeaders,
          body: CheckoutBody,
          response: { 201: CheckoutResponse },
          errors: ['BILLING_OFF', 'CHECKOUT_NOT_ALLOWED', 'UPSTREAM_UNAVAILABLE', ...IDEMPOTENCY_ERRORS],
        },
      },
      async ({ principal, headers, body }, reply) => {
        const key = headers['idempotency-key']
        const { response, isReplay } = await checkouts.open(billing.require(), principal, key, body.plan)
        if (isReplay) reply.header('Idempotent-Replayed', 'true')
        return reply.code(201).send({ data: response })
      },
    )
  }
}
