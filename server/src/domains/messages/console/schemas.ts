import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'
import { DIRECTIONS, MESSAGE_STATUSES } from '../status.ts'

const Text = nullable(Type.String())
const UpstreamObject = Type.Object({}, { additionalProperties: true })

/** The filters of the console's log. Times are those at which the messages came to the hub. */
const FILTERS = {
  channel_id: Type.Optional(Uuid),
  direction: Type.Optional(oneOf(DIRECTIONS)),
  status: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `One or more statuses, separated by commas: ${MESSAGE_STATUSES.join(', ')}.`,
    }),
  ),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  template: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  error_code: Type.Optional(Type.Integer({ minimum: 0, maximum: 99_999_999 })),
  person: Type.Optional(
    Type.String({ minLength: 1, maxLength: 150, description: 'A phone number in any spelling, or a user id.' }),
  ),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The beginning of a name or of a username, without regard to accents and capitals.',
    }),
  ),
  number_end: Type.Optional(Type.String({ maxLength: 30, description: 'The last digits of a phone number.' })),
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
}

export const ConsoleMessageQuery = strictObject({
  ...FILTERS,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
})
export type ConsoleMessageQuery = Static<typeof ConsoleMessageQuery>

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const
export const ExportQuery = strictObject({
  ...FILTERS,
  format: oneOf(EXPORT_FORMATS, { default: 'csv' }),
  content: Type.Boolean({ default: false }),
})
export type ExportQuery = Static<typeof ExportQuery>
export type LogFilters = Omit<ExportQuery, 'format' | 'content'>

const ENTRY = {
  id: Uuid,
  channel_id: Uuid,
  direction: oneOf(DIRECTIONS),
  person: Type.Object({ phone: Text, user_id: Text }),
  type: Type.String(),
  template: nullable(Type.Object({ name: Text, language: Text })),
  status: oneOf(MESSAGE_STATUSES),
  upstream_message_id: Text,
  created_at: Timestamp,
  updated_at: Timestamp,
}

/** A message without its content. */
export const ConsoleMessage = Type.Object({
  ...ENTRY,
  error: nullable(Type.Object({ code: nullable(Type.Integer()) })),
})
export type ConsoleMessage = Static<typeof ConsoleMessage>

export const ConsoleMessagePage = dataOf({ messages: Type.Array(ConsoleMessage), next_cursor: Text })

/** One line of an export. `content` is there if it was requested. */
export const ExportedMessage = Type.Object({ ...ConsoleMessage.properties, content: Type.Optional(Type.Unknown()) })
export type ExportedMessage = Static<typeof ExportedMessage>

const TimelineEntry = Type.Object({ status: Type.String(), at: Timestamp })

export const LinkedDelivery = Type.Object({
  id: Uuid,
  endpoint: Type.Object({ id: Uuid, name: Type.String() }),
  event: Type.String(),
  status: Type.String(),
  attempts: Type.Integer(),
  duration_ms: nullable(Type.Integer({ description: 'The duration of the last attempt in milliseconds.' })),
  next_attempt_at: nullable(Timestamp),
  created_at: Timestamp,
})

export const ConsoleMessageDetail = dataOf({
  message: Type.Object({
    ...ENTRY,
    error: nullable(Type.Object({ code: nullable(Type.Integer()), title: Text, details: Text, explanation: Text })),
    timeline: Type.Array(TimelineEntry),
    pricing: nullable(UpstreamObject),
    idempotency: nullable(
      Type.Object({ key: Type.String(), outcome: oneOf(['in_progress', 'sent', 'refused', 'unknown']) }),
    ),
    has_content: Type.Boolean(),
    has_media: Type.Boolean(),
    deliveries: Type.Array(LinkedDelivery),
    paused_endpoints: Type.Array(Type.Object({ id: Uuid, name: Type.String() }), {
      description:
        'Endpoints that did not get an event of the message because they were paused then, by name, up to 100.',
    }),
    deliveries_being_queued: Type.Integer({
      description:
        'The number of deliveries of these events that the hub is still about to queue. An event for many endpoints is queued in steps.',
    }),
  }),
})
export type ConsoleMessageDetail = Static<typeof ConsoleMessageDetail>['data']['message']

export const RevealedMessage = dataOf({
  content: Type.Unknown({ description: 'The content is the object named by the type.' }),
  context: nullable(UpstreamObject),
  contact_name: Text,
})

export const NamesRequest = strictObject({
  message_ids: Type.Array(Uuid, { minItems: 1, maxItems: 100, uniqueItems: true }),
})
export const RevealedNames = dataOf({
  names: Type.Array(
    Type.Object({
      message_id: Uuid,
      name: nullable(Type.String({ description: 'The name of the person, or else the username.' })),
    }),
    { description: 'The people of the messages, without those of messages that no longer exist.' },
  ),
})
