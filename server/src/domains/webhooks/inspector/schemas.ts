import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'
import { INSPECTOR_ANSWERS } from '../attempts/inspector-answer.ts'
import { EndpointStatus } from '../endpoints/schemas.ts'
import { DELIVERY_STATUSES } from '../log/schemas.ts'

export const InspectorAnswer = oneOf(INSPECTOR_ANSWERS, {
  description: 'The status of every response; `hang` never responds, so that the attempt ends with TIMEOUT.',
})

/** One signed request, as it arrived. */
export const InspectedRequest = Type.Object({
  delivery_id: Uuid,
  event: Type.String(),
  attempt: Type.Integer({ description: 'The number of the attempt, from 1 to 10.' }),
  http_status: nullable(Type.Integer()),
  error_code: nullable(Type.String()),
  bytes: nullable(Type.Integer({ description: 'The size of the body; null once it is gone.' })),
  total_ms: nullable(Type.Integer()),
  received_at: Timestamp,
  delivery_status: oneOf(DELIVERY_STATUSES),
  next_attempt_at: Timestamp,
})
export type InspectedRequest = Static<typeof InspectedRequest>

export const Inspector = Type.Object({
  id: Uuid,
  status: EndpointStatus,
  answer: InspectorAnswer,
  consecutive_failures: Type.Integer(),
  secret_last4: nullable(
    Type.String({
      description: 'The end of the secret, which itself stays in the hub. Null if no key of the ring opens it.',
    }),
  ),
  created_at: Timestamp,
  expires_at: Timestamp,
  requests: Type.Array(InspectedRequest, { description: 'Newest first, up to 50.' }),
})
export type Inspector = Static<typeof Inspector>

export const InspectorResponse = dataOf({
  is_available: Type.Boolean({ description: 'False if the hub runs with `INSPECTOR=off`.' }),
  inspector: nullable(Inspector),
})
export const InspectorDeleted = dataOf({ deleted: Type.Literal(true) })

export const UpdateInspector = strictObject(
  { answer: Type.Optional(InspectorAnswer), status: Type.Optional(Type.Literal('active')) },
  { minProperties: 1 },
)
export type UpdateInspector = Static<typeof UpdateInspector>

export const InspectedParams = Type.Object({ deliveryId: Uuid })

export const InspectedVerification = Type.Object({
  attempt: Type.Integer(),
  request_headers: Type.Object({}, { additionalProperties: true }),
  computed: nullable(
    Type.String({
      description: 'The signature as a receiver computes it: 64 hexadecimal digits. Null without the body.',
    }),
  ),
  is_equal: Type.Boolean({ description: 'True if it equals that of the header.' }),
  age_seconds: Type.Integer({ description: 'The age of the timestamp when the request arrived.' }),
})

export const InspectedDelivery = dataOf({
  body_base64: nullable(Type.String({ description: 'The body as bytes; null once it is gone.' })),
  verifications: Type.Array(InspectedVerification, { description: 'One for each attempt.' }),
})
