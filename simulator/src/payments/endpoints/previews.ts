import { previewInvoice } from '../billing/invoices.ts'
import { cycleEndAfter } from '../calendar.ts'
import { nowOf, type Payments } from '../context.ts'
import { FINALIZE_AFTER_SECONDS } from '../dunning.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid } from '../http/errors.ts'
import { boolean, choice, list, object, optional, type Params, text } from '../http/params.ts'
import type { Invoice } from '../objects/invoice.ts'
import { isEnded, periodOf, type Subscription } from '../objects/subscription.ts'
import { applyItems } from '../subscriptions/applying.ts'
import { plannedItems } from '../subscriptions/plan.ts'
import { prorationLines } from '../subscriptions/prorations.ts'
import { periodLines } from '../subscriptions/starting.ts'
import { customerOf, updateDraft } from '../subscriptions/updating.ts'
import { ITEM, PRORATION } from './subscription-params.ts'

const PREVIEW = object({
  customer: optional(text),
  preview_mode: optional(choice('next')),
  subscription: text,
  subscription_details: optional(
    object({ ...PRORATION, cancel_at_period_end: optional(boolean), items: optional(list(ITEM)) }),
  ),
})

export const PREVIEW_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/v1/invoices/create_preview', PREVIEW, (payments, { params }) => preview(payments, params)),
]

/**
 * The next invoice as it would be. For a change that is invoiced at once it is
 * that invoice, and has the very lines that the update will have at the same
 * proration date; otherwise it is the renewal, with the prorations on it.
 */
function preview(payments: Payments, params: Params<typeof PREVIEW>): Invoice {
  const subscription = found(payments.state.subscriptions, params.subscription, 'subscription', 'subscription')
  const { customer } = params
  if (customer !== undefined && customer !== subscription.customer) {
    throw invalid(`The subscription does not belong to the customer ${customer}.`, { param: 'customer' })
  }
  const details = params.subscription_details
  const at = details?.proration_date ?? nowOf(payments)
  const behavior = details?.proration_behavior ?? 'create_prorations'
  const changes = plannedItems(payments, subscription, details?.items ?? [])
  const isProrated = changes.length > 0 && behavior !== 'none'
  const prorations = isProrated ? prorationLines(payments, subscription, changes, at) : []
  if (behavior === 'always_invoice' && prorations.length > 0) {
    const draft = updateDraft(payments, subscription, prorations)
    return previewInvoice(payments, { ...draft, reason: 'upcoming', prorationDate: at })
  }
  checkRenews(subscription, details?.cancel_at_period_end)
  const { end } = periodOf(subscription)
  const renewed = renewedCopy(subscription, (copy) => applyItems(payments, copy, changes))
  const kept = [...payments.state.invoiceItems.values()].filter((item) => item.subscription === subscription.id)
  const invoice = previewInvoice(payments, {
    customer: customerOf(payments, subscription),
    subscription,
    reason: 'upcoming',
    lines: [...kept, ...prorations].map(({ line }) => line).concat(periodLines(payments, renewed)),
    period: periodOf(subscription),
    ...(prorations.length > 0 ? { prorationDate: at } : {}),
  })
  return Object.assign(invoice, { created: end, next_payment_attempt: end + FINALIZE_AFTER_SECONDS })
}

function checkRenews(subscription: Subscription, endsWithPeriod: boolean | undefined): void {
  const ends = endsWithPeriod ?? subscription.cancel_at !== null
  if (!isEnded(subscription) && !ends) return
  const sentence = `No upcoming invoices for customer: ${subscription.customer}`
  throw invalid(sentence, { code: 'invoice_upcoming_none', status: 404 })
}

/** The subscription as it will be in its next period. */
function renewedCopy(subscription: Subscription, change: (copy: Subscription) => void) {
  const copy = structuredClone(subscription)
  change(copy)
  const { end } = periodOf(subscription)
  for (const item of copy.items.data) {
    const cycle = item.price.recurring ?? { interval: 'month' as const, interval_count: 1 }
    item.current_period_start = end
    item.current_period_end = cycleEndAfter(subscription.billing_cycle_anchor, cycle, end)
  }
  return copy
}
