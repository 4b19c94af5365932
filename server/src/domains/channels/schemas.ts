import { type Static, Type } from 'typebox'
import {
  dataOf,
  MessageParameters,
  Name,
  nullable,
  oneOf,
  strictObject,
  Timestamp,
  Uuid,
} from '../../kernel/http/schemas.ts'
import { CHANNEL_TOKEN_SCOPES } from '../auth/scopes.ts'
import { COMPAT_EVENTS } from './compat-events.ts'
import { DEREGISTRATION_VALUES } from './deregistration.ts'
import { HISTORY_IMPORTS } from './history-import.ts'
import { CHANNEL_STATUSES } from './status.ts'

const ChannelType = Type.Literal('messaging')
const ExternalId = nullable(Type.String({ maxLength: 200 }))

const MONTHLY_BUDGET =
  'The amount that the channel may cost in a calendar month in UTC, in minor units of the currency of the rate cards, such as cents. At 80 and 100 percent of it there is a cost.budget_reached event. Null for none.'

const IMPORT_HISTORY =
  'Set to `events` if the chats that a number of the Business app had before it was connected become history.message events, else `off`.'

export const Channel = Type.Object({
  id: Uuid,
  name: Type.String(),
  type: ChannelType,
  status: oneOf(CHANNEL_STATUSES),
  external_id: nullable(Type.String()),
  phone_number_id: nullable(Type.String()),
  waba_id: nullable(Type.String()),
  display_phone_number: nullable(Type.String()),
  verified_name: nullable(Type.String()),
  quality_rating: nullable(Type.String()),
  username: nullable(
    Type.String({
      description: "The number's username, as the upstream reported it last. Null if it has reported none.",
    }),
  ),
  coexistence: Type.Boolean(),
  import_history: oneOf(HISTORY_IMPORTS, { description: IMPORT_HISTORY }),
  monthly_budget: nullable(Type.Integer({ description: MONTHLY_BUDGET })),
  subscribed_ok: Type.Optional(Type.Boolean()),
  graph_url: Type.String({
    description:
      'The address that existing Cloud API software uses in place of `https://graph.facebook.com`, with or without a version after it. It takes the channel token.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Channel = Static<typeof Channel>

/** The `data` of every channel.* event. */
export const ChannelEventData = Type.Object({
  channel: Type.Object({
    id: Uuid,
    name: Type.String(),
    external_id: nullable(Type.String()),
    status: Type.Enum(CHANNEL_STATUSES),
    phone_number_id: nullable(Type.String()),
    waba_id: nullable(Type.String()),
    display_phone_number: nullable(Type.String()),
    verified_name: nullable(Type.String()),
    coexistence: Type.Boolean(),
  }),
  reason: nullable(Type.String()),
})
export type ChannelEventData = Static<typeof ChannelEventData>

/** The `data` of channel.connected. */
export const ChannelConnectedEventData = Type.Object({
  ...ChannelEventData.properties,
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'The metadata of the connect link with which the number was connected. Absent if the link had none, and for a channel that works again.',
    }),
  ),
})

export const ChannelList = dataOf({ channels: Type.Array(Channel) })
export const ChannelResponse = dataOf({ channel: Channel })

export const CreateChannel = strictObject({
  name: Name,
  type: Type.Optional(ChannelType),
  external_id: Type.Optional(ExternalId),
  webhook_url: Type.Optional(Type.String({ format: 'uri', maxLength: 2048 })),
  webhook_secret: Type.Optional(Type.String({ minLength: 16, maxLength: 512 })),
  webhook_events: Type.Optional(Type.Array(oneOf(COMPAT_EVENTS), { uniqueItems: true })),
})
export type CreateChannel = Static<typeof CreateChannel>

export const CreatedChannel = Type.Object({
  id: Uuid,
  token: Type.String({ description: 'The channel token, `hub_ch_…`. It is shown here and never again.' }),
  type: ChannelType,
  status: oneOf(CHANNEL_STATUSES),
  external_id: nullable(Type.String()),
})

/** The last four are present in compatibility mode only: when the request has a `webhook_url`. */
export const ChannelCreated = dataOf({
  channel: CreatedChannel,
  webhook_id: Type.Optional(Uuid),
  connect_url: Type.Optional(Type.String({ format: 'uri' })),
  secret: Type.Optional(Type.String()),
  warning: Type.Optional(Type.String()),
})

export const UpdateChannel = strictObject(
  {
    name: Type.Optional(Name),
    external_id: Type.Optional(ExternalId),
    import_history: Type.Optional(
      oneOf(HISTORY_IMPORTS, { description: `${IMPORT_HISTORY} Set it before the number is connected.` }),
    ),
    monthly_budget: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: MONTHLY_BUDGET })),
    ),
  },
  { minProperties: 1 },
)
export type UpdateChannel = Static<typeof UpdateChannel>

export const DeleteChannelQuery = strictObject({ deregister: Type.Boolean({ default: false }) })
export const ChannelDeleted = dataOf({
  archived: Type.Boolean(),
  changed: Type.Boolean(),
  deregistro: oneOf(Object.values(DEREGISTRATION_VALUES)),
})

export const ConnectLinkResponse = dataOf({ connect_url: Type.String({ format: 'uri' }), expires_at: Timestamp })

export const RegenerateToken = strictObject({
  scopes: Type.Optional(Type.Array(oneOf(CHANNEL_TOKEN_SCOPES), { minItems: 1, uniqueItems: true })),
})
export type RegenerateToken = Static<typeof RegenerateToken>
export const TokenRevoked = dataOf({ revoked: Type.Literal(true) })
export const TokenRegenerated = dataOf({ token: Type.String(), warning: Type.String() })

const CheckStatus = oneOf(['ok', 'warning', 'failing', 'skipped'])
export const Check = Type.Object({
  id: oneOf(['token', 'number', 'subscription', 'webhook_signature', 'endpoints']),
  status: CheckStatus,
  reason: Type.String({
    description:
      'The reason for the result of the check, to translate its message and its remedy by. New versions add reasons.',
  }),
  parameters: MessageParameters,
  message: Type.String(),
  remedy: nullable(Type.String()),
})
export type Check = Static<typeof Check>
export const Diagnostics = Type.Object({
  checked_at: Timestamp,
  overall: oneOf(['ok', 'warning', 'failing']),
  checks: Type.Array(Check),
})
export type Diagnostics = Static<typeof Diagnostics>
export const DiagnosticsResponse = dataOf({ diagnostics: Diagnostics })
