import { attemptPayment, draftInvoice, finalizeInvoice, voidInvoice } from '../billing/invoices.ts'
import { prorateItems } from '../billing/lines.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import type { Invoice, Subscription } from '../objects.ts'
import type { ItemChange, ItemTerms } from '../state.ts'
import { applyItems, buildItem, findPeriod } from './items.ts'

const PENDING_SECONDS = 23 * 3_600

/** Changes items and charges the prorations. Items whose invoice is not paid at once become a pending update. */
export function updateItems(
  payments: Payments,
  subscription: Subscription,
  items: ItemTerms[],
  prorationDate: number,
): void {
  if (items.length === 0) return
  const { lines, charges } = prorateItems(payments, subscription, items, prorationDate)
  discardPendingUpdate(payments, subscription)
  const change = { items, charges }
  const invoice = draftInvoice(payments, subscription, 'subscription_update', lines)
  finalizeInvoice(payments, invoice)
  invoice.auto_advance = false
  if (invoice.status === 'open') attemptPayment(payments, invoice, { presence: 'offSession', isAutomatic: true })
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.latest_invoice = invoice.id
    if (invoice.status === 'paid') applyItems(payments, subscription, change)
    else setPendingUpdate(payments, subscription, invoice, change)
  })
}

/**
 * A pending update is applied when its invoice is paid. It is discarded, and its invoice voided, after 23 hours, at
 * the end of the period or by another update.
 */
function setPendingUpdate(payments: Payments, subscription: Subscription, invoice: Invoice, change: ItemChange): void {
  const period = findPeriod(subscription)
  const expiresAt = Math.min(nowInSeconds(payments) + PENDING_SECONDS, period.end)
  payments.state.pendingUpdates.set(subscription.id, { invoice: invoice.id, change })
  payments.schedule.at('pending_update', subscription.id, expiresAt)
  const items = change.items.map((terms) => buildItem(terms, period))
  subscription.pending_update = { expires_at: expiresAt, subscription_items: items }
}

export function findPendingInvoice({ state }: Payments, { id }: Subscription): string | undefined {
  return state.pendingUpdates.get(id)?.invoice
}

export function applyPendingUpdate(payments: Payments, subscription: Subscription): void {
  const pending = takePendingUpdate(payments, subscription)
  if (!pending) return
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.pending_update = null
    applyItems(payments, subscription, pending.change)
  })
  payments.events.emit('customer.subscription.pending_update_applied', subscription)
}

export function discardPendingUpdate(payments: Payments, subscription: Subscription): void {
  const pending = takePendingUpdate(payments, subscription)
  if (!pending) return
  const invoice = payments.state.invoices.get(pending.invoice)
  if (invoice?.status === 'open') voidInvoice(payments, invoice)
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.pending_update = null
  })
  payments.events.emit('customer.subscription.pending_update_expired', subscription)
}

function takePendingUpdate({ schedule, state }: Payments, { id }: Subscription) {
  const pending = state.pendingUpdates.get(id)
  state.pendingUpdates.delete(id)
  schedule.cancel('pending_update', id)
  return pending
}
