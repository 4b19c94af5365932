import { draftInvoice } from '../billing/invoices.ts'
import { nowOf, type Payments } from '../context.ts'
import type { Subscription } from '../objects/subscription.ts'
import { endSubscription, expireIncomplete } from './ending.ts'
import { prorationLines } from './prorations.ts'
import { finalizeAndCollect } from './renewing.ts'
import { customerOf, keepForRenewal, updateDraft } from './updating.ts'

/** Ends a subscription at once; what was paid ahead is given back only where it is asked for. */
export function cancelNow(
  payments: Payments,
  subscription: Subscription,
  { prorates, invoices }: { prorates: boolean; invoices: boolean },
): void {
  if (subscription.status === 'incomplete') {
    expireIncomplete(payments, subscription)
    return
  }
  const removal = subscription.items.data.map(({ id }) => ({ id, isNew: false, terms: null }))
  const credits = prorates ? prorationLines(payments, subscription, removal, nowOf(payments)) : []
  endSubscription(payments, subscription, 'cancellation_requested')
  if (credits.length === 0) return
  if (invoices && customerOf(payments, subscription)) {
    const invoice = draftInvoice(payments, updateDraft(payments, subscription, credits))
    subscription.latest_invoice = invoice.id
    finalizeAndCollect(payments, invoice)
  } else {
    for (const { line } of credits) keepForRenewal(payments, subscription, line)
  }
}
