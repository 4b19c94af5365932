import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import type { ListResponses } from '../../../kernel/http/streaming/list-response.ts'
import { PauseList, WebhookList, WebhookResponse } from '../endpoints/schemas.ts'
import type { Endpoints } from '../endpoints/service.ts'
import { DeliveryDetail, DeliveryParams } from './schemas.ts'
import type { DeliveryLog } from './service.ts'

const tags = ['Console']

type Services = { endpoints: Endpoints; deliveryLog: DeliveryLog }

/** The reads of the pages of webhooks: open pages read again with every delivery, and must not use up the limit of the API. */
export function webhookPageRoutes(services: Services, sendList: ListResponses): FastifyPluginAsyncTypebox {
  const { endpoints, deliveryLog } = services
  return async (app) => {
    app.get(
      '/webhooks',
      {
        schema: {
          operationId: 'browseWebhooks',
          summary: 'List every webhook endpoint, newest first',
          tags,
          response: { 200: WebhookList },
        },
      },
      async ({ principal: { organizationId } }, reply) =>
        sendList(reply, {
          owner: organizationId,
          name: 'webhooks',
          read: (step) => endpoints.list(organizationId, step),
        }),
    )

    app.get(
      '/webhooks/:id',
      {
        schema: {
          operationId: 'showWebhook',
          summary: 'Show a webhook endpoint',
          tags,
          params: IdParams,
          response: { 200: WebhookResponse },
        },
      },
      async ({ principal, params }) => ({
        data: { webhook: await endpoints.get(principal.organizationId, params.id) },
      }),
    )

    app.get(
      '/webhooks/:id/pauses',
      {
        schema: {
          operationId: 'browsePauses',
          summary: 'List when an endpoint was paused, and how many events it did not get',
          tags,
          params: IdParams,
          response: { 200: PauseList },
        },
      },
      async ({ principal, params }) => ({
        data: { pauses: await endpoints.listPauses(principal.organizationId, params.id) },
      }),
    )

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
