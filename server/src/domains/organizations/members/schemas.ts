import { type Static, Type } from 'typebox'
import { dataOf, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'
import { ROLES } from '../../auth/scopes.ts'

export const Member = Type.Object({
  id: Uuid,
  name: Type.String(),
  email: Type.String(),
  role: oneOf(ROLES),
  totp_enabled: Type.Boolean(),
  created_at: Timestamp,
})
export type Member = Static<typeof Member>

export const MemberList = dataOf({ members: Type.Array(Member) })
export const MemberResponse = dataOf({ member: Member })
export const MemberRemoved = dataOf({ removed: Type.Literal(true) })
export const ChangeRole = strictObject({ role: oneOf(ROLES) })

const byMail = Type.Boolean({
  description:
    'True if the person gets mails about endpoints that the hub paused and channels that stopped working, in this organization.',
})
export const UpdateAlertSettings = strictObject({ by_mail: byMail })
export type UpdateAlertSettings = Static<typeof UpdateAlertSettings>
export const AlertSettings = Type.Object({ by_mail: byMail })
export type AlertSettings = Static<typeof AlertSettings>
export const AlertSettingsResponse = dataOf({ alerts: AlertSettings })
