import { type Static, Type } from 'typebox'
import { dataOf, strictObject, Timestamp } from '../../../kernel/http/schemas.ts'
import { DisplayName, Email, GivenPassword, NewPassword } from '../../auth/sessions/schemas.ts'
import { TimeZone } from '../schemas.ts'

export const SignUp = strictObject({
  name: DisplayName,
  email: Email,
  password: NewPassword,
  organization_name: DisplayName,
  time_zone: Type.Optional(TimeZone),
  setup_code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The code that the first account needs if sign-up is closed.',
    }),
  ),
})
export type SignUp = Static<typeof SignUp>

export const SignUpParams = Type.Object({ token: Type.String({ maxLength: 100 }) })
export const PendingSignUp = dataOf({
  sign_up: Type.Object({ email: Type.String(), organization_name: Type.String(), expires_at: Timestamp }),
})
export const FinishSignUp = strictObject({ password: GivenPassword })
