import { LANGUAGES } from '@hubline/locales/languages.ts'
import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'
import { ROLES } from '../../auth/scopes.ts'
import { DisplayName, Email, GivenCode, NewPassword } from '../../auth/sessions/schemas.ts'

export const Invitation = Type.Object({
  id: Uuid,
  email: Type.String(),
  role: oneOf(ROLES),
  invited_by: Type.String(),
  created_at: Timestamp,
  expires_at: Timestamp,
})
export type Invitation = Static<typeof Invitation>

export const InvitationList = dataOf({ invitations: Type.Array(Invitation), next_cursor: nullable(Type.String()) })
export const Invite = strictObject({ email: Email, role: oneOf(ROLES) })
export type Invite = Static<typeof Invite>
export const Invited = dataOf({
  invitation: Invitation,
  invitation_url: Type.String(),
  mail_sent: Type.Boolean({ description: 'True if the mail server accepted a mail with the link.' }),
  warning: Type.String(),
})
export const InvitationRevoked = dataOf({ revoked: Type.Literal(true) })

export const JoinParams = Type.Object({ token: Type.String({ maxLength: 100 }) })
export const OpenInvitation = dataOf({
  invitation: Type.Object({
    organization_name: Type.String(),
    language: oneOf(LANGUAGES),
    email: Type.String(),
    role: oneOf(ROLES),
    expires_at: Timestamp,
  }),
})

/**
 * The password is that of the existing or of the new account. The name is always required, and an existing account keeps
 * its own: otherwise a request without one would reveal whether there is an account.
 */
export const Join = strictObject({
  name: DisplayName,
  password: NewPassword,
  totp: Type.Optional(GivenCode),
})
export type Join = Static<typeof Join>
