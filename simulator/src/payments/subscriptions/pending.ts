import { voidInvoice } from '../billing/invoices.ts'
import { nowOf, type Payments } from '../context.ts'
import { PAYMENT_WINDOW_SECONDS } from '../dunning.ts'
import { mergedMetadata } from '../metadata.ts'
import type { Invoice } from '../objects/invoice.ts'
import { itemObject, periodOf, type Subscription } from '../objects/subscription.ts'
import { applyChange } from './applying.ts'
import type { Change } from './change.ts'

/**
 * A pending update waits for its invoice to be paid. It is applied when that
 * happens; it is discarded, and its invoice voided, after 23 hours, at the end
 * of the period, or when another update takes its place.
 */
export function setPending(payments: Payments, subscription: Subscription, invoice: Invoice, change: Change): void {
  const expiresAt = Math.min(nowOf(payments) + PAYMENT_WINDOW_SECONDS, periodOf(subscription).end)
  payments.state.pendingChanges.set(subscription.id, { invoice: invoice.id, change })
  payments.schedule.at('pending_update', subscription.id, expiresAt)
  const items = itemsAfter(payments, subscription, change)
  subscription.pending_update = {
    billing_cycle_anchor: null,
    cancel_at_period_end: change.cancelAtPeriodEnd ?? null,
    discount: null,
    discounts: null,
    expires_at: expiresAt,
    metadata: change.metadata ? mergedMetadata({}, change.metadata) : null,
    subscription_items: items.length > 0 ? items : null,
    trial_end: null,
    trial_from_plan: null,
  }
}

function itemsAfter(payments: Payments, subscription: Subscription, change: Change) {
  const now = nowOf(payments)
  return change.items.flatMap(({ terms }) => {
    return terms ? [itemObject(subscription.id, terms, periodOf(subscription), now)] : []
  })
}

export function pendingInvoiceOf({ state }: Payments, subscription: Subscription): string | undefined {
  return state.pendingChanges.get(subscription.id)?.invoice
}

export function applyPending(payments: Payments, subscription: Subscription): void {
  const pending = forget(payments, subscription)
  if (!pending) return
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.pending_update = null
    applyChange(payments, subscription, pending.change)
  })
  payments.events.emit('customer.subscription.pending_update_applied', subscription)
}

export function discardPending(payments: Payments, subscription: Subscription): void {
  const pending = forget(payments, subscription)
  if (!pending) return
  const invoice = payments.state.invoices.get(pending.invoice)
  if (invoice?.status === 'open') voidInvoice(payments, invoice)
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.pending_update = null
  })
  payments.events.emit('customer.subscription.pending_update_expired', subscription)
}

function forget({ schedule, state }: Payments, subscription: Subscription) {
  const pending = state.pendingChanges.get(subscription.id)
  state.pendingChanges.delete(subscription.id)
  schedule.cancel('pending_update', subscription.id)
  return pending
}
