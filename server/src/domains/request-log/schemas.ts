import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/http/schemas.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const LoggedRequest = Type.Object({
  number: Type.Integer({ description: 'Counts the requests of the organization, without a gap.' }),
  request_id: Uuid,
  answered_at: Timestamp,
  method: Type.String(),
  route: Type.String({ description: 'The pattern of the path.' }),
  path: Type.String({ description: 'Without the query string. What is not an id stays as in the pattern.' }),
  status: Type.Integer(),
  duration_ms: Type.Integer(),
  error_code: nullable(Type.String()),
  credential: Type.Object({
    type: Type.String({ description: 'The type is `api_key` or `channel_token`.' }),
    id: Uuid,
    name: nullable(Type.String()),
    channel_id: nullable(Uuid),
  }),
  ip: nullable(Type.String()),
})
export type LoggedRequest = Static<typeof LoggedRequest>

export const RequestLogQuery = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  status: Type.Optional(Type.String({ maxLength: 10, description: 'A code such as 404, or a class such as 4xx.' })),
  method: Type.Optional(oneOf(METHODS)),
  route: Type.Optional(Type.String({ maxLength: 200 })),
  credential_id: Type.Optional(Uuid),
  error_code: Type.Optional(Type.String({ maxLength: 100 })),
  request_id: Type.Optional(Uuid),
  number: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
})
export type RequestLogQuery = Static<typeof RequestLogQuery>

export const RequestLogPage = dataOf({
  requests: Type.Array(LoggedRequest),
  next_cursor: nullable(Type.String()),
})

export const RequestErrorsQuery = strictObject({ since: Type.Optional(Timestamp) })

export const RequestErrorGroup = Type.Object({
  error_code: nullable(Type.String({ description: 'Null for an error of the upstream that the facade passed on.' })),
  status: Type.Integer(),
  method: Type.String(),
  route: Type.String(),
  count: Type.Integer(),
  last_at: Timestamp,
  last_request_id: Uuid,
})
export type RequestErrorGroup = Static<typeof RequestErrorGroup>

export const RequestErrors = dataOf({ errors: Type.Array(RequestErrorGroup) })
