import { type Static, Type } from 'typebox'
import { dataOf, Name, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/http/schemas.ts'
import { SCOPES } from '../auth/scopes.ts'

export const Scopes = Type.Array(oneOf(SCOPES), { minItems: 1, uniqueItems: true })

export const ApiKey = Type.Object({
  id: Uuid,
  name: Type.String(),
  prefix: Type.Literal('hub_pk_'),
  last4: Type.String(),
  scopes: Type.Array(oneOf(SCOPES)),
  status: oneOf(['active', 'revoked', 'expired']),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
  expires_at: nullable(Timestamp),
  revoked_at: nullable(Timestamp),
})
export type ApiKey = Static<typeof ApiKey>

export const CreateApiKey = strictObject({
  name: Name,
  scopes: Scopes,
  expires_at: Type.Optional(nullable(Timestamp)),
})
export type CreateApiKey = Static<typeof CreateApiKey>

export const ApiKeyList = dataOf({ api_keys: Type.Array(ApiKey), next_cursor: nullable(Type.String()) })
export const ApiKeyResponse = dataOf({ api_key: ApiKey })
export const ApiKeyCreated = dataOf({
  api_key: ApiKey,
  secret: Type.String({ description: 'The key itself, `hub_pk_…`. It is shown here and never again.' }),
  warning: Type.String(),
})
