import { type Static, Type } from 'typebox'
import { nullable, Timestamp, Uuid } from '../../kernel/http/schemas.ts'

const Text = nullable(Type.String())
/** The upstream's own object, passed on unchanged. */
const Upstreams = Type.Object({}, { additionalProperties: true })

/** A line of the message log, and the `message` of every message.* event. */
export const MessageEntry = Type.Object({
  id: Uuid,
  channel_id: Uuid,
  direction: Type.Enum(['inbound', 'outbound']),
  type: Type.String(),
  status: Type.Enum(['received', 'sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read']),
  from: nullable(Type.String({ description: 'null for users who show no phone number' })),
  to: Text,
  contact: nullable(Type.Object({ name: Text, user_id: Text })),
  upstream_message_id: Text,
  content: Type.Unknown({ description: 'the object named by the type' }),
  context: nullable(Upstreams),
  error: nullable(Type.Object({ code: nullable(Type.Integer()), title: Text, details: Text })),
  pricing: nullable(Upstreams),
  created_at: Timestamp,
  sent_at: nullable(Timestamp),
  delivered_at: nullable(Timestamp),
  read_at: nullable(Timestamp),
  failed_at: nullable(Timestamp),
})
export type MessageEntry = Static<typeof MessageEntry>

export const ChannelData = Type.Object({
  channel: Type.Object({
    id: Uuid,
    name: Type.String(),
    external_id: Text,
    status: Type.Enum(['pending', 'active', 'degraded', 'disconnected']),
    phone_number_id: Text,
    waba_id: Text,
    display_phone_number: Text,
    verified_name: Text,
    coexistence: Type.Boolean(),
  }),
  reason: Text,
})

export const MessageData = Type.Object({
  message: MessageEntry,
  statuses_detail: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: "the upstream's own words on the status" }),
  ),
})

export const TemplateData = Type.Object({
  template: Type.Object({ id: Text, name: Text, language: Text, category: Text, status: Text }),
  change: Upstreams,
})

export const NumberData = Type.Object({
  number: Type.Object({ phone_number_id: Type.String(), display_phone_number: Text, verified_name: Text }),
  change: Upstreams,
})

export const AccountData = Type.Object({
  change: Type.Object({ field: Type.String() }, { additionalProperties: true }),
})

export const TestData = Type.Object({ webhook_id: Uuid, message: Type.String() })
