import type { Verdict } from '../cards.ts'
import { nowOf, type Payments } from '../context.ts'
import { nextAttemptAt } from '../dunning.ts'
import type { Invoice } from '../objects/invoice.ts'
import type { PaymentIntent, PaymentMethod } from '../objects/payment.ts'
import type { Subscription } from '../objects/subscription.ts'
import { type FailureReason, failureOf } from './failures.ts'
import { markPaid, paymentOf } from './invoices.ts'

/** Whether the customer is there to prove who they are. */
export type Presence = 'onSession' | 'offSession'

export interface Attempt {
  presence: Presence
  /** The provider's own attempts follow the retry schedule; others come between them. */
  isAutomatic: boolean
  /** Pays with this one instead of the default. */
  method?: PaymentMethod | undefined
}

/** Asks the bank. Returns why not, or undefined when the invoice is now paid. */
export function attemptPayment(payments: Payments, invoice: Invoice, attempt: Attempt): FailureReason | undefined {
  const method = attempt.method ?? methodFor(payments, invoice)
  const verdict = method ? verdictOn(payments, method, attempt.presence) : 'no_method'
  const payment = paymentOf(payments, invoice)
  const intent = payment && payments.state.paymentIntents.get(payment.payment.payment_intent)
  if (attempt.isAutomatic || invoice.attempt_count === 0) invoice.attempt_count += 1
  if (verdict !== 'succeeds') {
    fail(payments, invoice, intent, verdict, attempt)
    return verdict
  }
  if (intent) {
    const paid = { status: 'succeeded', amount_received: intent.amount, last_payment_error: null, next_action: null }
    Object.assign(intent, paid, { payment_method: method?.id ?? null })
    payments.events.emit('payment_intent.succeeded', intent)
  }
  markPaid(payments, invoice)
  if (payment) {
    payment.amount_paid = invoice.amount_due
    payment.status = 'paid'
    payment.status_transitions.paid_at = nowOf(payments)
    payments.events.emit('invoice_payment.paid', payment)
  }
  return undefined
}

function fail(
  payments: Payments,
  invoice: Invoice,
  intent: PaymentIntent | undefined,
  reason: FailureReason,
  { isAutomatic }: Attempt,
): void {
  const { events } = payments
  const needsAction = reason === 'requires_action'
  if (intent) {
    intent.status = needsAction ? 'requires_action' : 'requires_payment_method'
    intent.last_payment_error = failureOf(reason)
    intent.next_action = needsAction ? { type: 'use_stripe_sdk', use_stripe_sdk: {} } : null
    events.emit(needsAction ? 'payment_intent.requires_action' : 'payment_intent.payment_failed', intent)
  }
  invoice.attempted = true
  if (isAutomatic) planRetry(payments, invoice)
  if (needsAction) events.emit('invoice.payment_action_required', invoice)
  events.emit('invoice.payment_failed', invoice)
}

/** First payments are not retried: whoever buys is there, and has a day to try another card. */
function planRetry({ clock, schedule, settings }: Payments, invoice: Invoice): void {
  const isRetried = invoice.auto_advance && invoice.billing_reason !== 'subscription_create'
  const at = isRetried ? nextAttemptAt(settings, invoice.attempt_count, nowOf({ clock })) : undefined
  invoice.next_payment_attempt = at ?? null
  if (at !== undefined) schedule.at('retry', invoice.id, at)
}

export function verdictOn({ state }: Payments, method: PaymentMethod, presence: Presence): Verdict {
  return state.cards.get(method.id)?.[presence] ?? 'succeeds'
}

/** The subscription's own method comes before the customer's. */
export function methodFor({ state }: Payments, invoice: Invoice): PaymentMethod | undefined {
  const subscription = state.subscriptions.get(invoice.parent.subscription_details.subscription)
  return defaultMethod({ state }, subscription, invoice.customer, invoice.default_payment_method)
}

export function defaultMethod(
  { state }: Pick<Payments, 'state'>,
  subscription: Subscription | undefined,
  customerId: string,
  first: string | null = null,
): PaymentMethod | undefined {
  const customer = state.customers.get(customerId)
  const id = first ?? subscription?.default_payment_method ?? customer?.invoice_settings.default_payment_method
  return id ? state.paymentMethods.get(id) : undefined
}
