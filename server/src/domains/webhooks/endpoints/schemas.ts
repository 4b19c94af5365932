import { type Static, Type } from 'typebox'
import { dataOf, Name, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'
import { EVENT_KIND_NAMES } from '../../events/catalog.ts'
import { MEDIA_URLS } from '../attempts/media-urls.ts'
import { DELIVERY_FORMATS } from '../attempts/signature.ts'

export const PAYLOAD_MODES = ['normalized', 'upstream_raw'] as const
export const ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const
export const PAUSE_CAUSES = ['failures', 'person'] as const

export const PayloadMode = oneOf(PAYLOAD_MODES)
export type PayloadMode = Static<typeof PayloadMode>
export const DeliveryFormat = oneOf(DELIVERY_FORMATS)
const MEDIA_URLS_TEXT = {
  description:
    'The destination of `url` of a file in a message. `upstream`: to Meta, as received. `hub`: to `/graph/{media_id}/content` of the hub, which takes the channel token and does not expire.',
}
const MediaUrls = oneOf(MEDIA_URLS, MEDIA_URLS_TEXT)
export const EndpointStatus = oneOf(ENDPOINT_STATUSES)
export type EndpointStatus = Static<typeof EndpointStatus>

/** With `type: 'string'` the validator checks uniqueItems by hash; without it, it compares every item with every other. */
const EventType = Type.Enum([...EVENT_KIND_NAMES], { type: 'string' })

const Url = Type.String({ format: 'uri', maxLength: 2048 })
const EVENT_TYPES = { uniqueItems: true, description: 'An empty list means every kind.' }
const CHANNEL_IDS = { maxItems: 100, uniqueItems: true, description: 'Only if all_channels is false.' }

/** Without the secret, which only the responses that create it show. */
export const Webhook = Type.Object({
  id: Uuid,
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(EventType, { description: 'The event_types as given; an empty list means every kind.' }),
  payload_mode: PayloadMode,
  delivery_format: DeliveryFormat,
  media_urls: MediaUrls,
  all_channels: Type.Boolean(),
  status: EndpointStatus,
  consecutive_failures: Type.Integer(),
  channel_ids: Type.Array(Uuid),
  previous_secret_valid_until: nullable(
    Type.String({
      format: 'date-time',
      description:
        'The end of the time in which deliveries are also signed with the secret that the last rotation replaced; else null.',
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Webhook = Static<typeof Webhook>

const PauseActor = Type.Object({ type: Type.String(), id: nullable(Type.String()), name: nullable(Type.String()) })

export const Pause = Type.Object({
  from: Timestamp,
  to: nullable(Timestamp),
  cause: oneOf(PAUSE_CAUSES, {
    description: '`failures`: the hub paused the endpoint after twenty failures in a row.',
  }),
  actor: nullable(PauseActor),
  ended_by: nullable(PauseActor),
  events_not_sent: nullable(
    Type.Integer({
      description:
        'The number of events that the endpoint would have received, at most 10,000. Null if events of that time are deleted already.',
    }),
  ),
  is_capped: Type.Boolean({ description: 'True if there were more events than the hub counts.' }),
})
export type Pause = Static<typeof Pause>

export const PauseList = dataOf({ pauses: Type.Array(Pause) })

const shownOnce = {
  secret: Type.String({ description: 'The key of the signatures, `whsec_…`, the whole text. It is shown here only.' }),
  warning: Type.String(),
}

export const WebhookList = dataOf({ webhooks: Type.Array(Webhook) })
export const WebhookResponse = dataOf({ webhook: Webhook })
export const WebhookCreated = dataOf({ webhook: Webhook, ...shownOnce })
export const WebhookDeleted = dataOf({ deleted: Type.Literal(true) })

export const OVERLAP_SECONDS_MAX = 86_400
export const RotateSecret = strictObject({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_SECONDS_MAX,
      description:
        'For how long deliveries are also signed with the previous secret, in the header `X-Hub-Signature-256-Previous`. 0, the default, makes it invalid at once.',
    }),
  ),
})
export type RotateSecret = Static<typeof RotateSecret>
export const SecretRotated = dataOf({
  ...shownOnce,
  previous_valid_until: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'The end of the time in which deliveries are also signed with the previous secret. Absent if it is over.',
    }),
  ),
})

/** A field with a default may be omitted, and is always present after validation. */
export const CreateWebhook = strictObject(
  {
    name: Name,
    url: Url,
    event_types: Type.Array(EventType, { ...EVENT_TYPES, default: [] }),
    payload_mode: Type.Enum([...PAYLOAD_MODES], { default: 'normalized' }),
    delivery_format: Type.Enum([...DELIVERY_FORMATS], { default: 'native' }),
    media_urls: Type.Enum([...MEDIA_URLS], { ...MEDIA_URLS_TEXT, default: 'upstream' }),
    all_channels: Type.Boolean({ default: true }),
    channel_ids: Type.Array(Uuid, { ...CHANNEL_IDS, default: [] }),
  },
  { required: ['name', 'url'] },
)
export type CreateWebhook = Static<typeof CreateWebhook>

export const UpdateWebhook = strictObject(
  {
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    event_types: Type.Optional(Type.Array(EventType, EVENT_TYPES)),
    payload_mode: Type.Optional(PayloadMode),
    media_urls: Type.Optional(MediaUrls),
    all_channels: Type.Optional(Type.Boolean()),
    channel_ids: Type.Optional(Type.Array(Uuid, CHANNEL_IDS)),
    status: Type.Optional(EndpointStatus),
  },
  { minProperties: 1 },
)
export type UpdateWebhook = Static<typeof UpdateWebhook>

/** The `data` of endpoint.paused. */
export const EndpointPausedEventData = Type.Object({
  webhook: Type.Object({ id: Uuid, name: Type.String() }),
  failures: Type.Integer({ description: 'The number of consecutive failures with which the endpoint was paused.' }),
  since: Timestamp,
})
