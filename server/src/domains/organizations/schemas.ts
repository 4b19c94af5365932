import { Type } from 'typebox'
import { dataOf, oneOf, Uuid } from '../../kernel/http/schemas.ts'
import { ROLES } from '../auth/scopes.ts'

export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The time zone is an IANA name, such as `America/Sao_Paulo`.',
})

export const Organization = Type.Object({ id: Uuid, name: Type.String(), role: oneOf(ROLES) })
export const OrganizationList = dataOf({ organizations: Type.Array(Organization) })
