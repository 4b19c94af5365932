import { nowOf, type Payments } from '../context.ts'
import { mergedMetadata } from '../metadata.ts'
import { planOf } from '../objects/catalogue.ts'
import { itemObject, periodOf, type Subscription } from '../objects/subscription.ts'
import type { Change, ItemChange } from './change.ts'

/** Puts a change into effect. The caller reports it, together with what else it changes. */
export function applyChange(payments: Payments, subscription: Subscription, change: Change): void {
  applyItems(payments, subscription, change.items)
  for (const { id, terms } of change.items) if (!terms) payments.state.debits.delete(id)
  for (const [id, debit] of change.debits) {
    if (debit) payments.state.debits.set(id, debit)
    else payments.state.debits.delete(id)
  }
  if (change.metadata !== undefined) {
    subscription.metadata = mergedMetadata(subscription.metadata, change.metadata)
  }
  if (change.cancelAtPeriodEnd !== undefined) setCancelAtPeriodEnd(payments, subscription, change.cancelAtPeriodEnd)
}

/** Changes the items alone, so that a preview can do it to a copy. */
export function applyItems(payments: Payments, subscription: Subscription, changes: ItemChange[]): void {
  for (const change of changes) applyItem(payments, subscription, change)
}

function applyItem(payments: Payments, subscription: Subscription, { id, terms }: ItemChange): void {
  const { items } = subscription
  const item = items.data.find((candidate) => candidate.id === id)
  if (!terms) {
    items.data = items.data.filter((candidate) => candidate !== item)
  } else if (item) {
    const { price, quantity, metadata } = terms
    Object.assign(item, { price, plan: planOf(price), quantity, metadata })
  } else {
    items.data.push(itemObject(subscription.id, terms, periodOf(subscription), nowOf(payments)))
  }
}

/** By request both members are set; the portal sets the date alone, and taking back the one leaves the other. */
function setCancelAtPeriodEnd(payments: Payments, subscription: Subscription, isWanted: boolean): void {
  if (subscription.cancel_at_period_end === isWanted) return
  subscription.cancel_at_period_end = isWanted
  scheduleCancellation(payments, subscription, isWanted ? periodOf(subscription).end : null)
}

export function scheduleCancellation(payments: Payments, subscription: Subscription, at: number | null): void {
  const details = subscription.cancellation_details
  subscription.cancel_at = at
  subscription.canceled_at = at === null ? null : nowOf(payments)
  subscription.cancellation_details = { ...details, reason: at === null ? null : 'cancellation_requested' }
}
