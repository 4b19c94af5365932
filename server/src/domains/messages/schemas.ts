import { type Static, Type } from 'typebox'
import { dataOf, nullable, strictObject, Timestamp, Uuid } from '../../kernel/http/schemas.ts'
import { MessageEntry } from '../events/schemas.ts'

export const SendHeaders = Type.Object({
  'idempotency-key': Type.String({
    minLength: 8,
    maxLength: 200,
    description: 'A unique name that you choose for this send. The same key and body never send twice.',
  }),
})

export const AcceptedMessage = Type.Object({
  id: Uuid,
  channel_id: Uuid,
  status: Type.Literal('accepted'),
  to: Type.String(),
  type: Type.String(),
  upstream_message_id: Type.String(),
  created_at: Timestamp,
})
export type AcceptedMessage = Static<typeof AcceptedMessage>

export const SendResponse = dataOf({ message: AcceptedMessage })

export const MessageQuery = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  direction: Type.Optional(Type.Enum(['inbound', 'outbound'])),
  status: Type.Optional(Type.String({ maxLength: 80 })),
})
export type MessageQuery = Static<typeof MessageQuery>

export const MessagePage = dataOf({ messages: Type.Array(MessageEntry), next_cursor: nullable(Type.String()) })
