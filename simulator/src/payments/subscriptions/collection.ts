import { type Attempt, attemptPayment } from '../billing/charges.ts'
import { finalizeInvoice, findSubscription, listInvoices, stopCollecting, voidInvoice } from '../billing/invoices.ts'
import type { FailureReason } from '../cards.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import type { Invoice, Subscription, SubscriptionStatus } from '../objects.ts'
import { applyPendingUpdate, discardPendingUpdate, findPendingInvoice } from './updates.ts'

/**
 * The status of a subscription follows its payments. `incomplete` becomes `active` with the first payment, or
 * `incomplete_expired` after 23 hours. `active` becomes `past_due` when a renewal fails, and `active` again when no
 * invoice is open. After the last retry it becomes `canceled` or `unpaid`, or stays, as the settings say.
 */
export function collectInvoice(payments: Payments, invoice: Invoice, attempt: Attempt): FailureReason | undefined {
  const failure = attemptPayment(payments, invoice, attempt)
  if (failure === undefined) afterPayment(payments, invoice)
  else afterFailure(payments, invoice, attempt)
  return failure
}

export function finalizeAndCollect(payments: Payments, invoice: Invoice, presence: Attempt['presence']): void {
  if (invoice.status !== 'draft') return
  const status = finalizeInvoice(payments, invoice)
  if (status === 'paid') afterPayment(payments, invoice)
  else collectInvoice(payments, invoice, { presence, isAutomatic: true })
}

export function retryInvoice(payments: Payments, invoice: Invoice): void {
  if (invoice.status === 'open') collectInvoice(payments, invoice, { presence: 'offSession', isAutomatic: true })
}

function afterPayment(payments: Payments, invoice: Invoice): void {
  const subscription = findSubscription(payments, invoice)
  if (!subscription || isEnded(subscription)) return
  if (findPendingInvoice(payments, subscription) === invoice.id) applyPendingUpdate(payments, subscription)
  // The invoice of a pending update is not owed: it can expire without harm.
  const pending = findPendingInvoice(payments, subscription)
  const owes = listInvoices(payments, subscription).some(({ id, status }) => status === 'open' && id !== pending)
  if (owes) return
  payments.schedule.cancel('incomplete', subscription.id)
  setStatus(payments, subscription, 'active')
}

function afterFailure(payments: Payments, invoice: Invoice, { isAutomatic }: Attempt): void {
  const subscription = findSubscription(payments, invoice)
  if (!subscription || findPendingInvoice(payments, subscription) === invoice.id) return
  if (subscription.status === 'active') setStatus(payments, subscription, 'past_due')
  const isLastRetry = isAutomatic && invoice.auto_advance && invoice.next_payment_attempt === null
  if (!isLastRetry || subscription.status !== 'past_due') return
  const { afterRetries } = payments.settings
  if (afterRetries === 'cancel') endSubscription(payments, subscription, 'payment_failed')
  if (afterRetries === 'unpaid') setStatus(payments, subscription, 'unpaid')
}

function setStatus({ events }: Payments, subscription: Subscription, status: SubscriptionStatus): void {
  events.change('customer.subscription.updated', subscription, () => {
    subscription.status = status
  })
}

/** Open invoices stay open, but are no longer collected. */
export function endSubscription(
  payments: Payments,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
  canceledAt = nowInSeconds(payments),
): void {
  discardPendingUpdate(payments, subscription)
  stopRenewing(payments, subscription)
  subscription.status = 'canceled'
  subscription.canceled_at = canceledAt
  subscription.ended_at = nowInSeconds(payments)
  subscription.cancellation_details = { reason }
  payments.events.emit('customer.subscription.deleted', subscription)
}

/** Without a first payment nothing is owed, so the invoice is voided. */
export function expireIncomplete(payments: Payments, subscription: Subscription): void {
  if (subscription.status !== 'incomplete') return
  stopRenewing(payments, subscription)
  for (const invoice of listInvoices(payments, subscription)) {
    if (invoice.status === 'open') voidInvoice(payments, invoice)
  }
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.status = 'incomplete_expired'
    subscription.ended_at = nowInSeconds(payments)
  })
}

function stopRenewing(payments: Payments, subscription: Subscription): void {
  payments.schedule.cancel('cycle', subscription.id)
  payments.schedule.cancel('incomplete', subscription.id)
  payments.state.pendingLines.delete(subscription.id)
  for (const invoice of listInvoices(payments, subscription)) stopCollecting(payments, invoice)
}

export function isEnded({ status }: Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}
