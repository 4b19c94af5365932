import { nowInSeconds, type Payments } from '../context.ts'
import type { Invoice, InvoiceLine, Subscription } from '../objects.ts'

/** In the minor units of any currency. Stripe's minimum is 0.50 in real, dollar and euro. */
const MINIMUM_CHARGE = 50

interface Draft {
  subscription: Subscription
  reason: Invoice['billing_reason']
  lines: InvoiceLine[]
}

/**
 * An invoice is a draft, then open until it is paid or voided. Finalizing it settles the customer's balance; if
 * nothing is due then, it is paid at once.
 */
export function draftInvoice(payments: Payments, draft: Draft): Invoice {
  const invoice = buildInvoice(payments, draft, payments.newId('invoice'))
  payments.state.invoices.set(invoice.id, invoice)
  payments.events.emit('invoice.created', invoice)
  return invoice
}

export function previewInvoice(payments: Payments, subscription: Subscription, lines: InvoiceLine[]): Invoice {
  return buildInvoice(payments, { subscription, reason: 'upcoming', lines }, payments.newId('preview'))
}

function buildInvoice(payments: Payments, { subscription, reason, lines }: Draft, id: string): Invoice {
  const { currency, customer } = subscription
  const balance = payments.state.customers.get(customer)?.balance ?? 0
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const { amountDue } = settleBalance(total, balance)
  return {
    id,
    object: 'invoice',
    amount_due: amountDue,
    amount_paid: 0,
    amount_remaining: amountDue,
    attempt_count: 0,
    auto_advance: true,
    billing_reason: reason,
    created: nowInSeconds(payments),
    currency,
    customer,
    ending_balance: null,
    hosted_invoice_url: null,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
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
    invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`
    customer.next_invoice_sequence += 1
    events.change('customer.updated', customer, () => {
      customer.balance = endingBalance
    })
  }
  invoice.amount_due = amountDue
  invoice.amount_remaining = amountDue
  invoice.ending_balance = endingBalance
  invoice.status = 'open'
  invoice.hosted_invoice_url = `${payments.url()}/i/${invoice.id}`
  events.emit('invoice.finalized', invoice)
  if (amountDue === 0) markPaid(payments, invoice)
  return invoice.status
}

export function markPaid(payments: Payments, invoice: Invoice): void {
  const { events } = payments
  stopCollecting(payments, invoice)
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.status = 'paid'
  events.emit('invoice.paid', invoice)
  events.emit('invoice.payment_succeeded', invoice)
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
