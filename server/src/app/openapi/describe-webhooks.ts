import { Type } from 'typebox'
import { EVENT_KIND_NAMES, EVENT_KINDS } from '../../domains/events/catalog.ts'
import { DELIVERY_HEADERS, SIGNATURE_VERSIONS } from '../../domains/webhooks/attempts/signature.ts'
import { Uuid } from '../../kernel/http/schemas.ts'
import { buildEventPayload } from './event-payloads.ts'

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

/** The requests that endpoints receive, in the form of OpenAPI's `webhooks`. */
export function describeWebhooks() {
  const parameters = Object.entries(HEADERS).map(([name, header]) => ({
    name,
    in: 'header',
    required: true,
    ...header,
  }))
  const described = EVENT_KIND_NAMES.map((kind) => {
    const content = { 'application/json': { schema: buildEventPayload(kind) } }
    const responses = { '2XX': { description: 'Received. Anything else is an attempt that failed.' } }
    return [
      kind,
      { post: { summary: EVENT_KINDS[kind], tags: ['Events'], parameters, requestBody: { content }, responses } },
    ]
  })
  return Object.fromEntries(described)
}
