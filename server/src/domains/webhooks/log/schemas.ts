import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'

export const DELIVERY_STATUSES = ['pending', 'processing', 'retry', 'succeeded', 'dead', 'canceled'] as const

export const Delivery = Type.Object({
  id: Uuid,
  event: Type.String(),
  status: oneOf(DELIVERY_STATUSES),
  attempts: Type.Integer(),
  next_attempt_at: Timestamp,
  last_http_status: nullable(Type.Integer()),
  last_error_code: nullable(Type.String()),
  delivered_at: nullable(Timestamp),
  created_at: Timestamp,
})
export type Delivery = Static<typeof Delivery>

const Headers = nullable(Type.Object({}, { additionalProperties: true }))

const Milliseconds = nullable(
  Type.Integer({ description: 'The duration in milliseconds. Null if there was no such part, or if it did not end.' }),
)
const Timings = Type.Object({
  dns_ms: Milliseconds,
  connect_ms: Milliseconds,
  first_byte_ms: Milliseconds,
  total_ms: Type.Integer(),
})

/** One attempt as the log shows it: what was sent and what was received. */
export const AttemptRecord = Type.Object({
  number: Type.Integer(),
  http_status: nullable(Type.Integer()),
  error_code: nullable(Type.String()),
  request_headers: Headers,
  response_headers: Headers,
  response_body_base64: nullable(
    Type.String({ description: 'The first 4 KiB. Null if the response has no body, or if it is withheld.' }),
  ),
  response_body_withheld: Type.Boolean({
    description:
      'True if there is a body that is not shown, because a receiver may repeat a message in it: an API key needs `messages:read`, and a session reveals the delivery.',
  }),
  address: nullable(Type.String({ description: 'The address that was dialed.' })),
  timings: nullable(Timings),
  ended_at: Timestamp,
})
export type AttemptRecord = Static<typeof AttemptRecord>

export const DeliveryParams = Type.Object({ id: Uuid, deliveryId: Uuid })

export const DeliveryList = dataOf({ deliveries: Type.Array(Delivery) })
const Text = nullable(Type.String())

/** A delivery as the console lists it: with its channel and its person, and without its body. */
export const ConsoleDelivery = Type.Object({
  ...Delivery.properties,
  event_id: Uuid,
  channel_id: nullable(Uuid),
  person: nullable(Type.Object({ phone: Text, user_id: Text })),
})
export type ConsoleDelivery = Static<typeof ConsoleDelivery>

export const ConsoleDeliveryQuery = strictObject({
  status: Type.Optional(oneOf(DELIVERY_STATUSES)),
  event: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  http_status: Type.Optional(
    Type.String({ maxLength: 10, description: 'A code such as 404, a class such as 4xx, or `none` for no response.' }),
  ),
  channel_id: Type.Optional(Uuid),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
})
export type ConsoleDeliveryQuery = Static<typeof ConsoleDeliveryQuery>

export const ConsoleDeliveryPage = dataOf({ deliveries: Type.Array(ConsoleDelivery), next_cursor: Text })

export const DeliveryDetail = dataOf({ delivery: Delivery, attempts: Type.Array(AttemptRecord) })

export const Replayed = dataOf({
  delivery_id: Uuid,
  event_id: Uuid,
  replay_of_delivery_id: Uuid,
  status: Type.Literal('pending'),
})

export const Retried = dataOf({ delivery_id: Uuid, event_id: Uuid, status: Type.Literal('retry') })

export const Tested = dataOf({ event_id: Uuid, delivery_id: Uuid, status: Type.Literal('pending') })

/** The final statuses of deliveries that did not arrive. */
export const RECOVERABLE_STATUSES = ['dead', 'canceled'] as const

export const Recover = strictObject({
  since: Timestamp,
  until: Type.Optional(Timestamp),
  statuses: Type.Optional(Type.Array(oneOf(RECOVERABLE_STATUSES), { minItems: 1, maxItems: 2, uniqueItems: true })),
})
export type Recover = Static<typeof Recover>
export const Recovered = dataOf({ queued: Type.Integer() })

export const RecoverableQuery = strictObject({
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
})
export type RecoverableQuery = Static<typeof RecoverableQuery>
export const Recoverable = dataOf({
  count: Type.Integer({ description: 'The number of deliveries that a recovery would queue, 10,000 at most.' }),
})

export const FoundDelivery = dataOf({
  delivery: Type.Object({
    id: Uuid,
    event: Type.String(),
    endpoint: Type.Object({ id: Uuid, name: Type.String() }),
  }),
})

/** The reasons why a delivery has no body any more: the person of its event was erased, or the retention is over. */
const GONE_REASONS = ['erased', 'past_retention'] as const
export type GoneReason = (typeof GONE_REASONS)[number]

export const DeliveryPayload = dataOf({
  event_id: Uuid,
  replay_of_delivery_id: nullable(Uuid),
  channel_id: nullable(Uuid),
  message_id: nullable(Type.String({ description: 'The message that the event is about, if it is about one.' })),
  bytes: nullable(Type.Integer({ description: 'The size of the body; null once it is gone.' })),
  gone: nullable(oneOf(GONE_REASONS)),
  deliveries_being_queued: Type.Integer({
    description:
      'The number of deliveries of the event that the hub is still about to queue. An event for many endpoints is queued in steps.',
  }),
})

export const RevealedPayload = dataOf({
  body_base64: nullable(
    Type.String({
      description:
        'The body of every attempt, as bytes; null once it is gone. Addresses of files are those of the present `media_urls` of the endpoint.',
    }),
  ),
  responses: Type.Array(Type.Object({ number: Type.Integer(), response_body_base64: nullable(Type.String()) }), {
    description: 'The first 4 KiB of what the receiver responded to each attempt.',
  }),
})

export const TestAllowance = dataOf({
  limit: Type.Integer(),
  remaining: Type.Integer(),
  resets_at: nullable(Timestamp),
})

/** The `data` of webhook.test. */
export const TEST_MESSAGE = 'This is a test. If you can read it, the endpoint works.'
export const TestEventData = Type.Object({ webhook_id: Uuid, message: Type.String({ examples: [TEST_MESSAGE] }) })
