import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp } from '../../../kernel/http/schemas.ts'
import { PRICE_INTERVALS } from '../../../payments/payments.ts'

const AmountDue = Type.Integer({ description: 'The amount in minor units of the currency. A credit is negative.' })
const Currency = Type.String({ description: 'The currency as three lower-case letters.' })
const Total = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'The number of additional connections in all.',
})

export const AddonsBody = strictObject({
  total: Total,
  proration_date: Type.Optional(
    Type.String({ format: 'date-time', description: 'The `proration_date` of a preview of the last ten minutes.' }),
  ),
})
export type AddonsBody = Static<typeof AddonsBody>

export const AddonsView = Type.Object({
  total: Type.Integer(),
  status: oneOf(['active', 'pending_payment']),
  amount_due: AmountDue,
  currency: Currency,
})
export type AddonsView = Static<typeof AddonsView>
export const AddonsResponse = dataOf({ addons: AddonsView })

export const PreviewBody = strictObject({ total: Total })
export type PreviewBody = Static<typeof PreviewBody>

const RecurringView = Type.Object({
  amount: Type.Integer({
    description: 'The price of the whole subscription per interval after the change, in minor units.',
  }),
  interval: oneOf(PRICE_INTERVALS),
  interval_count: Type.Integer({ description: 'The number of intervals between two charges.' }),
})

export const PreviewView = Type.Object({
  total: Type.Integer(),
  amount_due: AmountDue,
  currency: Currency,
  recurring: nullable(RecurringView),
  proration_date: Timestamp,
})
export type PreviewView = Static<typeof PreviewView>
export const PreviewResponse = dataOf({ preview: PreviewView })
