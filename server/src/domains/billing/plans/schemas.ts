import { type Static, Type } from 'typebox'
import { dataOf, oneOf } from '../../../kernel/http/schemas.ts'
import { PRICE_INTERVALS } from '../../../payments/payments.ts'
import { PRICED_ITEMS } from './catalog.ts'

export const PriceView = Type.Object({
  item: oneOf(PRICED_ITEMS),
  unit_amount: Type.Integer({ description: 'The price of one unit, in minor units such as cents.' }),
  currency: Type.String(),
  interval: oneOf(PRICE_INTERVALS),
  interval_count: Type.Integer({ description: 'The number of intervals between two charges.' }),
})
export type PriceView = Static<typeof PriceView>

export const PriceList = dataOf({ prices: Type.Array(PriceView) })
