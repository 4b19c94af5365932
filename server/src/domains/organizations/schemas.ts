import { type Static, Type } from 'typebox'
import { dataOf, oneOf, strictObject, Uuid } from '../../kernel/http/schemas.ts'
import { ROLES } from '../auth/scopes.ts'
import { DisplayName, Email, NewPassword } from '../auth/sessions/schemas.ts'

export const TimeZone = Type.String({ minLength: 1, maxLength: 64, description: 'An IANA name: `America/Sao_Paulo`' })

export const SignUp = strictObject({
  name: DisplayName,
  email: Email,
  password: NewPassword,
  organization_name: DisplayName,
  time_zone: Type.Optional(TimeZone),
  setup_code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'For the first account where sign-up is closed' }),
  ),
})
export type SignUp = Static<typeof SignUp>

export const Organization = Type.Object({ id: Uuid, name: Type.String(), role: oneOf(ROLES) })
export const OrganizationList = dataOf({ organizations: Type.Array(Organization) })
