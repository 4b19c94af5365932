import { type Attempt, attemptPayment } from '../billing/charge.ts'
import type { FailureReason } from '../billing/failures.ts'
import { finalizeInvoice, invoicesOf } from '../billing/invoices.ts'
import type { Payments } from '../context.ts'
import type { Invoice, InvoiceStatus } from '../objects/invoice.ts'
import { isEnded, type Subscription, type SubscriptionStatus } from '../objects/subscription.ts'
import { endSubscription } from './ending.ts'
import { applyPending, pendingInvoiceOf } from './pending.ts'

/**
 * The status of a subscription follows its payments. Incomplete becomes active
 * with the first payment. Active becomes past due when a payment fails, and
 * active again when nothing that was asked for is left open. When the retries
 * are used up it becomes what the settings say: unpaid, canceled, or it stays.
 */
export function collect(payments: Payments, invoice: Invoice, attempt: Attempt): FailureReason | undefined {
  const failure = attemptPayment(payments, invoice, attempt)
  if (failure === undefined) afterPayment(payments, invoice)
  else afterFailure(payments, invoice, attempt)
  return failure
}

/** Makes an invoice final; where nothing is due it is paid by that alone. Says which of the two it is. */
export function finalizeAndReact(payments: Payments, invoice: Invoice): InvoiceStatus {
  finalizeInvoice(payments, invoice)
  if (invoice.status === 'paid') afterPayment(payments, invoice)
  return invoice.status
}

function afterPayment(payments: Payments, invoice: Invoice): void {
  const subscription = subscriptionOf(payments, invoice)
  setDelinquent(payments, invoice.customer, false)
  if (!subscription || isEnded(subscription)) return
  if (pendingInvoiceOf(payments, subscription) === invoice.id) applyPending(payments, subscription)
  if (subscription.status === 'active' || owes(payments, subscription)) return
  payments.schedule.cancel('incomplete', subscription.id)
  setStatus(payments, subscription, 'active')
}

/** The invoice of a pending update is not owed: it can be left unpaid without harm. */
function owes(payments: Payments, subscription: Subscription): boolean {
  const pending = pendingInvoiceOf(payments, subscription)
  return invoicesOf(payments, subscription).some(({ id, status }) => status === 'open' && id !== pending)
}

function afterFailure(payments: Payments, invoice: Invoice, { isAutomatic }: Attempt): void {
  const subscription = subscriptionOf(payments, invoice)
  if (!subscription || isEnded(subscription) || pendingInvoiceOf(payments, subscription) === invoice.id) return
  setDelinquent(payments, invoice.customer, true)
  if (subscription.status === 'active') setStatus(payments, subscription, 'past_due')
  const isExhausted = isAutomatic && invoice.auto_advance && invoice.next_payment_attempt === null
  if (isExhausted && subscription.status === 'past_due') giveUp(payments, subscription)
}

function giveUp(payments: Payments, subscription: Subscription): void {
  const { afterRetries } = payments.settings
  if (afterRetries === 'cancel') endSubscription(payments, subscription, 'payment_failed')
  if (afterRetries === 'unpaid') setStatus(payments, subscription, 'unpaid')
}

function setStatus({ events }: Payments, subscription: Subscription, status: SubscriptionStatus): void {
  events.change('customer.subscription.updated', subscription, () => {
    subscription.status = status
  })
}

function setDelinquent({ events, state }: Payments, customerId: string, isDelinquent: boolean): void {
  const customer = state.customers.get(customerId)
  if (!customer) return
  events.change('customer.updated', customer, () => {
    customer.delinquent = isDelinquent
  })
}

export function subscriptionOf({ state }: Payments, invoice: Invoice): Subscription | undefined {
  return state.subscriptions.get(invoice.parent.subscription_details.subscription)
}
