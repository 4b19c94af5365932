import { type Static, Type } from 'typebox'
import { dataOf, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'
import { PATTERNS } from '../../../kernel/http/validation/patterns.ts'
import { EVENT_KIND_NAMES } from '../../events/catalog.ts'
import { CreateWebhook, PAYLOAD_MODES } from '../endpoints/schemas.ts'

export const LISTENER_SECRET_HEADER = 'x-hub-listener-secret'
/** A listener without a connection lives for this long. */
export const EXPIRES_AFTER_SECONDS = 60
export const UNACKNOWLEDGED_MAX = 1000

const { event_types, payload_mode, all_channels, channel_ids } = CreateWebhook.properties

/** The filters of a listener, as endpoints have them, and a secret that its client has kept. */
export const CreateListener = strictObject(
  {
    event_types,
    payload_mode,
    all_channels,
    channel_ids,
    secret: Type.Optional(
      Type.String({
        pattern: PATTERNS.not_listener_secret,
        description:
          'The secret of the listener: `whsec_` and 32 random bytes in base64url. The hub makes one by default.',
      }),
    ),
  },
  { required: [] },
)
export type CreateListener = Static<typeof CreateListener>

export const Listener = Type.Object({
  id: Uuid,
  expires_after_seconds: Type.Integer({ description: 'The time for which it lives without a connection, in seconds.' }),
})

export const ListenerView = Type.Object({
  id: Uuid,
  events: Type.Array(oneOf(EVENT_KIND_NAMES), { description: 'An empty list is every kind.' }),
  payload_mode: oneOf(PAYLOAD_MODES),
  all_channels: Type.Boolean(),
  channel_ids: Type.Array(Uuid),
  unacknowledged: Type.Integer({ description: 'The number of deliveries that its client has not acknowledged yet.' }),
  created_at: Timestamp,
})
export type ListenerView = Static<typeof ListenerView>
export const ListenerList = dataOf({ listeners: Type.Array(ListenerView) })

export const ListenerCreated = dataOf({
  listener: Listener,
  secret: Type.String({
    description: 'The key of the signatures, and what attaches a stream again, `whsec_…`. It is shown here only.',
  }),
  stream_url: Type.String({ format: 'uri' }),
})

export const ListenerHeaders = Type.Object({
  [LISTENER_SECRET_HEADER]: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The secret that the creation of the listener returned.',
  }),
})

export const AcknowledgeDeliveries = strictObject({
  delivery_ids: Type.Array(Uuid, { minItems: 1, maxItems: UNACKNOWLEDGED_MAX }),
})

export const DeliveriesAcknowledged = dataOf({
  acknowledged: Type.Integer({ description: 'The number of ids that were not acknowledged before.' }),
})

export const ListenerDeleted = dataOf({ deleted: Type.Literal(true) })

/** The reasons for which a stream ends, and its last line. After those in `GONE` the listener cannot be attached again. */
export const END_MESSAGES = {
  stopping: 'The hub is stopping. Attach again.',
  replaced: 'Another stream was attached to this listener.',
  unauthorized: 'The credential was revoked or lost a scope. Attach again with another one.',
  deleted: 'The listener was deleted.',
  expired: `The listener had no connection for ${EXPIRES_AFTER_SECONDS} seconds. Create another one.`,
  too_many_unacknowledged: `More than ${UNACKNOWLEDGED_MAX} deliveries were not acknowledged. Create another listener.`,
} as const
export type EndReason = keyof typeof END_MESSAGES
export const GONE: readonly EndReason[] = ['deleted', 'expired', 'too_many_unacknowledged']

/** A line of the stream: one JSON object. */
export const ListenerLine = Type.Object({
  type: oneOf(['heartbeat', 'delivery', 'end'], {}),
  id: Type.Optional(Uuid),
  event: Type.Optional(Type.String({ description: 'The kind of the event.' })),
  event_id: Type.Optional(Uuid),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'The headers to forward, the signature included.' }),
  ),
  body: Type.Optional(Type.String({ description: 'The exact body to forward, as UTF-8 text.' })),
  reason: Type.Optional(oneOf(Object.keys(END_MESSAGES) as EndReason[])),
  gone: Type.Optional(Type.Boolean({ description: 'True if the listener itself is over.' })),
  message: Type.Optional(Type.String()),
})
export type ListenerLine = Static<typeof ListenerLine>
