import type { FailureReason } from '../billing/failures.ts'
import { draftInvoice } from '../billing/invoices.ts'
import { cycleEndAfter } from '../calendar.ts'
import { nowOf, type Payments } from '../context.ts'
import { PAYMENT_WINDOW_SECONDS } from '../dunning.ts'
import type { Price } from '../objects/catalogue.ts'
import type { Customer } from '../objects/customer.ts'
import type { NewLine } from '../objects/invoice-line.ts'
import { itemObject, type Subscription, subscriptionObject } from '../objects/subscription.ts'
import { periodText } from '../wording.ts'
import { collect, finalizeAndReact } from './collecting.ts'

export interface Start {
  customer: Customer
  items: { price: Price; quantity: number; metadata: Record<string, string> }[]
  defaultPaymentMethod: string | null
  description: string | null
  metadata: Record<string, string>
  /** Checkout begins a subscription when it is already paid; by request it begins unpaid. */
  presence: 'onSession' | 'offSession'
  collects: boolean
}

/** Begins a subscription and asks for its first period. It is incomplete until that is paid. */
export function startSubscription(
  payments: Payments,
  start: Start,
): { subscription: Subscription; failure: FailureReason | undefined } {
  const subscription = newSubscription(payments, start)
  const { created, id } = subscription
  payments.state.subscriptions.set(id, subscription)
  const invoice = draftInvoice(payments, {
    customer: start.customer,
    subscription,
    reason: 'subscription_create',
    lines: periodLines(payments, subscription),
    period: { start: created, end: created },
  })
  subscription.latest_invoice = invoice.id
  payments.events.emit('customer.subscription.created', subscription)
  recordDebits(payments, subscription, invoice)
  payments.schedule.at('cycle', id, subscription.items.data[0]?.current_period_end ?? created)
  payments.schedule.at('incomplete', id, created + PAYMENT_WINDOW_SECONDS)
  const status = finalizeAndReact(payments, invoice)
  if (!start.collects || status === 'paid') return { subscription, failure: undefined }
  const failure = collect(payments, invoice, { presence: start.presence, isAutomatic: true })
  return { subscription, failure }
}

function newSubscription(payments: Payments, start: Start): Subscription {
  const created = nowOf(payments)
  const currency = start.items[0]?.price.currency ?? 'usd'
  const subscription = subscriptionObject({
    id: payments.newId('subscription'),
    created,
    currency,
    customer: start.customer.id,
    default_payment_method: start.defaultPaymentMethod,
    description: start.description,
    metadata: start.metadata,
    status: 'incomplete',
  })
  subscription.items.data = start.items.map(({ price, quantity, metadata }) => {
    const terms = { id: payments.newId('subscriptionItem'), price, quantity, metadata }
    const end = cycleEndAfter(created, price.recurring ?? { interval: 'month', interval_count: 1 }, created)
    return itemObject(subscription.id, terms, { start: created, end }, created)
  })
  return subscription
}

/** A line for each item over its current period. */
export function periodLines(payments: Payments, subscription: Subscription): NewLine[] {
  return subscription.items.data.map((item) => ({
    amount: item.price.unit_amount * item.quantity,
    description: periodText(payments, item.price, item.quantity),
    period: { start: item.current_period_start, end: item.current_period_end },
    price: item.price,
    quantity: item.quantity,
    subscription: subscription.id,
    subscriptionItem: item.id,
    metadata: item.metadata,
  }))
}

/** Remembers what each item was charged for its period, which is what a later credit gives back. */
export function recordDebits(
  { state }: Payments,
  subscription: Subscription,
  invoice: { id: string; lines: { data: DebitedLine[] } },
): void {
  for (const item of subscription.items.data) {
    const line = invoice.lines.data.find(({ parent: { subscription_item_details: details } }) => {
      return details.subscription_item === item.id && !details.proration
    })
    if (!line) continue
    const { amount, period } = line
    state.debits.set(item.id, { amount, period, charged: { invoice: invoice.id, line: line.id } })
  }
}

interface DebitedLine {
  id: string
  amount: number
  period: { start: number; end: number }
  parent: { subscription_item_details: { subscription_item: string; proration: boolean } }
}
