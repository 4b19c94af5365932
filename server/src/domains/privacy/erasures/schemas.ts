import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'

export const STAGES = [
  'messages',
  'open_deliveries',
  'events',
  'settling',
  'deliveries',
  'callbacks',
  'audit_log',
] as const
export type Stage = (typeof STAGES)[number]

export const ErasePerson = strictObject(
  {
    phone: Type.Optional(
      Type.String({ minLength: 5, maxLength: 40, description: 'A phone number with its country code.' }),
    ),
    user_id: Type.Optional(
      Type.String({ minLength: 4, maxLength: 150, description: 'The user id of a person at the upstream.' }),
    ),
  },
  { minProperties: 1, maxProperties: 1 },
)
export type ErasePerson = Static<typeof ErasePerson>

export const ErasureCounts = Type.Object({
  messages_sent: Type.Integer(),
  messages_received: Type.Integer(),
  events: Type.Integer(),
  deliveries_canceled: Type.Integer({
    description: 'The number of deliveries that were open and are not attempted any more.',
  }),
  responses: Type.Integer({ description: "The number of attempts of which the receiver's answer was erased." }),
  callbacks: Type.Integer({ description: 'The number of callbacks of the upstream.' }),
  audit_entries: Type.Integer({ description: 'The number of exports that had the person as a filter.' }),
})
export type ErasureCounts = Static<typeof ErasureCounts>

export const Erasure = Type.Object({
  id: Uuid,
  status: oneOf(['running', 'done']),
  stage: nullable(oneOf(STAGES)),
  counts: ErasureCounts,
  requested_by: Type.Object({ id: nullable(Uuid), name: nullable(Type.String()) }),
  requested_at: Timestamp,
  done_at: nullable(Timestamp),
})
export type Erasure = Static<typeof Erasure>

export const ErasureResponse = dataOf({ erasure: Erasure })
export const ErasurePage = dataOf({ erasures: Type.Array(Erasure), next_cursor: nullable(Type.String()) })
export const ErasureParams = Type.Object({ id: Uuid, erasureId: Uuid })

export const ErasurePreview = dataOf({
  counts: Type.Object({
    messages_sent: Type.Integer(),
    messages_received: Type.Integer(),
    events: Type.Integer(),
    deliveries: Type.Integer({ description: 'The number of final deliveries whose payload goes.' }),
    open_deliveries: Type.Integer({ description: 'The number of deliveries that would be canceled.' }),
  }),
  complete: Type.Boolean({
    description: 'False if there was too much to count in time. There is at least as much as was counted.',
  }),
})
export type ErasurePreview = Static<typeof ErasurePreview>['data']
