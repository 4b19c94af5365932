import { type Static, Type } from 'typebox'
import { dataOf, nullable, strictObject, Timestamp, Uuid } from '../../kernel/http/schemas.ts'
import { AUDIT_ACTIONS } from './actions.ts'

const Change = Type.Object({
  from: Type.Unknown(),
  to: Type.Unknown(),
  redacted: Type.Optional(
    Type.Boolean({ description: 'True if the log has no values of the field. Both are null then.' }),
  ),
})

export const AuditEntry = Type.Object({
  id: Uuid,
  action: Type.String({ description: `One of ${AUDIT_ACTIONS.join(', ')}.` }),
  actor: Type.Object({ type: Type.String(), id: nullable(Type.String()), name: nullable(Type.String()) }),
  target: Type.Object({ type: Type.String(), id: Type.String() }),
  ip: nullable(Type.String()),
  request_id: nullable(Uuid),
  details: Type.Object(
    {
      changes: Type.Optional(Type.Record(Type.String(), Change, { description: 'The fields that an update changed.' })),
    },
    { additionalProperties: true },
  ),
  created_at: Timestamp,
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditQuery = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  action: Type.Optional(Type.String({ maxLength: 100 })),
  actor_id: Type.Optional(Type.String({ maxLength: 100 })),
  target_id: Type.Optional(Type.String({ maxLength: 100 })),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditPage = dataOf({ entries: Type.Array(AuditEntry), next_cursor: nullable(Type.String()) })
