import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IDEMPOTENCY_ERRORS, IdempotencyHeaders } from '../idempotency/schemas.ts'
import type { BillingProvider } from '../provider/service.ts'
import { AddonsBody, AddonsResponse, PreviewBody, PreviewResponse } from './schemas.ts'
import type { Addons } from './service.ts'

const tags = ['Billing']

export function addonRoutes({
  billing,
  addons,
}: {
  billing: BillingProvider
  addons: Addons
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/subscription/addons',
      {
        schema: {
          operationId: 'setAddons',
          summary: 'Set the total of additional connections',
          description:
            'Charges or credits in proportion to what is left of the period. The limit rises once it is paid.',
          tags,
          headers: IdempotencyHeaders,
          body: AddonsBody,
          response: { 201: AddonsResponse },
          errors: ['BILLING_OFF', 'ADDON_NOT_ALLOWED', 'UPSTREAM_UNAVAILABLE', ...IDEMPOTENCY_ERRORS],
        },
      },
      async ({ principal, headers, body }, reply) => {
        const key = headers['idempotency-key']
        const { response, isReplay } = await addons.set(billing.require(), principal, key, body)
        if (isReplay) reply.header('Idempotent-Replayed', 'true')
        return reply.code(201).send({ data: { addons: response } })
      },
    )

    app.post(
      '/subscription/addons/preview',
      {
        schema: {
          operationId: 'previewAddons',
          summary: 'Preview the cost of another total',
          tags,
          body: PreviewBody,
          response: { 200: PreviewResponse },
          errors: ['BILLING_OFF', 'ADDON_NOT_ALLOWED', 'UPSTREAM_UNAVAILABLE'],
        },
      },
      async ({ principal, body }) => ({
        data: { preview: await addons.preview(billing.require(), principal.organizationId, body) },
      }),
    )
  }
}
