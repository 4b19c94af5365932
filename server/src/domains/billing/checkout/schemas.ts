import { type Static, Type } from 'typebox'
import { oneOf, strictObject } from '../../../kernel/http/schemas.ts'
import { PAID_PLANS } from '../plans/plans.ts'

export const CheckoutBody = strictObject({ plan: oneOf(PAID_PLANS) })
export const CheckoutView = Type.Object({ checkout_url: Type.String({ format: 'uri' }) })
export type CheckoutView = Static<typeof CheckoutView>
export const CheckoutResponse = Type.Object({ data: CheckoutView })
