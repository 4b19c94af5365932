import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LARGE_BODY_BYTES_MAX } from '../../kernel/http/body.ts'
import { IdParams } from '../../kernel/http/schemas.ts'
import {
  Conversation,
  ConversationQuery,
  CustomerRead,
  CustomerWrote,
  NumberFaults,
  NumberFaultsResponse,
  QualitySet,
  ReadAsCustomer,
  ReviewTemplate,
  SandboxAvailable,
  SandboxConnected,
  SetQuality,
  TemplateReviewed,
  TemplateReviewParams,
  UpstreamTokenRevoked,
  WriteAsCustomer,
} from './schemas.ts'
import type { SandboxPhone } from './service.ts'

const tags = ['Console']
const NOT_CONNECTED = ['CHANNEL_NOT_CONNECTED'] as const

export function sandboxRoutes(phone: SandboxPhone): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/sandbox',
      {
        schema: {
          operationId: 'showSandbox',
          summary: 'Show whether the upstream is the simulator of this hub',
          tags,
          response: { 200: SandboxAvailable },
          errors: ['NOT_FOUND'],
        },
      },
      async () => {
        phone.requireAvailable()
        return { data: { available: true as const } }
      },
    )

    app.post(
      '/sandbox/channels/:id/connect',
      {
        schema: {
          operationId: 'connectSandboxChannel',
          summary: 'Connect a channel to a simulated number',
          tags,
          params: IdParams,
          response: { 200: SandboxConnected },
          errors: ['NUMBER_ALREADY_CONNECTED', 'UPSTREAM_REJECTED', 'UPSTREAM_UNAVAILABLE'],
        },
      },
      async ({ principal, params }) => ({ data: { channel: await phone.connect(principal, params.id) } }),
    )

    app.get(
      '/sandbox/channels/:id/conversation',
      {
        schema: {
          operationId: 'showSandboxConversation',
          summary: 'Show the chat with a customer as their phone does',
          tags,
          params: IdParams,
          querystring: ConversationQuery,
          response: { 200: Conversation },
          errors: NOT_CONNECTED,
        },
      },
      async ({ principal, params, query }) => ({
        data: await phone.conversation(principal.organizationId, params.id, query),
      }),
    )

    app.post(
      '/sandbox/channels/:id/messages',
      {
        bodyLimit: LARGE_BODY_BYTES_MAX,
        schema: {
          operationId: 'writeAsSandboxCustomer',
          summary: 'Write to a channel as a customer',
          tags,
          params: IdParams,
          body: WriteAsCustomer,
          response: { 201: CustomerWrote },
          errors: NOT_CONNECTED,
        },
      },
      async ({ principal, params, body }, reply) => {
        const message = await phone.write(principal.organizationId, params.id, body)
        return reply.code(201).send({ data: { message } })
      },
    )

    app.post(
      '/sandbox/channels/:id/read',
      {
        schema: {
          operationId: 'readAsSandboxCustomer',
          summary: 'Read the messages of a channel as a customer',
          tags,
          params: IdParams,
          body: ReadAsCustomer,
          response: { 200: CustomerRead },
          errors: NOT_CONNECTED,
        },
      },
      async ({ principal, params, body }) => ({
        data: await phone.read(principal.organizationId, params.id, body.customer.phone),
      }),
    )

    app.get(
      '/sandbox/channels/:id/faults',
      {
        schema: {
          operationId: 'showSandboxFaults',
          summary: 'Show the faults of a simulated number',
          tags,
          params: IdParams,
          response: { 200: NumberFaultsResponse },
          errors: NOT_CONNECTED,
        },
      },
      async ({ principal, params }) => ({ data: await phone.faults(principal.organizationId, params.id) }),
    )

    app.put(
      '/sandbox/channels/:id/faults',
      {
        schema: {
          operationId: 'setSandboxFaults',
          summary: 'Set all faults of a simulated number',
          tags,
          params: IdParams,
          body: NumberFaults,
          response: { 200: NumberFaultsResponse },
          errors: NOT_CONNECTED,
        },
      },
      async ({ principal, params, body }) => ({
        data: await phone.setFaults(principal.organizationId, params.id, body),
      }),
    )

    app.post(
      '/sandbox/channels/:id/quality',
      {
        schema: {
          operationId: 'setSandboxQuality',
          summary: 'Change the quality rating of a simulated number',
          tags,
          params: IdParams,
          body: SetQuality,
          response: { 200: QualitySet },
          errors: NOT_CONNECTED,
        },
      },
      async ({ principal, params, body }) => ({
        data: await phone.setQuality(principal.organizationId, params.id, body),
      }),
    )

    app.post(
      '/sandbox/channels/:id/revoke-token',
      {
        schema: {
          operationId: 'revokeSandboxToken',
          summary: 'Revoke the token with which the hub calls the simulator for a channel',
          tags,
          params: IdParams,
          response: { 200: UpstreamTokenRevoked },
          errors: NOT_CONNECTED,
        },
      },
      async ({ principal, params }) => {
        await phone.revokeToken(principal.organizationId, params.id)
        return { data: { revoked: true as const } }
      },
    )

    app.post(
      '/sandbox/channels/:id/templates/:template/review',
      {
        schema: {
          operationId: 'reviewSandboxTemplate',
          summary: 'Approve or reject a template as the upstream does',
          tags,
          params: TemplateReviewParams,
          body: ReviewTemplate,
          response: { 200: TemplateReviewed },
          errors: NOT_CONNECTED,
        },
      },
      async ({ principal, params, body }) => ({
        data: { template: await phone.reviewTemplate(principal.organizationId, params.id, params.template, body) },
      }),
    )
  }
}
