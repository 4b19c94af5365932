import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LARGE_BODY_BYTES_MAX } from '../../kernel/http/body.ts'
import { IdParams } from '../../kernel/http/schemas.ts'
import type { Limit } from '../../kernel/rate-limit/limit.ts'
import { UPSTREAM_ERRORS } from '../../upstream/api-error.ts'
import { MessageBody } from './body/message-body.ts'
import { dropNullMembers } from './body/null-members.ts'
import type { MessageLog } from './log/service.ts'
import { MessagePage, MessageQuery, SendHeaders, SendResponse } from './schemas.ts'
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

export function messageRoutes(messages: Messages, log: MessageLog, sendLimit: Limit): FastifyPluginAsyncTypebox {
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

    app.post(
      '/channels/:id/messages',
      {
        bodyLimit: LARGE_BODY_BYTES_MAX,
        config: { limit: sendLimit },
        preValidation: async (request) => {
          request.body = dropNullMembers(request.body) as MessageBody
        },
        schema: {
          operationId: 'sendMessage',
          summary: 'Send a message',
          description:
            'The same Idempotency-Key with the same body never sends twice. After a 409, look the message up in the message log; do not send it again with another key.',
          tags,
          params: IdParams,
          headers: SendHeaders,
          body: MessageBody,
          response: { 202: SendResponse },
          errors: SEND_ERRORS,
        },
      },
      async ({ principal, params, headers, body }, reply) => {
        const key = headers['idempotency-key']
        const { result, isReplay } = await messages.send(principal.organizationId, params.id, key, body)
        if (isReplay) reply.header('Idempotent-Replayed', 'true')
        return reply.code(202).send({ data: { message: toAcceptedMessage(result) } })
      },
    )
  }
}
