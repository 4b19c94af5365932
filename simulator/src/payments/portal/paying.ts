import type { FailureReason } from '../billing/failures.ts'
import type { Payments } from '../context.ts'
import { invalid } from '../http/errors.ts'
import type { Invoice } from '../objects/invoice.ts'
import { attach, checkCard } from '../payment-methods.ts'
import { collect } from '../subscriptions/collecting.ts'

/** The customer pays an open invoice on its page, where they can also prove who they are. */
export function payHostedInvoice(payments: Payments, invoice: Invoice, typed?: string): FailureReason | undefined {
  const customer = payments.state.customers.get(invoice.customer)
  if (invoice.status !== 'open' || !customer) throw invalid(`This invoice is ${invoice.status}.`)
  if (typed === undefined) return collect(payments, invoice, { presence: 'onSession', isAutomatic: false })
  const checked = checkCard(typed)
  if ('refusal' in checked) return checked.refusal
  const method = attach(payments, customer, checked.card)
  return collect(payments, invoice, { presence: 'onSession', isAutomatic: false, method })
}
