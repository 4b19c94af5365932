import { nowOf, type Payments } from '../context.ts'
import type { Customer } from '../objects/customer.ts'
import { type BillingReason, type Invoice, invoiceObject } from '../objects/invoice.ts'
import { lineObject, type NewLine } from '../objects/invoice-line.ts'
import { invoicePaymentObject, paymentIntentObject } from '../objects/payment.ts'
import type { Period, Subscription } from '../objects/subscription.ts'
import { settle } from '../settlement.ts'

export interface Draft {
  customer: Customer
  subscription: Subscription
  reason: BillingReason
  lines: NewLine[]
  period: Period
  /** Only previews tell at which second they reckoned. */
  prorationDate?: number
}

/**
 * An invoice is a draft, then final: open until it is paid, voided or given up
 * as uncollectible, or paid at once when nothing is due. Becoming final takes
 * the customer's balance into account and asks for the rest.
 */
export function draftInvoice(payments: Payments, draft: Draft): Invoice {
  const invoice = composed(payments, draft, payments.newId('invoice'), () => payments.newId('invoiceLine'))
  payments.state.invoices.set(invoice.id, invoice)
  payments.events.emit('invoice.created', invoice)
  return invoice
}

/** What an invoice would be, without making it. */
export function previewInvoice(payments: Payments, draft: Draft): Invoice {
  return composed(payments, draft, payments.newId('preview'), () => payments.newId('previewLine'))
}

function composed(payments: Payments, draft: Draft, id: string, newLineId: () => string): Invoice {
  const { customer, subscription, reason, lines, period, prorationDate } = draft
  const { currency } = subscription
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  return invoiceObject({
    id,
    account_name: payments.account.name,
    amount_due: settle(total, customer.balance, currency).amountDue,
    billing_reason: reason,
    created: nowOf(payments),
    currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    lines: lines.map((line) => lineObject(newLineId(), id, line)),
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: { ...subscription.metadata },
        subscription: subscription.id,
        ...(prorationDate === undefined ? {} : { subscription_proration_date: prorationDate }),
      },
      type: 'subscription_details',
    },
    period_end: period.end,
    period_start: period.start,
    starting_balance: customer.balance,
  })
}

export function finalizeInvoice(payments: Payments, invoice: Invoice): void {
  const { events, newId, state } = payments
  const customer = state.customers.get(invoice.customer)
  const { amountDue, endingBalance } = settle(invoice.total, customer?.balance ?? 0, invoice.currency)
  invoice.starting_balance = customer?.balance ?? 0
  if (customer) {
    invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence++).padStart(4, '0')}`
    events.change('customer.updated', customer, () => {
      customer.balance = endingBalance
      customer.currency ??= invoice.currency
    })
  }
  invoice.amount_due = amountDue
  invoice.amount_remaining = amountDue
  invoice.ending_balance = endingBalance
  invoice.automatically_finalizes_at = null
  invoice.effective_at = nowOf(payments)
  invoice.status = 'open'
  invoice.status_transitions.finalized_at = nowOf(payments)
  invoice.hosted_invoice_url = `${payments.url()}/i/${invoice.id}`
  invoice.invoice_pdf = `${payments.url()}/i/${invoice.id}/pdf`
  events.emit('invoice.finalized', invoice)
  if (amountDue === 0) markPaid(payments, invoice)
  else askForPayment(payments, invoice, newId('paymentIntent'))
}

function askForPayment(payments: Payments, invoice: Invoice, intentId: string): void {
  const { newId, random, state } = payments
  const { amount_due: amount, currency, customer, id } = invoice
  const created = nowOf(payments)
  const intent = paymentIntentObject({
    id: intentId,
    amount,
    client_secret: `${intentId}_secret_${random.text(25)}`,
    created,
    currency,
    customer,
    description: invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
  })
  state.paymentIntents.set(intentId, intent)
  const given = { id: newId('invoicePayment'), amount_requested: amount, created, currency, invoice: id }
  state.invoicePayments.set(given.id, invoicePaymentObject(given, intentId))
}

export function markPaid(payments: Payments, invoice: Invoice): void {
  const { events, schedule } = payments
  schedule.cancel('retry', invoice.id)
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.attempted = true
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status = 'paid'
  invoice.status_transitions.paid_at = nowOf(payments)
  events.emit('invoice.paid', invoice)
  events.emit('invoice.payment_succeeded', invoice)
}

/** A voided invoice was never asked for, so the credit that it had used is the customer's again. */
export function voidInvoice(payments: Payments, invoice: Invoice): void {
  const { events, schedule, state } = payments
  schedule.cancel('retry', invoice.id)
  const customer = state.customers.get(invoice.customer)
  if (customer) {
    events.change('customer.updated', customer, () => {
      customer.balance += invoice.starting_balance - (invoice.ending_balance ?? 0)
    })
  }
  const payment = paymentOf(payments, invoice)
  if (payment) {
    payment.status = 'canceled'
    payment.status_transitions.canceled_at = nowOf(payments)
    const intent = state.paymentIntents.get(payment.payment.payment_intent)
    if (intent) Object.assign(intent, { status: 'canceled', cancellation_reason: 'void_invoice' })
  }
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status = 'void'
  invoice.status_transitions.voided_at = nowOf(payments)
  events.emit('invoice.voided', invoice)
}

export function paymentOf({ state }: Payments, invoice: Invoice) {
  return [...state.invoicePayments.values()].findLast((payment) => payment.invoice === invoice.id)
}

export function invoicesOf({ state }: Payments, subscription: Subscription): Invoice[] {
  return [...state.invoices.values()].filter(
    ({ parent }) => parent.subscription_details.subscription === subscription.id,
  )
}
