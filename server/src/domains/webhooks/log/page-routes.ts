import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeliveryDetail, DeliveryParams } from './schemas.ts'
import type { DeliveryLog } from './service.ts'

const tags = ['Console']

/** A delivery as pages read it, with their own limit. */
export function deliveryPageRoutes(deliveryLog: DeliveryLog): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks/:id/deliveries/:deliveryId',
      {
        schema: {
          operationId: 'showDelivery',
          summary: 'Show a delivery with each of its attempts, without bodies',
          tags,
          params: DeliveryParams,
          response: { 200: DeliveryDetail },
        },
      },
      async ({ principal, params }) => ({
        data: await deliveryLog.getDelivery(principal, params.id, params.deliveryId),
      }),
    )
  }
}
