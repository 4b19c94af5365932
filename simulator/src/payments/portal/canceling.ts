import type { Payments } from '../context.ts'
import type { Customer } from '../objects/customer.ts'
import { isEnded, periodOf, type Subscription } from '../objects/subscription.ts'
import { scheduleCancellation } from '../subscriptions/applying.ts'
import { cancelNow } from '../subscriptions/canceling.ts'

/**
 * Cancels as the portal does: in the flexible billing mode it writes down the
 * date alone, and `cancel_at_period_end` stays false.
 */
export function cancelInPortal(
  payments: Payments,
  customer: Customer,
  id?: string,
  mode: 'at_period_end' | 'immediately' = 'at_period_end',
): Subscription | undefined {
  const subscription = subscriptionsOf(payments, customer, id).find(({ cancel_at }) => cancel_at === null)
  if (!subscription) return undefined
  if (mode === 'immediately') {
    cancelNow(payments, subscription, { prorates: false, invoices: false })
    return subscription
  }
  payments.events.change('customer.subscription.updated', subscription, () => {
    scheduleCancellation(payments, subscription, periodOf(subscription).end)
  })
  return subscription
}

export function resumeInPortal(payments: Payments, customer: Customer, id?: string): Subscription | undefined {
  const subscription = subscriptionsOf(payments, customer, id).find(({ cancel_at }) => cancel_at !== null)
  if (!subscription) return undefined
  payments.events.change('customer.subscription.updated', subscription, () => {
    subscription.cancel_at_period_end = false
    scheduleCancellation(payments, subscription, null)
  })
  return subscription
}

/** The customer's subscriptions that have not ended, the newest first. */
export function subscriptionsOf({ state }: Payments, customer: Customer, id?: string): Subscription[] {
  return [...state.subscriptions.values()]
    .filter((subscription) => subscription.customer === customer.id && !isEnded(subscription))
    .filter((subscription) => id === undefined || subscription.id === id)
    .reverse()
}
