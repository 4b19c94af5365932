import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LARGE_BODY_BYTES_MAX } from '../../kernel/http/body.ts'
import { IdParams } from '../../kernel/http/schemas.ts'
import type { Limit } from '../../kernel/rate-limit/limit.ts'
import { UPSTREAM_ERRORS } from '../../upstream/api-error.ts'
import { AddressedMessageBody, MarketingMessageBody, MessageBody } from './body/message-body.ts'
import { dropNullMembers } from './body/null-members.ts'
import type { MessageLog } from './log/service.ts'
import { toMessageEntry } from './message-entry.ts'
import type { Receipts } from './receipts.ts'
import {
  ContactParams,
  GroupParams,
  MarkedRead,
  MarkRead,
  MessagePage,
  MessageParams,
  MessageQuery,
  MessageResponse,
  SendHeaders,
  SendResponse,
} from './schemas.ts'
import { toAcceptedMessage } from './sending/idempotency-record.ts'
import type { Messages } from './sending/service.ts'

const tags = ['Messages']

const SEND_ERRORS = [
  ...UPSTREAM_ERRORS,
  'IDEMPOTENCY_KEY_REUSED',
  'SUBSCRIPTION_SUSPENDED',
  'TEMPLATE_NOT_SENDABLE',
  'OPERATION_IN_PROGRESS',
  'SEND_RESULT_UNKNOWN',
] as const

const SEND_DESCRIPTION =
  'The same Idempotency-Key with the same recipient and body never sends twice. After a 409, look the message up in the message log; do not send it again with another key.'

type Services = { messages: Messages; messageLog: MessageLog; receipts: Receipts }

export function messageRoutes(services: Services, sendLimit: Limit): FastifyPluginAsyncTypebox {
  const { messages, messageLog: log, receipts } = services
  return async (app) => {
    app.get(
      '/channels/:id/messages',
      {
        schema: {
          operationId: 'listMessages',
          summary: "List a channel's messages, newest first",
          tags,
          params: IdParams,
          querystring: MessageQuery,
          response: { 200: MessagePage },
        },
      },
      async ({ principal, params, query }) => ({ data: await log.page(principal.organizationId, params.id, query) }),
    )

    app.get(
      '/channels/:id/messages/:message_id',
      {
        schema: {
          operationId: 'getMessage',
          summary: 'Show a message',
          tags,
          params: MessageParams,
          response: { 200: MessageResponse },
        },
      },
      async ({ principal, params }) => {
        const message = await log.find(toMessageKey(principal, params), params.message_id.toLowerCase())
        return { data: { message: toMessageEntry(message) } }
      },
    )

    app.post(
      '/channels/:id/messages/:message_id/read',
      {
        schema: {
          operationId: 'markMessageRead',
          summary: 'Mark a received message as read',
          description:
            'The person sees that it was read, and with `typing` also that an answer is being written. All earlier messages of the conversation become read too.',
          tags,
          params: MessageParams,
          body: MarkRead,
          response: { 200: MarkedRead },
          errors: UPSTREAM_ERRORS,
        },
      },
      async ({ principal, params, body }) => {
        const { typing = false } = body
        const key = toMessageKey(principal, params)
        return { data: { message: await receipts.markRead(key, params.message_id.toLowerCase(), typing) } }
      },
    )

    const sendOptions = {
      bodyLimit: LARGE_BODY_BYTES_MAX,
      config: { limit: sendLimit },
      preValidation: async (request: FastifyRequest) => {
        request.body = dropNullMembers(request.body)
      },
    }

    app.post(
      '/channels/:id/messages',
      {
        ...sendOptions,
        schema: {
          operationId: 'sendMessage',
          summary: 'Send a message',
          description: SEND_DESCRIPTION,
          tags,
          params: IdParams,
          headers: SendHeaders,
          body: MessageBody,
          response: { 202: SendResponse },
          errors: SEND_ERRORS,
        },
      },
      async ({ principal, params, headers, body }, reply) => {
        const recipient = { kind: 'number' as const, number: body.to, edge: 'messages' as const }
        return answer(reply, await messages.send({ ...toKey(principal, params, headers), recipient, body }))
      },
    )

    app.post(
      '/channels/:id/contacts/:user_id/messages',
      {
        ...sendOptions,
        schema: {
          operationId: 'sendMessageToContact',
          summary: 'Send a message to a person by user id',
          description: `Sends to people who hide their phone number. ${SEND_DESCRIPTION}`,
          tags,
          params: ContactParams,
          headers: SendHeaders,
          body: AddressedMessageBody,
          response: { 202: SendResponse },
          errors: SEND_ERRORS,
        },
      },
      async ({ principal, params, headers, body }, reply) => {
        const recipient = { kind: 'user' as const, userId: params.user_id }
        return answer(reply, await messages.send({ ...toKey(principal, params, headers), recipient, body }))
      },
    )

    app.post(
      '/channels/:id/groups/:group_id/messages',
      {
        ...sendOptions,
        schema: {
          operationId: 'sendMessageToGroup',
          summary: 'Send a message to a group',
          description: SEND_DESCRIPTION,
          tags,
          params: GroupParams,
          headers: SendHeaders,
          body: AddressedMessageBody,
          response: { 202: SendResponse },
          errors: SEND_ERRORS,
        },
      },
      async ({ principal, params, headers, body }, reply) => {
        const recipient = { kind: 'group' as const, groupId: params.group_id }
        return answer(reply, await messages.send({ ...toKey(principal, params, headers), recipient, body }))
      },
    )

    app.post(
      '/channels/:id/marketing-messages',
      {
        ...sendOptions,
        schema: {
          operationId: 'sendMarketingMessage',
          summary: 'Send a marketing template by the Marketing Messages API',
          description: `The upstream decides when a person is likely to read it. ${SEND_DESCRIPTION}`,
          tags,
          params: IdParams,
          headers: SendHeaders,
          body: MarketingMessageBody,
          response: { 202: SendResponse },
          errors: SEND_ERRORS,
        },
      },
      async ({ principal, params, headers, body: { product_policy, message_activity_sharing, ...body } }, reply) => {
        const recipient = { kind: 'number' as const, number: body.to, edge: 'marketing_messages' as const }
        const further = {
          ...(product_policy !== undefined && { product_policy }),
          ...(message_activity_sharing !== undefined && { message_activity_sharing }),
        }
        return answer(reply, await messages.send({ ...toKey(principal, params, headers), recipient, body, further }))
      },
    )
  }
}

function toMessageKey({ organizationId }: { organizationId: string }, { id: channelId }: { id: string }) {
  return { organizationId, channelId }
}

function toKey(
  { organizationId }: { organizationId: string },
  { id: channelId }: { id: string },
  headers: { 'idempotency-key': string },
) {
  return { organizationId, channelId, key: headers['idempotency-key'] }
}

function answer(reply: FastifyReply, { result, isReplay }: Awaited<ReturnType<Messages['send']>>) {
  if (isReplay) reply.header('Idempotent-Replayed', 'true')
  return reply.code(202).send({ data: { message: toAcceptedMessage(result) } })
}
