import { type FailureReason, findDefaultMethod } from '../cards.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import type { Invoice, PaymentMethod } from '../objects.ts'
import { findSubscription, markPaid } from './invoices.ts'

const DAY_SECONDS = 86_400

export interface Attempt {
  /** Only a customer on a page can authenticate a payment. */
  presence: 'onSession' | 'offSession'
  /** Automatic attempts follow the retry schedule, others come between them. */
  isAutomatic: boolean
  /** In place of the default payment method. */
  method?: PaymentMethod
}

/** Charges an open invoice. Returns the reason of the failure, or undefined if the invoice is now paid. */
export function attemptPayment(payments: Payments, invoice: Invoice, attempt: Attempt): FailureReason | undefined {
  const { events, state } = payments
  const method = attempt.method ?? findDefaultMethod(payments, invoice.customer, findSubscription(payments, invoice))
  const result = method ? (state.cards.get(method.id)?.[attempt.presence] ?? 'succeeds') : 'no_method'
  if (attempt.isAutomatic || invoice.attempt_count === 0) invoice.attempt_count += 1
  if (result === 'succeeds') {
    markPaid(payments, invoice)
    return undefined
  }
  if (attempt.isAutomatic) scheduleRetry(payments, invoice)
  if (result === 'requires_action') events.emit('invoice.payment_action_required', invoice)
  events.emit('invoice.payment_failed', invoice)
  return result
}

/** A first payment is not retried: the customer has 23 hours to make it. */
function scheduleRetry(payments: Payments, invoice: Invoice): void {
  const isRetried = invoice.auto_advance && invoice.billing_reason !== 'subscription_create'
  const days = isRetried ? payments.settings.retryAfterDays[invoice.attempt_count - 1] : undefined
  invoice.next_payment_attempt = days === undefined ? null : nowInSeconds(payments) + days * DAY_SECONDS
  if (invoice.next_payment_attempt !== null) payments.schedule.at('retry', invoice.id, invoice.next_payment_attempt)
}
