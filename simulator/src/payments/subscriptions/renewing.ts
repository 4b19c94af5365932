import { draftInvoice } from '../billing/invoices.ts'
import { cycleEndAfter } from '../calendar.ts'
import { nowOf, type Payments } from '../context.ts'
import { FINALIZE_AFTER_SECONDS } from '../dunning.ts'
import type { Invoice } from '../objects/invoice.ts'
import { isEnded, periodOf, type Subscription } from '../objects/subscription.ts'
import { collect, finalizeAndReact } from './collecting.ts'
import { endSubscription, expireIncomplete } from './ending.ts'
import { discardPending } from './pending.ts'
import { periodLines, recordDebits } from './starting.ts'

/** The end of a period: the end of the subscription where that was asked for, else the next period. */
export function completeCycle(payments: Payments, subscription: Subscription): void {
  if (isEnded(subscription)) return
  if (subscription.status === 'incomplete') {
    expireIncomplete(payments, subscription)
    return
  }
  discardPending(payments, subscription)
  const { start, end } = periodOf(subscription)
  if (subscription.cancel_at !== null && subscription.cancel_at <= end) {
    const askedAt = subscription.canceled_at ?? end
    billPending(payments, subscription)
    endSubscription(payments, subscription, 'cancellation_requested', askedAt)
    return
  }
  renew(payments, subscription, { start, end })
}

function renew(payments: Payments, subscription: Subscription, past: { start: number; end: number }): void {
  const [first] = subscription.items.data
  const cycle = first?.price.recurring ?? { interval: 'month' as const, interval_count: 1 }
  const end = cycleEndAfter(subscription.billing_cycle_anchor, cycle, past.end)
  payments.events.change('customer.subscription.updated', subscription, () => {
    for (const item of subscription.items.data) {
      item.current_period_start = past.end
      item.current_period_end = end
    }
    const invoice = renewalInvoice(payments, subscription, past)
    if (invoice) subscription.latest_invoice = invoice.id
  })
  payments.schedule.at('cycle', subscription.id, end)
}

function renewalInvoice(payments: Payments, subscription: Subscription, past: { start: number; end: number }) {
  const customer = payments.state.customers.get(subscription.customer)
  if (!customer) return undefined
  const lines = [...takePending(payments, subscription), ...periodLines(payments, subscription)]
  const invoice = draftInvoice(payments, { customer, subscription, reason: 'subscription_cycle', lines, period: past })
  recordDebits(payments, subscription, invoice)
  // While a subscription is unpaid its invoices pile up as drafts, and nobody is asked to pay them.
  if (subscription.status === 'unpaid') invoice.auto_advance = false
  else finalizeLater(payments, invoice)
  return invoice
}

function finalizeLater(payments: Payments, invoice: Invoice): void {
  invoice.automatically_finalizes_at = invoice.created + FINALIZE_AFTER_SECONDS
  invoice.next_payment_attempt = invoice.automatically_finalizes_at
  payments.schedule.at('finalize', invoice.id, invoice.automatically_finalizes_at)
}

/** Prorations that still wait when a subscription ends are asked for with a last invoice. */
function billPending(payments: Payments, subscription: Subscription): void {
  const customer = payments.state.customers.get(subscription.customer)
  const lines = takePending(payments, subscription)
  if (!customer || lines.length === 0) return
  const now = nowOf(payments)
  const period = { start: now, end: now }
  const invoice = draftInvoice(payments, { customer, subscription, reason: 'subscription_cycle', lines, period })
  subscription.latest_invoice = invoice.id
  finalizeAndCollect(payments, invoice)
}

function takePending({ state }: Payments, subscription: Subscription) {
  const own = [...state.invoiceItems.values()].filter((item) => item.subscription === subscription.id)
  for (const { id } of own) state.invoiceItems.delete(id)
  return own.map(({ line }) => line)
}

export function finalizeAndCollect(payments: Payments, invoice: Invoice): void {
  if (invoice.status !== 'draft') return
  const status = finalizeAndReact(payments, invoice)
  if (status === 'open') collect(payments, invoice, { presence: 'offSession', isAutomatic: true })
}

export function retryPayment(payments: Payments, invoice: Invoice): void {
  if (invoice.status === 'open') collect(payments, invoice, { presence: 'offSession', isAutomatic: true })
}
