import { Type } from 'typebox'
import { dataOf, strictObject, Timestamp } from '../../../kernel/http/schemas.ts'
import { GivenCode, GivenPassword } from '../sessions/schemas.ts'

export const VerificationSent = dataOf({ verification: Type.Literal('sent') })

export const ConfirmEmail = strictObject({ code: GivenCode })

export const VerificationParams = Type.Object({ token: Type.String({ maxLength: 100 }) })
export const OpenVerification = dataOf({
  email_verification: Type.Object({ email: Type.String(), expires_at: Timestamp }),
})
export const VerifyEmail = strictObject({ password: GivenPassword })
