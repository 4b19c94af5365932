import { Type } from 'typebox'
import { dataOf, strictObject, Timestamp } from '../../../kernel/http/schemas.ts'
import { Email, NewPassword } from '../sessions/schemas.ts'

export const RequestPasswordReset = strictObject({ email: Email })
export const PasswordResetRequested = dataOf({ accepted: Type.Literal(true) })

export const ResetParams = Type.Object({ token: Type.String({ maxLength: 100 }) })
export const OpenPasswordReset = dataOf({
  password_reset: Type.Object({ email: Type.String(), expires_at: Timestamp }),
})
export const ResetPassword = strictObject({ password: NewPassword })
