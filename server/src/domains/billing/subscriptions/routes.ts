import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Addons } from '../addons/service.ts'
import type { Checkouts } from '../checkout/service.ts'
import type { Portal } from '../portal/service.ts'
import type { Billing } from '../quotas/service.ts'
import {
  AddonsAnswer,
  AddonsBody,
  CheckoutAnswer,
  CheckoutBody,
  KeyHeaders,
  PortalAnswer,
  PreviewAnswer,
  PreviewBody,
  SubscriptionAnswer,
  UsageAnswer,
} from './schemas.ts'

const tags = ['Billing']

type Services = { billing: Billing; addons: Addons; checkouts: Checkouts; portal: Portal }

export function billingRoutes({ billing, addons, checkouts, portal }: Services): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/subscription',
      {
        schema: {
          operationId: 'getSubscription',
          summary: 'Plan, status, quotas and usage',
          tags,
          response: { 200: SubscriptionAnswer },
        },
      },
      async ({ principal }) => ({ data: await billing.subscription(principal.organizationId) }),
    )

    app.get(
      '/usage',
      {
        schema: {
          operationId: 'getUsage',
          summary: 'What was used in the current period',
          tags,
          response: { 200: UsageAnswer },
        },
      },
      async ({ principal }) => ({ data: { usage: await billing.usage(principal.organizationId) } }),
    )

    app.post(
      '/subscription/addons',
      {
        schema: {
          operationId: 'setAddons',
          summary: 'Set the total of additional connections',
          description:
            'Charges or credits in proportion to what is left of the period. The limit rises once it is paid.',
          tags,
          headers: KeyHeaders,
          body: AddonsBody,
          response: { 201: AddonsAnswer },
        },
      },
      async ({ principal, headers, body }, reply) => {
        const key = headers['idempotency-key']
        const { answer, isReplay } = await addons.set(billing.provider(), principal, key, body)
        if (isReplay) reply.header('Idempotent-Replayed', 'true')
        return reply.code(201).send({ data: { addons: answer } })
      },
    )

    app.post(
      '/subscription/addons/preview',
      {
        schema: {
          operationId: 'previewAddons',
          summary: 'What another total would cost now',
          tags,
          body: PreviewBody,
          response: { 200: PreviewAnswer },
        },
      },
      async ({ principal, body }) => ({
        data: { preview: await addons.preview(billing.provider(), principal.organizationId, body) },
      }),
    )

    app.post(
      '/subscription/checkout',
      {
        schema: {
          operationId: 'openCheckout',
          summary: 'Begin the purchase of a plan, or the change to another one',
          description: 'Opens a page for a person. The limits rise once it is paid.',
          tags,
          headers: KeyHeaders,
          body: CheckoutBody,
          response: { 201: CheckoutAnswer },
        },
      },
      async ({ principal, headers, body }, reply) => {
        const key = headers['idempotency-key']
        const { answer, isReplay } = await checkouts.open(billing.provider(), principal, key, body.plan)
        if (isReplay) reply.header('Idempotent-Replayed', 'true')
        return reply.code(201).send({ data: answer })
      },
    )

    app.post(
      '/subscription/portal',
      {
        schema: {
          operationId: 'openPortal',
          summary: 'A link to the billing portal, for card, invoices and cancellation',
          description: 'The link works once, for five minutes.',
          tags,
          response: { 200: PortalAnswer },
        },
      },
      async ({ principal }) => ({ data: await portal.issueLink(billing.provider(), principal) }),
    )
  }
}
