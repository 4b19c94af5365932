import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid, unionByType } from '../../kernel/http/schemas.ts'
import { PATTERNS } from '../../kernel/http/validation/patterns.ts'
import { ChannelResponse } from '../channels/schemas.ts'

const Phone = Type.String({
  pattern: PATTERNS.not_phone_number,
  description: 'A phone number with its country code.',
  examples: ['5511955500199'],
})
const MessageId = Type.String({ minLength: 1, maxLength: 200 })

export const SandboxAvailable = dataOf({ available: Type.Literal(true) })
export const SandboxConnected = ChannelResponse

export const ConversationQuery = strictObject({
  customer: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'The number of messages at most.' }),
  before: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The id of a message of the chat: only messages before it are shown.',
    }),
  ),
})
export type ConversationQuery = Static<typeof ConversationQuery>

const CUSTOMER = {
  phone: Type.String({ description: 'The phone number. The simulator knows it even if the customer hides it.' }),
  user_id: Type.String({
    description: 'The id by which the business of the channel knows the customer, with or without a phone number.',
  }),
  name: Type.String(),
  username: nullable(Type.String()),
  hides_phone: Type.Boolean({ description: 'True if the channel sees only the user id of the customer.' }),
}

const Button = Type.Object({
  type: Type.String({ description: 'The type is `reply` for a button that the customer can choose.' }),
  id: nullable(Type.String()),
  title: Type.String(),
  url: nullable(Type.String()),
})

const List = Type.Object({
  button: Type.String(),
  sections: Type.Array(
    Type.Object({
      title: nullable(Type.String()),
      rows: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), description: nullable(Type.String()) })),
    }),
  ),
})

/** A message as the phone shows it. */
export const ChatMessage = Type.Object({
  id: Type.String(),
  from: oneOf(['customer', 'business']),
  type: Type.String(),
  at: Timestamp,
  status: oneOf(['accepted', 'sent', 'delivered', 'read', 'failed']),
  error_code: nullable(Type.Integer()),
  reply_to: nullable(Type.String()),
  header: nullable(Type.String()),
  text: nullable(Type.String()),
  footer: nullable(Type.String()),
  buttons: Type.Array(Button),
  list: nullable(List),
  media: nullable(
    Type.Object({
      id: nullable(Type.String()),
      link: nullable(Type.String()),
      mime_type: nullable(Type.String()),
      filename: nullable(Type.String()),
    }),
  ),
  location: nullable(
    Type.Object({
      latitude: Type.Number(),
      longitude: Type.Number(),
      name: nullable(Type.String()),
      address: nullable(Type.String()),
    }),
  ),
  reaction: nullable(Type.Object({ message_id: Type.String(), emoji: Type.String() })),
})
export type ChatMessage = Static<typeof ChatMessage>

const ConversationData = {
  number: Type.Object({
    display_phone_number: Type.String(),
    verified_name: Type.String(),
    quality: Type.String(),
  }),
  customer: nullable(Type.Object(CUSTOMER)),
  customers: Type.Array(Type.Object({ ...CUSTOMER, last_message_at: Timestamp })),
  messages: Type.Array(ChatMessage),
}
export const Conversation = dataOf(ConversationData)
export type Conversation = Static<typeof Conversation>['data']

const Caption = Type.Optional(Type.String({ maxLength: 1024 }))
const FILE = {
  mime_type: Type.Optional(
    Type.String({ pattern: PATTERNS.not_media_type, description: 'The media type of the file.' }),
  ),
  data_base64: Type.Optional(
    Type.String({
      maxLength: 1_000_000,
      pattern: PATTERNS.not_encoded,
      description: 'The file in base64. The phone sends a sample by default.',
    }),
  ),
}
const Choice = strictObject({ message_id: MessageId, id: Type.String({ minLength: 1, maxLength: 300 }) })

export const CustomerMessage = unionByType([
  strictObject({
    type: Type.Literal('text'),
    text: strictObject({ body: Type.String({ minLength: 1, maxLength: 4096 }) }),
  }),
  strictObject({ type: Type.Literal('image'), image: Type.Optional(strictObject({ caption: Caption, ...FILE })) }),
  strictObject({ type: Type.Literal('video'), video: Type.Optional(strictObject({ caption: Caption, ...FILE })) }),
  strictObject({
    type: Type.Literal('document'),
    document: Type.Optional(
      strictObject({ caption: Caption, filename: Type.Optional(Type.String({ maxLength: 240 })), ...FILE }),
    ),
  }),
  strictObject({
    type: Type.Literal('audio'),
    audio: Type.Optional(strictObject({ voice: Type.Optional(Type.Boolean()), ...FILE })),
  }),
  strictObject({ type: Type.Literal('sticker'), sticker: Type.Optional(strictObject(FILE)) }),
  strictObject({
    type: Type.Literal('location'),
    location: Type.Optional(
      strictObject({
        latitude: Type.Number({ minimum: -90, maximum: 90 }),
        longitude: Type.Number({ minimum: -180, maximum: 180 }),
        name: Type.Optional(Type.String({ maxLength: 200 })),
        address: Type.Optional(Type.String({ maxLength: 200 })),
      }),
    ),
  }),
  strictObject({ type: Type.Literal('button_reply'), button_reply: Choice }),
  strictObject({ type: Type.Literal('list_reply'), list_reply: Choice }),
  strictObject({
    type: Type.Literal('reaction'),
    reaction: strictObject({ message_id: MessageId, emoji: Type.String({ maxLength: 30 }) }),
  }),
])

export const WriteAsCustomer = strictObject({
  customer: strictObject({
    phone: Phone,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    username: Type.Optional(
      nullable(
        Type.String({
          pattern: PATTERNS.not_username,
          description:
            'A customer with a username hides the phone number from the channel. Null removes the username and shows the number; without this member, both stay as they are.',
          examples: ['ana.beatriz'],
        }),
      ),
    ),
  }),
  message: CustomerMessage,
})
export type WriteAsCustomer = Static<typeof WriteAsCustomer>
export const CustomerWrote = dataOf({ message: ChatMessage })

export const ReadAsCustomer = strictObject({ customer: strictObject({ phone: Phone }) })
export const CustomerRead = dataOf({ read: Type.Integer({ description: 'The number of messages that became read.' }) })

const FAULTS = {
  phone_offline: Type.Boolean(),
  callback_delay_ms: Type.Integer({ minimum: 0, maximum: 60_000 }),
  duplicate: Type.Boolean(),
  reorder: Type.Boolean(),
  fail_with: nullable(Type.Integer({ description: 'The code is one of `failure_codes`.' })),
}
export const NumberFaults = strictObject(FAULTS)
export type NumberFaults = Static<typeof NumberFaults>
export const NumberFaultsResponse = dataOf({
  faults: Type.Object(FAULTS),
  failure_codes: Type.Array(Type.Integer()),
})

export const QUALITY_RATINGS = ['GREEN', 'YELLOW', 'RED'] as const
export const SetQuality = strictObject({ rating: oneOf(QUALITY_RATINGS) })
export type SetQuality = Static<typeof SetQuality>
export const QualitySet = dataOf({ rating: oneOf(QUALITY_RATINGS) })

export const UpstreamTokenRevoked = dataOf({ revoked: Type.Literal(true) })

export const TemplateReviewParams = Type.Object({ id: Uuid, template: Type.String({ minLength: 1, maxLength: 64 }) })
export const ReviewTemplate = strictObject({
  result: oneOf(['APPROVED', 'REJECTED']),
  reason: Type.Optional(
    Type.String({ pattern: PATTERNS.not_capitals, description: "The upstream's reason, such as INVALID_FORMAT." }),
  ),
})
export type ReviewTemplate = Static<typeof ReviewTemplate>
export const TemplateReviewed = dataOf({
  template: Type.Object({ id: Type.String(), name: Type.String(), status: Type.String(), reason: Type.String() }),
})
