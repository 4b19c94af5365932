import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams, PageQuery } from '../../kernel/http/schemas.ts'
import { ApiKeyCreated, ApiKeyList, ApiKeyResponse, CreateApiKey } from './schemas.ts'
import type { ApiKeys } from './service.ts'

const tags = ['API keys']

export function apiKeyRoutes(apiKeys: ApiKeys): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api-keys',
      {
        schema: {
          operationId: 'listApiKeys',
          summary: 'List keys, newest first, without their secrets',
          tags,
          querystring: PageQuery,
          response: { 200: ApiKeyList },
        },
      },
      async ({ principal, query }) => ({ data: await apiKeys.list(principal.organizationId, query) }),
    )

    app.post(
      '/api-keys',
      {
        schema: {
          operationId: 'createApiKey',
          summary: 'Create a scoped key',
          tags,
          body: CreateApiKey,
          response: { 201: ApiKeyCreated },
          errors: ['QUOTA_EXCEEDED'],
        },
      },
      async ({ principal, body }, reply) => reply.code(201).send({ data: await apiKeys.create(principal, body) }),
    )

    app.post(
      '/api-keys/:id/revoke',
      {
        schema: {
          operationId: 'revokeApiKey',
          summary: 'Revoke a key at once',
          tags,
          params: IdParams,
          response: { 200: ApiKeyResponse },
        },
      },
      async ({ principal, params }) => ({ data: { api_key: await apiKeys.revoke(principal, params.id) } }),
    )
  }
}
