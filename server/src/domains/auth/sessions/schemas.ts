import { LANGUAGES } from '@hubline/locales/languages.ts'
import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'
import { ROLES } from '../scopes.ts'
import { DISPLAY_NAME_RULES } from '../users/display-name.ts'
import { PASSWORD_LENGTH } from '../users/passwords.ts'

export const Email = Type.String({ format: 'email', maxLength: 254 })
export const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max })
/** The name of a person or an organization, which pages and mails of the hub show to others. */
export const DisplayName = Type.String({
  ...DISPLAY_NAME_RULES,
  description: 'The name is one line of text that is not blank.',
})

/** A given password or code is compared with a stored one; the rules for new passwords do not apply. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max })
export const GivenCode = Type.String({ minLength: 6, maxLength: 40 })

export const SignIn = strictObject({ email: Email, password: GivenPassword, totp: Type.Optional(GivenCode) })
export type SignIn = Static<typeof SignIn>

export const CurrentSession = Type.Object({
  user: Type.Object({
    id: Uuid,
    email: Type.String(),
    email_verified: Type.Boolean({
      description: 'True once the person has proven that they receive mail at the address.',
    }),
    name: Type.String(),
    totp_enabled: Type.Boolean(),
  }),
  organization: Type.Object({
    id: Uuid,
    name: Type.String(),
    language: oneOf(LANGUAGES),
    time_zone: Type.String(),
    two_factor_required: Type.Boolean(),
    deletes_at: nullable(Timestamp),
  }),
  role: oneOf(ROLES),
})
export type CurrentSession = Static<typeof CurrentSession>
export const CurrentSessionResponse = Type.Object({ data: CurrentSession })

export const Session = Type.Object({
  id: Uuid,
  current: Type.Boolean(),
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  expires_at: Timestamp,
})
export type Session = Static<typeof Session>
export const SessionList = dataOf({ sessions: Type.Array(Session) })

export const SwitchOrganization = strictObject({ organization_id: Uuid })

export const Done = dataOf({ done: Type.Literal(true) })
