import { type Static, Type } from 'typebox'
import { dataOf, strictObject } from '../../../kernel/http/schemas.ts'
import { DisplayName, GivenCode, GivenPassword, NewPassword } from '../sessions/schemas.ts'

export const UpdateAccount = strictObject({ name: DisplayName })
export type UpdateAccount = Static<typeof UpdateAccount>

export const ChangePassword = strictObject({
  current_password: GivenPassword,
  new_password: NewPassword,
  totp: Type.Optional(GivenCode),
})
export type ChangePassword = Static<typeof ChangePassword>

export const BeginTotp = strictObject({ password: GivenPassword })
export const TotpBegun = dataOf({ secret: Type.String(), otpauth_url: Type.String() })
export const TotpCode = strictObject({ code: GivenCode })
export const TotpConfirmed = dataOf({ recovery_codes: Type.Array(Type.String()) })
export const TotpDisable = strictObject({ password: GivenPassword, totp: GivenCode })
export type TotpDisable = Static<typeof TotpDisable>
