import type { FailureReason } from '../cards.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import { findDefaultMethod } from '../customers.ts'
import type { Invoice, InvoiceLine, PaymentMethod, Subscription } from '../objects.ts'

const DAY_SECONDS = 86_400

/** In the minor units of any currency. Stripe's minimum is 0.50 in real, dollar and euro. */
const MINIMUM_CHARGE = 50

/**
 * An invoice is a draft, then open until it is paid or voided. Finalizing it settles the customer's balance; if
 * nothing is due then, it is paid at once.
 */
export function draftInvoice(
  payments: Payments,
  subscription: Subscription,
  reason: Invoice['billing_reason'],
  lines: InvoiceLine[],
): Invoice {
  const invoice = { ...previewInvoice(payments, subscription, lines), id: payments.newId('in'), billing_reason: reason }
  payments.state.invoices.set(invoice.id, invoice)
  payments.events.emit('invoice.created', invoice)
  return invoice
}

export function previewInvoice(payments: Payments, subscription: Subscription, lines: InvoiceLine[]): Invoice {
  const balance = payments.state.customers.get(subscription.customer)?.balance ?? 0
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  return {
    id: payments.newId('upcoming_in'),
    object: 'invoice',
    amount_due: settleBalance(total, balance).amountDue,
    amount_paid: 0,
    attempt_count: 0,
    auto_advance: true,
    billing_reason: 'upcoming',
    created: nowInSeconds(payments),
    currency: subscription.currency,
    customer: subscription.customer,
    ending_balance: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: { object: 'list', data: lines, has_more: false, url: '/v1/invoices/lines' },
    next_payment_attempt: null,
    number: null,
    parent: { subscription_details: { subscription: subscription.id }, type: 'subscription_details' },
    starting_balance: balance,
    status: 'draft',
    total,
  }
}

/**
 * The amount due after the customer's balance. Credit pays first, a negative total becomes credit, and an amount
 * below the minimum is carried over to the next invoice.
 */
export function settleBalance(total: number, balance: number): { amountDue: number; endingBalance: number } {
  const owed = total + balance
  return owed >= MINIMUM_CHARGE ? { amountDue: owed, endingBalance: 0 } : { amountDue: 0, endingBalance: owed }
}

export function finalizeInvoice(payments: Payments, invoice: Invoice): Invoice['status'] {
  const { events, state } = payments
  const customer = state.customers.get(invoice.customer)
  const { amountDue, endingBalance } = settleBalance(invoice.total, customer?.balance ?? 0)
  invoice.starting_balance = customer?.balance ?? 0
  if (customer) {
    invoice.number = `${customer.id.slice(-8).toUpperCase()}-${String(customer.next_invoice_sequence).padStart(4, '0')}`
    customer.next_invoice_sequence += 1
    events.change('customer.updated', customer, () => {
      customer.balance = endingBalance
    })
  }
  invoice.amount_due = amountDue
  invoice.ending_balance = endingBalance
  invoice.status = 'open'
  invoice.hosted_invoice_url = `${payments.url()}/i/${invoice.id}`
  events.emit('invoice.finalized', invoice)
  if (amountDue === 0) markPaid(payments, invoice)
  return invoice.status
}

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

function scheduleRetry(payments: Payments, invoice: Invoice): void {
  const days = invoice.auto_advance ? payments.settings.retryAfterDays[invoice.attempt_count - 1] : undefined
  invoice.next_payment_attempt = days === undefined ? null : nowInSeconds(payments) + days * DAY_SECONDS
  if (invoice.next_payment_attempt !== null) payments.schedule.at('retry', invoice.id, invoice.next_payment_attempt)
}

function markPaid(payments: Payments, invoice: Invoice): void {
  stopCollecting(payments, invoice)
  invoice.amount_paid = invoice.amount_due
  invoice.status = 'paid'
  payments.events.emit('invoice.paid', invoice)
  payments.events.emit('invoice.payment_succeeded', invoice)
}

/** Voids an open invoice and gives back the credit that it used. */
export function voidInvoice(payments: Payments, invoice: Invoice): void {
  const { events, state } = payments
  stopCollecting(payments, invoice)
  const customer = state.customers.get(invoice.customer)
  if (customer) {
    events.change('customer.updated', customer, () => {
      customer.balance += invoice.starting_balance - (invoice.ending_balance ?? 0)
    })
  }
  invoice.status = 'void'
  events.emit('invoice.voided', invoice)
}

/** The invoice stays as it is, but Stripe neither finalizes nor charges it any more. */
export function stopCollecting({ schedule }: Payments, invoice: Invoice): void {
  schedule.cancel('retry', invoice.id)
  schedule.cancel('finalize', invoice.id)
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
}

export function listInvoices({ state }: Payments, { id }: Subscription): Invoice[] {
  return [...state.invoices.values()].filter(({ parent }) => parent.subscription_details.subscription === id)
}

export function findSubscription({ state }: Payments, { parent }: Invoice): Subscription | undefined {
  return state.subscriptions.get(parent.subscription_details.subscription)
}
