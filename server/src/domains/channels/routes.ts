import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../kernel/http/schemas.ts'
import type { ListResponses } from '../../kernel/http/streaming/list-response.ts'
import { ConnectLinkOptions } from '../connect-links/schemas.ts'
import type { Deletions } from './deletion/service.ts'
import type { Diagnosis } from './diagnostics/service.ts'
import {
  ChannelCreated,
  ChannelDeleted,
  ChannelList,
  ChannelResponse,
  ConnectLinkResponse,
  CreateChannel,
  DeleteChannelQuery,
  DiagnosticsResponse,
  RegenerateToken,
  TokenRegenerated,
  TokenRevoked,
  UpdateChannel,
} from './schemas.ts'
import type { Channels } from './service.ts'

const tags = ['Channels']

type Services = { channels: Channels; deletions: Deletions; diagnosis: Diagnosis }

export function channelRoutes(services: Services, sendList: ListResponses): FastifyPluginAsyncTypebox {
  const { channels, deletions, diagnosis } = services
  return async (app) => {
    app.get(
      '/channels',
      { schema: { operationId: 'listChannels', summary: 'List channels', tags, response: { 200: ChannelList } } },
      async ({ principal: { organizationId } }, reply) =>
        sendList(reply, {
          owner: organizationId,
          name: 'channels',
          read: (step) => channels.list(organizationId, step),
        }),
    )

    app.post(
      '/channels',
      {
        schema: {
          operationId: 'createChannel',
          summary: 'Create a channel, and with webhook_url its endpoint and connect link',
          tags,
          body: CreateChannel,
          response: { 201: ChannelCreated },
          errors: ['WEBHOOK_URL_NOT_ALLOWED', 'SUBSCRIPTION_SUSPENDED', 'QUOTA_EXCEEDED'],
        },
      },
      async ({ principal, body }, reply) => reply.code(201).send({ data: await channels.create(principal, body) }),
    )

    app.get(
      '/channels/:id',
      {
        schema: {
          operationId: 'getChannel',
          summary: 'Get a channel',
          tags,
          params: IdParams,
          response: { 200: ChannelResponse },
        },
      },
      async ({ principal, params }) => ({
        data: { channel: await channels.get(principal.organizationId, params.id) },
      }),
    )

    app.patch(
      '/channels/:id',
      {
        schema: {
          operationId: 'updateChannel',
          summary: 'Change the name, the external id or the import of history of a channel',
          tags,
          params: IdParams,
          body: UpdateChannel,
          response: { 200: ChannelResponse },
        },
      },
      async ({ principal, params, body }) => ({
        data: { channel: await channels.update(principal, params.id, body) },
      }),
    )

    app.delete(
      '/channels/:id',
      {
        schema: {
          operationId: 'deleteChannel',
          summary: 'Archive a channel, and on request deregister its number',
          tags,
          params: IdParams,
          querystring: DeleteChannelQuery,
          response: { 200: ChannelDeleted },
        },
      },
      async ({ principal, params, query }) => ({
        data: await deletions.delete(principal, params.id, query.deregister),
      }),
    )

    app.post(
      '/channels/:id/connect-link',
      {
        schema: {
          operationId: 'createConnectLink',
          summary: 'Create a link that connects a number once',
          tags,
          params: IdParams,
          body: ConnectLinkOptions,
          response: { 201: ConnectLinkResponse },
        },
      },
      async ({ principal, params, body }, reply) => {
        return reply.code(201).send({ data: await channels.issueLink(principal, params.id, body) })
      },
    )

    app.post(
      '/channels/:id/regenerate-token',
      {
        schema: {
          operationId: 'regenerateChannelToken',
          summary: 'Replace the channel token, with the same scopes or with those of the body',
          tags,
          params: IdParams,
          body: RegenerateToken,
          response: { 201: TokenRegenerated },
        },
      },
      async ({ principal, params, body }, reply) => {
        return reply.code(201).send({ data: await channels.regenerateToken(principal, params.id, body) })
      },
    )

    app.post(
      '/channels/:id/revoke-token',
      {
        schema: {
          operationId: 'revokeChannelToken',
          summary: 'Revoke the channel token without a new one',
          tags,
          params: IdParams,
          response: { 200: TokenRevoked },
        },
      },
      async ({ principal, params }) => ({ data: await channels.revokeToken(principal, params.id) }),
    )

    app.get(
      '/channels/:id/diagnostics',
      {
        schema: {
          operationId: 'diagnoseChannel',
          summary: 'Check credential, number, subscription and endpoints',
          tags,
          params: IdParams,
          response: { 200: DiagnosticsResponse },
        },
      },
      async ({ principal, params }) => ({
        data: { diagnostics: await diagnosis.run(principal.organizationId, params.id) },
      }),
    )
  }
}
