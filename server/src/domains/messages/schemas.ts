import { type Static, type TSchema, Type } from 'typebox'
import { dataOf, documentAs, nullable, strictObject, Timestamp, Uuid } from '../../kernel/http/schemas.ts'
import { PATTERNS } from '../../kernel/http/validation/patterns.ts'
import {
  CONTENT_TYPES,
  MessageContent,
  MessageContext,
  MessagePricing,
  MessageStatusDetail,
} from './message-content.ts'
import { DIRECTIONS, MESSAGE_STATUSES } from './status.ts'

const Text = nullable(Type.String())
/** An object of the upstream, passed on unchanged. */
const passedOn = (shown: TSchema) => nullable(documentAs(Type.Object({}, { additionalProperties: true }), shown))

/** The upstream's details of a person. */
export const Contact = Type.Object({
  name: Text,
  user_id: Text,
  parent_user_id: Type.Optional(Type.String({ description: 'Absent unless the upstream gave one.' })),
  username: Type.Optional(Type.String({ description: 'Absent unless the upstream gave one.' })),
  wa_id: Type.Optional(
    Type.String({
      description:
        "The number as the upstream writes it in the person's contact, which may differ from `from` or `to` by a digit. Absent unless the upstream gave one.",
    }),
  ),
  identity_key_hash: Type.Optional(
    Type.String({
      description: "Changes when the person's identity key does. Absent unless the upstream gave one.",
    }),
  ),
})

/** An entry of the message log, and the `message` of every message.* event. */
export const MessageEntry = Type.Object(
  {
    id: Uuid,
    channel_id: Uuid,
    direction: Type.Enum(DIRECTIONS),
    type: Type.String(),
    status: Type.Enum(MESSAGE_STATUSES),
    from: nullable(Type.String({ description: 'The number of the sender. Null for people who show no phone number.' })),
    to: Text,
    contact: nullable(Contact),
    upstream_message_id: Text,
    content: documentAs(Type.Unknown(), nullable(MessageContent)),
    context: passedOn(MessageContext),
    error: nullable(Type.Object({ code: nullable(Type.Integer()), title: Text, details: Text })),
    pricing: passedOn(MessagePricing),
    created_at: Timestamp,
    sent_at: nullable(Timestamp),
    delivered_at: nullable(Timestamp),
    read_at: nullable(Timestamp),
    failed_at: nullable(Timestamp),
  },
  { 'x-content-types': CONTENT_TYPES },
)
export type MessageEntry = Static<typeof MessageEntry>

/** The `data` of every message.* event. */
export const MessageEventData = Type.Object({
  message: MessageEntry,
  statuses_detail: documentAs(Type.Optional(Type.Object({}, { additionalProperties: true })), MessageStatusDetail),
})

/** The `data` of message.edited and message.revoked. */
export const ChangedMessageEventData = Type.Object({
  message: MessageEntry,
  original_upstream_message_id: nullable(
    Type.String({
      description: "The upstream's id of the message that was edited or deleted. Its entry in the log stays.",
    }),
  ),
})

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
  to: Type.String({ description: 'The recipient as it was sent: a phone number, a user id or the id of a group.' }),
  type: Type.String(),
  upstream_message_id: Type.String(),
  contact: nullable(
    Type.Object({
      wa_id: nullable(
        Type.String({ description: 'The number as the upstream writes it, which may differ from `to` by a digit.' }),
      ),
      user_id: nullable(Type.String({ description: 'The user id, which people who hide their number have too.' })),
    }),
  ),
  created_at: Timestamp,
})
export type AcceptedMessage = Static<typeof AcceptedMessage>

export type AcceptedContact = AcceptedMessage['contact']

export const ContactParams = Type.Object({
  id: Uuid,
  user_id: Type.String({
    pattern: PATTERNS.not_user_id,
    description: 'The user id of a person, such as BR.1349. People who hide their phone number have one too.',
  }),
})

export const GroupParams = Type.Object({
  id: Uuid,
  group_id: Type.String({
    pattern: PATTERNS.not_group_id,
    description: 'The id of a group, as the upstream gave it.',
  }),
})

export const SendResponse = dataOf({ message: AcceptedMessage })

export const MessageQuery = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  direction: Type.Optional(Type.Enum(DIRECTIONS)),
  status: Type.Optional(Type.String({ maxLength: 80 })),
  person: Type.Optional(
    Type.String({ minLength: 1, maxLength: 150, description: 'A phone number in any of its spellings, or a user id.' }),
  ),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  since: Type.Optional(
    Type.Unsafe<string>({ ...Timestamp, description: 'Only messages that came to the hub from this time on.' }),
  ),
  until: Type.Optional(
    Type.Unsafe<string>({ ...Timestamp, description: 'Only messages that came to the hub before this time.' }),
  ),
  upstream_message_id: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  idempotency_key: Type.Optional(Type.String({ minLength: 8, maxLength: 200 })),
})
export type MessageQuery = Static<typeof MessageQuery>

export const MessageParams = Type.Object({ id: Uuid, message_id: Uuid })

export const MessageResponse = dataOf({ message: MessageEntry })

export const MarkRead = strictObject({
  typing: Type.Optional(
    Type.Boolean({
      description: 'True shows the person that an answer is being written, for 25 seconds or until a message arrives.',
    }),
  ),
})

export const MarkedRead = dataOf({
  message: Type.Object({ id: Uuid, upstream_message_id: Type.String(), read: Type.Literal(true) }),
})

export const MessagePage = dataOf({ messages: Type.Array(MessageEntry), next_cursor: nullable(Type.String()) })
