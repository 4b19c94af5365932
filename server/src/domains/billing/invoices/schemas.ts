import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp } from '../../../kernel/http/schemas.ts'
import { INVOICE_STATUSES } from '../../../payments/payments.ts'

export const InvoiceView = Type.Object({
  id: Type.String({ description: 'The id of the invoice at the payment provider.' }),
  number: nullable(Type.String()),
  status: oneOf(INVOICE_STATUSES),
  total: Type.Integer({ description: 'The total in minor units, such as cents; negative for a credit.' }),
  amount_due: Type.Integer({ description: 'The amount to pay in minor units, after credits.' }),
  currency: Type.String(),
  period_start: nullable(Timestamp),
  period_end: nullable(Timestamp),
  next_attempt_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the payment provider charges an open invoice next by itself; null if it does not.',
    }),
  ),
  hosted_url: nullable(
    Type.String({ description: 'The page of the payment provider on which an open invoice can be paid.' }),
  ),
  pdf_url: nullable(Type.String()),
  created_at: Timestamp,
})
export type InvoiceView = Static<typeof InvoiceView>

export const InvoiceQuery = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 12 }),
  status: Type.Optional(oneOf(INVOICE_STATUSES)),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
})
export type InvoiceQuery = Static<typeof InvoiceQuery>

export const InvoiceList = dataOf({ invoices: Type.Array(InvoiceView), next_cursor: nullable(Type.String()) })
