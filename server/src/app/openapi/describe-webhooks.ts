import { Type } from 'typebox'
import { EVENT_KIND_NAMES, EVENT_KINDS } from '../../domains/events/catalog.ts'
import {
  DELIVERY_HEADERS,
  PREVIOUS_SIGNATURE_HEADER,
  SIGNATURE_VERSIONS,
} from '../../domains/webhooks/attempts/signature.ts'
import { CompatLifecycle, isLifecycle } from '../../domains/webhooks/publishing/compat-payload.ts'
import { Uuid } from '../../kernel/http/schemas.ts'
import { nameSchema, toPascalCase } from './component-names.ts'
import { buildEventPayload } from './event-payloads.ts'

const LIFECYCLE = 'The second form is for an endpoint in the compat format.'

const Signature = Type.String({ pattern: '^sha256=[0-9a-f]{64}$' })

const HEADERS = {
  [DELIVERY_HEADERS.deliveryId]: {
    schema: Uuid,
    description: 'The id of the delivery: the same on every attempt, and a new one on a replay.',
  },
  [DELIVERY_HEADERS.timestamp]: {
    schema: Type.Integer(),
    description: 'The time at which the attempt was sent, in seconds since the Unix epoch.',
  },
  [DELIVERY_HEADERS.signatureVersion]: {
    schema: Type.Enum(SIGNATURE_VERSIONS),
    description: 'The version of the signature, which says what is signed and how.',
  },
  [DELIVERY_HEADERS.signature]: { schema: Signature, description: "The HMAC-SHA256 with the endpoint's secret." },
} as const

const PREVIOUS_SIGNATURE = {
  name: PREVIOUS_SIGNATURE_HEADER,
  in: 'header',
  required: false,
  schema: Signature,
  description: 'The HMAC-SHA256 with the secret that a rotation replaced. Sent only during its overlap.',
} as const

/** The requests that endpoints receive, in the form of OpenAPI's `webhooks`. */
export function describeWebhooks() {
  const required = Object.entries(HEADERS).map(([name, header]) => ({ name, in: 'header', required: true, ...header }))
  const parameters = [...required, PREVIOUS_SIGNATURE]
  const described = EVENT_KIND_NAMES.map((kind) => {
    const name = toPascalCase(kind)
    const payload = nameSchema(`${name}Event`, buildEventPayload(kind))
    const schema = isLifecycle(kind)
      ? nameSchema(`${name}Payload`, { anyOf: [payload, CompatLifecycle], description: LIFECYCLE })
      : payload
    const content = { 'application/json': { schema } }
    const responses = { '2XX': { description: 'Received. Anything else is an attempt that failed.' } }
    return [
      kind,
      {
        post: {
          operationId: `on${name}`,
          summary: EVENT_KINDS[kind],
          tags: ['Events'],
          // The signature proves the sender, not a credential.
          security: [],
          parameters,
          requestBody: { required: true, content },
          responses,
        },
      },
    ]
  })
  return Object.fromEntries(described)
}
