import { type TSchema, Type } from 'typebox'
import { EVENT_KINDS } from '../../domains/events/catalog.ts'
import { DELIVERY_HEADERS, SIGNATURE_VERSIONS } from '../../domains/webhooks/attempts/signature.ts'
import { nullable, Timestamp, Uuid } from '../../kernel/http/schemas.ts'

const HEADERS = {
  [DELIVERY_HEADERS.deliveryId]: { schema: Uuid, description: 'The same on every attempt, new on a replay' },
  [DELIVERY_HEADERS.timestamp]: {
    schema: Type.Integer(),
    description: 'When it was sent, in seconds since the Unix epoch',
  },
  [DELIVERY_HEADERS.signatureVersion]: {
    schema: Type.Enum(SIGNATURE_VERSIONS),
    description: 'What is signed, and how',
  },
  [DELIVERY_HEADERS.signature]: {
    schema: Type.String({ pattern: '^sha256=[0-9a-f]{64}$' }),
    description: "HMAC-SHA256 with the endpoint's secret",
  },
} as const

const RAW = Type.Object({}, { additionalProperties: true, description: "The upstream's own body, byte for byte" })

/** Describes the events that receivers get, from the catalog of events. */
export function describeWebhooks() {
  const parameters = Object.entries(HEADERS).map(([name, header]) => ({
    name,
    in: 'header',
    required: true,
    ...header,
  }))
  const described = Object.entries(EVENT_KINDS).map(([kind, { when, data }]) => {
    const content = { 'application/json': { schema: data === null ? RAW : describeEnvelope(kind, data) } }
    const responses = { '2XX': { description: 'Received. Anything else is an attempt that failed.' } }
    return [kind, { post: { summary: when, tags: ['Events'], parameters, requestBody: { content }, responses } }]
  })
  return Object.fromEntries(described)
}

function describeEnvelope(kind: string, data: TSchema) {
  return Type.Object({
    id: Uuid,
    event: Type.Literal(kind),
    channel_id: nullable(Uuid),
    occurred_at: Timestamp,
    data,
  })
}
