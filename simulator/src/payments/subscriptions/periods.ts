import { attemptPayment, draftInvoice, finalizeInvoice } from '../billing/invoices.ts'
import { chargePeriod } from '../billing/lines.ts'
import { toPaymentError } from '../cards.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import type { Customer, PaymentMethod, Period, Price, Subscription } from '../objects.ts'
import { endSubscription } from './collection.ts'
import { buildItem, findPeriod } from './items.ts'
import { discardPendingUpdate } from './updates.ts'

const DAY_SECONDS = 86_400

/** The invoice of a renewal is a draft for an hour. */
const DRAFT_SECONDS = 3_600

interface NewSubscription {
  customer: Customer
  items: { price: Price; quantity: number }[]
  method: PaymentMethod
  metadata: Record<string, string>
  presence: 'onSession' | 'offSession'
}

/** Starts a subscription by paying its first period. A declined card is 402 and creates nothing. */
export function startSubscription(payments: Payments, subscriptionParams: NewSubscription): Subscription {
  const { events, schedule, state } = payments
  const { method, presence } = subscriptionParams
  const result = state.cards.get(method.id)?.[presence] ?? 'succeeds'
  if (result !== 'succeeds') throw toPaymentError(result)
  const subscription = buildSubscription(payments, subscriptionParams)
  state.subscriptions.set(subscription.id, subscription)
  const lines = chargePeriod(payments, subscription)
  const invoice = draftInvoice(payments, subscription, 'subscription_create', lines)
  subscription.latest_invoice = invoice.id
  const status = finalizeInvoice(payments, invoice)
  if (status === 'open') attemptPayment(payments, invoice, { presence, isAutomatic: true })
  events.emit('customer.subscription.created', subscription)
  schedule.at('cycle', subscription.id, findPeriod(subscription).end)
  return subscription
}

function buildSubscription(payments: Payments, { customer, items, method, metadata }: NewSubscription): Subscription {
  const created = nowInSeconds(payments)
  const id = payments.newId('sub')
  const period = { start: created, end: findPeriodEnd(created, created) }
  const data = items.map(({ price, quantity }) => buildItem({ id: payments.newId('si'), price, quantity }, period))
  return {
    id,
    object: 'subscription',
    billing_cycle_anchor: created,
    cancel_at: null,
    cancel_at_period_end: false,
    created,
    currency: items[0]?.price.currency ?? '',
    customer: customer.id,
    default_payment_method: method.id,
    items: { object: 'list', data, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    metadata,
    pending_update: null,
    status: 'active',
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
  discardPendingUpdate(payments, subscription)
  const { end } = findPeriod(subscription)
  if (subscription.cancel_at !== null) endSubscription(payments, subscription)
  else renew(payments, subscription, { start: end, end: findPeriodEnd(subscription.billing_cycle_anchor, end) })
}

function renew(payments: Payments, subscription: Subscription, { start, end }: Period): void {
  const { events, schedule } = payments
  events.change('customer.subscription.updated', subscription, () => {
    for (const item of subscription.items.data) {
      item.current_period_start = start
      item.current_period_end = end
    }
    const invoice = draftInvoice(payments, subscription, 'subscription_cycle', chargePeriod(payments, subscription))
    subscription.latest_invoice = invoice.id
    // The invoices of an unpaid subscription stay drafts.
    if (subscription.status === 'unpaid') invoice.auto_advance = false
    else {
      invoice.next_payment_attempt = invoice.created + DRAFT_SECONDS
      schedule.at('finalize', invoice.id, invoice.next_payment_attempt)
    }
  })
  schedule.at('cycle', subscription.id, end)
}

/** Schedules the end of the subscription with its period, or takes that back. Only the API sets the flag. */
export function setCancellation(
  payments: Payments,
  subscription: Subscription,
  isCanceled: boolean,
  flag: boolean,
): void {
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.cancel_at = isCanceled ? findPeriod(subscription).end : null
    subscription.cancel_at_period_end = flag
  })
}

/** Cancels or resumes as the portal does: in the flexible billing mode it leaves `cancel_at_period_end` false. */
export function cancelInPortal(
  payments: Payments,
  customer: Customer,
  action: 'cancel' | 'resume',
  id?: string,
): Subscription | undefined {
  const isCanceled = action === 'cancel'
  const subscription = listCurrentSubscriptions(payments, customer).find((candidate) => {
    return (id === undefined || candidate.id === id) && (candidate.cancel_at === null) === isCanceled
  })
  if (subscription) setCancellation(payments, subscription, isCanceled, false)
  return subscription
}

/** The customer's subscriptions that have not ended, newest first. */
export function listCurrentSubscriptions({ state }: Payments, { id }: Customer): Subscription[] {
  return [...state.subscriptions.values()]
    .filter(({ customer, status }) => customer === id && status !== 'canceled')
    .reverse()
}
