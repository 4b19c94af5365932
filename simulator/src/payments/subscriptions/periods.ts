import { draftInvoice } from '../billing/invoices.ts'
import { buildPeriodLines } from '../billing/lines.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import type { Customer, Invoice, Period, Price, Subscription } from '../objects.ts'
import { endSubscription, expireIncomplete, finalizeAndCollect, isEnded } from './collection.ts'
import { buildItem, findPeriod } from './items.ts'
import { discardPendingUpdate, PAYMENT_WINDOW_SECONDS } from './updates.ts'

const DAY_SECONDS = 86_400

/** The invoice of a renewal is a draft for an hour. */
const DRAFT_SECONDS = 3_600

interface NewSubscription {
  customer: Customer
  items: { price: Price; quantity: number }[]
  paymentMethod: string
  metadata: Record<string, string>
  presence: 'onSession' | 'offSession'
}

/** Starts a subscription and charges its first period. It is `incomplete` until that is paid. */
export function startSubscription(payments: Payments, given: NewSubscription): Subscription {
  const { events, schedule, state } = payments
  const subscription = buildSubscription(payments, given)
  const { created, id } = subscription
  state.subscriptions.set(id, subscription)
  const lines = buildPeriodLines(payments, subscription)
  const invoice = draftInvoice(payments, { subscription, reason: 'subscription_create', lines })
  subscription.latest_invoice = invoice.id
  events.emit('customer.subscription.created', subscription)
  recordCharges(payments, invoice)
  schedule.at('cycle', id, findPeriod(subscription).end)
  schedule.at('incomplete', id, created + PAYMENT_WINDOW_SECONDS)
  finalizeAndCollect(payments, invoice, given.presence)
  return subscription
}

function buildSubscription(payments: Payments, given: NewSubscription): Subscription {
  const created = nowInSeconds(payments)
  const id = payments.newId('subscription')
  const period = { start: created, end: findPeriodEnd(created, created) }
  const items = given.items.map(({ price, quantity }) => {
    return buildItem(id, { id: payments.newId('subscriptionItem'), price, quantity }, period, created)
  })
  return {
    id,
    object: 'subscription',
    billing_cycle_anchor: created,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { reason: null },
    created,
    currency: items[0]?.price.currency ?? '',
    customer: given.customer.id,
    default_payment_method: given.paymentMethod,
    ended_at: null,
    items: { object: 'list', data: items, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    metadata: given.metadata,
    pending_update: null,
    status: 'incomplete',
  }
}

/**
 * The end of the monthly period that contains `at`. It is counted from the anchor: a period that starts on the 31st
 * ends on the last day of February and on the 31st of March again.
 */
export function findPeriodEnd(anchor: number, at: number): number {
  const from = new Date(anchor * 1_000)
  for (let months = 1; ; months++) {
    const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months]
    const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) / 1_000
    const end = midnight + (anchor % DAY_SECONDS)
    if (end > at) return end
  }
}

/** At the end of a period the subscription ends, if that was requested, or renews. */
export function completePeriod(payments: Payments, subscription: Subscription): void {
  if (isEnded(subscription)) return
  if (subscription.status === 'incomplete') {
    expireIncomplete(payments, subscription)
    return
  }
  discardPendingUpdate(payments, subscription)
  const { end } = findPeriod(subscription)
  if (subscription.cancel_at !== null && subscription.cancel_at <= end) {
    endSubscription(payments, subscription, 'cancellation_requested', subscription.canceled_at ?? end)
    return
  }
  renewSubscription(payments, subscription, { start: end, end: findPeriodEnd(subscription.billing_cycle_anchor, end) })
}

function renewSubscription(payments: Payments, subscription: Subscription, { start, end }: Period): void {
  const { events, schedule, state } = payments
  events.change('customer.subscription.updated', subscription, () => {
    for (const item of subscription.items.data) {
      item.current_period_start = start
      item.current_period_end = end
    }
    const lines = [...(state.pendingLines.get(subscription.id) ?? []), ...buildPeriodLines(payments, subscription)]
    state.pendingLines.delete(subscription.id)
    const invoice = draftInvoice(payments, { subscription, reason: 'subscription_cycle', lines })
    subscription.latest_invoice = invoice.id
    recordCharges(payments, invoice)
    // The invoices of an unpaid subscription stay drafts.
    if (subscription.status === 'unpaid') invoice.auto_advance = false
    else {
      invoice.next_payment_attempt = invoice.created + DRAFT_SECONDS
      schedule.at('finalize', invoice.id, invoice.next_payment_attempt)
    }
  })
  schedule.at('cycle', subscription.id, end)
}

/** Remembers the charge of each item, of which a later credit is a share. */
function recordCharges({ state }: Payments, { lines }: Invoice): void {
  for (const { amount, period, parent } of lines.data) {
    const { proration, subscription_item: item } = parent.subscription_item_details
    if (!proration) state.itemCharges.set(item, { amount, period })
  }
}
