import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import type { ListResponses } from '../../../kernel/http/streaming/list-response.ts'
import { PauseList, WebhookList, WebhookResponse } from './schemas.ts'
import type { Endpoints } from './service.ts'

const API = { tag: 'Webhooks', list: 'listWebhooks', get: 'getWebhook', pauses: 'listWebhookPauses' }
const CONSOLE = { tag: 'Console', list: 'browseWebhooks', get: 'showWebhook', pauses: 'browsePauses' }

/**
 * The same reads for programs and for pages, with a limit for each: open pages read again with every delivery, and must not use
 * up the limit of the API.
 */
export function endpointReadRoutes(
  endpoints: Endpoints,
  sendList: ListResponses,
  surface: 'api' | 'console',
): FastifyPluginAsyncTypebox {
  const { tag, ...ids } = surface === 'api' ? API : CONSOLE
  const tags = [tag]
  return async (app) => {
    app.get(
      '/webhooks',
      {
        schema: {
          operationId: ids.list,
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
          operationId: ids.get,
          summary: 'Get a webhook endpoint',
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
          operationId: ids.pauses,
          summary: 'List when an endpoint was paused, and how many events it did not get',
          tags,
          params: IdParams,
          response: { 200: PauseList },
        },
      },
      async ({ principal: { organizationId }, params }) => ({
        data: { pauses: await endpoints.listPauses(organizationId, params.id) },
      }),
    )
  }
}
