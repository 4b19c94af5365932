import { invoicesOf, voidInvoice } from '../billing/invoices.ts'
import { nowOf, type Payments } from '../context.ts'
import type { Subscription } from '../objects/subscription.ts'
import { discardPending } from './pending.ts'

export type EndReason = 'cancellation_requested' | 'payment_failed'

/** Ends a subscription for good. What it still owes stays owed, but is no longer asked for. */
export function endSubscription(
  payments: Payments,
  subscription: Subscription,
  reason: EndReason,
  canceledAt = nowOf(payments),
): void {
  discardPending(payments, subscription)
  stopCollecting(payments, subscription)
  subscription.status = 'canceled'
  subscription.canceled_at = canceledAt
  subscription.ended_at = nowOf(payments)
  subscription.cancellation_details = { ...subscription.cancellation_details, reason }
  payments.events.emit('customer.subscription.deleted', subscription)
}

/** A first payment that never came: nothing was delivered, so nothing is owed. */
export function expireIncomplete(payments: Payments, subscription: Subscription): void {
  stopCollecting(payments, subscription)
  for (const invoice of invoicesOf(payments, subscription)) {
    if (invoice.status === 'open') voidInvoice(payments, invoice)
  }
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.status = 'incomplete_expired'
    subscription.ended_at = nowOf(payments)
  })
}

function stopCollecting(payments: Payments, subscription: Subscription): void {
  const { schedule } = payments
  schedule.cancel('cycle', subscription.id)
  schedule.cancel('incomplete', subscription.id)
  for (const invoice of invoicesOf(payments, subscription)) {
    schedule.cancel('retry', invoice.id)
    schedule.cancel('finalize', invoice.id)
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    invoice.auto_advance = false
    invoice.next_payment_attempt = null
    invoice.automatically_finalizes_at = null
  }
}
