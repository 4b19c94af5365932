import {
  type Attempt,
  attemptPayment,
  finalizeInvoice,
  findSubscription,
  listInvoices,
  stopCollecting,
} from '../billing/invoices.ts'
import type { FailureReason } from '../cards.ts'
import type { Payments } from '../context.ts'
import type { Invoice, Subscription } from '../objects.ts'
import { applyPendingUpdate, discardPendingUpdate, findPendingInvoice } from './updates.ts'

const AUTOMATIC: Attempt = { presence: 'offSession', isAutomatic: true }

/**
 * The status of a subscription follows its payments. `active` becomes `past_due` when a renewal fails, and `active`
 * again when no invoice is open. After the last retry it becomes `canceled` or `unpaid`, or stays, as the settings say.
 */
export function collectInvoice(payments: Payments, invoice: Invoice, attempt = AUTOMATIC): FailureReason | undefined {
  const failure = attemptPayment(payments, invoice, attempt)
  if (failure === undefined) afterPayment(payments, invoice)
  else afterFailure(payments, invoice, attempt)
  return failure
}

export function finalizeAndCollect(payments: Payments, invoice: Invoice): void {
  if (invoice.status !== 'draft') return
  const status = finalizeInvoice(payments, invoice)
  if (status === 'paid') afterPayment(payments, invoice)
  else collectInvoice(payments, invoice)
}

function afterPayment(payments: Payments, invoice: Invoice): void {
  const subscription = findSubscription(payments, invoice)
  if (!subscription || subscription.status === 'canceled') return
  if (findPendingInvoice(payments, subscription) === invoice.id) applyPendingUpdate(payments, subscription)
  // The invoice of a pending update is not owed: it can expire without harm.
  const pending = findPendingInvoice(payments, subscription)
  const owes = listInvoices(payments, subscription).some(({ id, status }) => status === 'open' && id !== pending)
  if (!owes) setStatus(payments, subscription, 'active')
}

function afterFailure(payments: Payments, invoice: Invoice, { isAutomatic }: Attempt): void {
  const subscription = findSubscription(payments, invoice)
  if (!subscription || findPendingInvoice(payments, subscription) === invoice.id) return
  if (subscription.status === 'active') setStatus(payments, subscription, 'past_due')
  const isLastRetry = isAutomatic && invoice.auto_advance && invoice.next_payment_attempt === null
  if (!isLastRetry || subscription.status !== 'past_due') return
  const { afterRetries } = payments.settings
  if (afterRetries === 'cancel') endSubscription(payments, subscription)
  if (afterRetries === 'unpaid') setStatus(payments, subscription, 'unpaid')
}

function setStatus({ events }: Payments, subscription: Subscription, status: Subscription['status']): void {
  events.change('customer.subscription.updated', subscription, () => {
    subscription.status = status
  })
}

/** Open invoices stay open, but are no longer collected. */
export function endSubscription(payments: Payments, subscription: Subscription): void {
  discardPendingUpdate(payments, subscription)
  payments.schedule.cancel('cycle', subscription.id)
  for (const invoice of listInvoices(payments, subscription)) stopCollecting(payments, invoice)
  subscription.status = 'canceled'
  payments.events.emit('customer.subscription.deleted', subscription)
}
