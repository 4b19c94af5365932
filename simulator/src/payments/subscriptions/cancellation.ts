import { nowInSeconds, type Payments } from '../context.ts'
import type { Customer, Subscription } from '../objects.ts'
import { isEnded } from './collection.ts'
import { findPeriod } from './items.ts'

/** Schedules the end of the subscription with its period, or takes that back. */
export function setCancellation(payments: Payments, subscription: Subscription, isCanceled: boolean): void {
  subscription.cancel_at = isCanceled ? findPeriod(subscription).end : null
  subscription.canceled_at = isCanceled ? nowInSeconds(payments) : null
  subscription.cancellation_details = { reason: isCanceled ? 'cancellation_requested' : null }
}

/**
 * Cancels at the end of the period, or resumes, as the portal does: in the flexible billing mode it sets `cancel_at`
 * only, and `cancel_at_period_end` stays false.
 */
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
  if (!subscription) return undefined
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.cancel_at_period_end = false
    setCancellation(payments, subscription, isCanceled)
  })
  return subscription
}

/** The customer's subscriptions that have not ended, newest first. */
export function listCurrentSubscriptions({ state }: Payments, customer: Customer): Subscription[] {
  return [...state.subscriptions.values()]
    .filter((subscription) => subscription.customer === customer.id && !isEnded(subscription))
    .reverse()
}
