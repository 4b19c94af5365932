import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import {
  CreateWebhook,
  RotateSecret,
  SecretRotated,
  UpdateWebhook,
  WebhookCreated,
  WebhookDeleted,
  WebhookResponse,
} from './schemas.ts'
import type { Endpoints } from './service.ts'

const tags = ['Webhooks']

/** The writes. The reads are those of the pages too. */
export function endpointRoutes(endpoints: Endpoints): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/webhooks',
      {
        schema: {
          operationId: 'createWebhook',
          summary: 'Create a webhook endpoint; its secret is shown once',
          tags,
          body: CreateWebhook,
          response: { 201: WebhookCreated },
          errors: ['WEBHOOK_URL_NOT_ALLOWED', 'INVALID_WEBHOOK', 'QUOTA_EXCEEDED'],
        },
      },
      async ({ principal, body }, reply) => reply.code(201).send({ data: await endpoints.register(principal, body) }),
    )

    app.patch(
      '/webhooks/:id',
      {
        schema: {
          operationId: 'updateWebhook',
          summary: 'Change a webhook endpoint, or pause, disable or reactivate it',
          tags,
          params: IdParams,
          body: UpdateWebhook,
          response: { 200: WebhookResponse },
          errors: ['WEBHOOK_URL_NOT_ALLOWED', 'INVALID_WEBHOOK', 'QUOTA_EXCEEDED'],
        },
      },
      async ({ principal, params, body }) => ({
        data: { webhook: await endpoints.update(principal, params.id, body) },
      }),
    )

    app.delete(
      '/webhooks/:id',
      {
        schema: {
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook endpoint and its log, for good',
          tags,
          params: IdParams,
          response: { 200: WebhookDeleted },
        },
      },
      async ({ principal, params }) => ({ data: await endpoints.delete(principal, params.id) }),
    )

    app.post(
      '/webhooks/:id/rotate-secret',
      {
        schema: {
          operationId: 'rotateWebhookSecret',
          summary: 'Replace the secret, at once or with an overlap; the new one is shown once',
          tags,
          params: IdParams,
          body: RotateSecret,
          response: { 200: SecretRotated },
        },
      },
      async ({ principal, params, body }) => ({ data: await endpoints.rotateSecret(principal, params.id, body) }),
    )
  }
}
