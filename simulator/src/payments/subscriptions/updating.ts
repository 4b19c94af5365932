import { attemptPayment, defaultMethod, verdictOn } from '../billing/charge.ts'
import { refusedCharge } from '../billing/failures.ts'
import { type Draft, draftInvoice, finalizeInvoice } from '../billing/invoices.ts'
import { nowOf, type Payments } from '../context.ts'
import { missing } from '../http/errors.ts'
import type { Customer } from '../objects/customer.ts'
import type { Invoice } from '../objects/invoice.ts'
import type { Subscription } from '../objects/subscription.ts'
import { settle } from '../settlement.ts'
import { applyChange } from './applying.ts'
import type { Change, ItemChange } from './change.ts'
import { discardPending, setPending } from './pending.ts'
import { debitsOf, type ProrationLine, prorationLines } from './prorations.ts'

export type ProrationBehavior = 'create_prorations' | 'always_invoice' | 'none'
export type PaymentBehavior =
  | 'allow_incomplete'
  | 'default_incomplete'
  | 'error_if_incomplete'
  | 'pending_if_incomplete'

export interface Update {
  items: ItemChange[]
  metadata: Change['metadata']
  cancelAtPeriodEnd: boolean | undefined
  prorationBehavior: ProrationBehavior
  prorationDate: number | undefined
  paymentBehavior: PaymentBehavior
  /** What else the request changes, whether or not a payment succeeds. */
  also?: () => void
}

/**
 * Changes a subscription. Prorations are left out, kept for the next renewal,
 * or invoiced at once; and when that invoice is not paid the change is made
 * all the same, made to wait, or refused, as the payment behaviour says.
 */
export function updateSubscription(payments: Payments, subscription: Subscription, update: Update): void {
  const at = update.prorationDate ?? nowOf(payments)
  const isProrated = update.prorationBehavior !== 'none' && update.items.length > 0
  const prorations = isProrated ? prorationLines(payments, subscription, update.items, at) : []
  if (update.prorationBehavior === 'always_invoice' && prorations.length > 0) {
    invoiceNow(payments, subscription, update, prorations)
    return
  }
  replacePending(payments, subscription, update)
  for (const { line } of prorations) keepForRenewal(payments, subscription, line)
  const debits = debitsOf(prorations, () => undefined)
  change(payments, subscription, update, () => applyChange(payments, subscription, changeOf(update, debits)))
}

function invoiceNow(payments: Payments, subscription: Subscription, update: Update, prorations: ProrationLine[]): void {
  const draft = updateDraft(payments, subscription, prorations)
  if (update.paymentBehavior === 'error_if_incomplete') checkPayable(payments, draft)
  replacePending(payments, subscription, update)
  const invoice = draftInvoice(payments, draft)
  finalizeInvoice(payments, invoice)
  const debits = debitsOf(prorations, (index) => ({ invoice: invoice.id, line: invoice.lines.data[index]?.id ?? '' }))
  const waits = update.paymentBehavior === 'pending_if_incomplete'
  if (waits) invoice.auto_advance = false
  const isPaid = pay(payments, invoice, update.paymentBehavior)
  change(payments, subscription, update, () => {
    subscription.latest_invoice = invoice.id
    if (waits && !isPaid) setPending(payments, subscription, invoice, changeOf(update, debits))
    else applyChange(payments, subscription, changeOf(update, debits))
    if (!isPaid && !waits && subscription.status === 'active') subscription.status = 'past_due'
  })
}

/** An update that was still waiting gives way to the new one. */
function replacePending(payments: Payments, subscription: Subscription, { items, cancelAtPeriodEnd }: Update): void {
  if (items.length > 0 || cancelAtPeriodEnd !== undefined) discardPending(payments, subscription)
}

function pay(payments: Payments, invoice: Invoice, behavior: PaymentBehavior): boolean {
  if (invoice.status === 'paid') return true
  if (behavior === 'default_incomplete') {
    // The invoice waits for the customer, and nobody retries for them.
    invoice.auto_advance = false
    return false
  }
  return attemptPayment(payments, invoice, { presence: 'offSession', isAutomatic: true }) === undefined
}

export function updateDraft(payments: Payments, subscription: Subscription, prorations: ProrationLine[]): Draft {
  const now = nowOf(payments)
  return {
    customer: customerOf(payments, subscription),
    subscription,
    reason: 'subscription_update',
    lines: prorations.map(({ line }) => line),
    period: { start: now, end: now },
  }
}

/** Nothing at all happens when the payment would fail. */
function checkPayable(payments: Payments, { customer, subscription, lines }: Draft): void {
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  if (settle(total, customer.balance, subscription.currency).amountDue === 0) return
  const method = defaultMethod(payments, subscription, customer.id)
  const verdict = method ? verdictOn(payments, method, 'offSession') : 'no_method'
  if (verdict !== 'succeeds') throw refusedCharge(verdict)
}

export function keepForRenewal({ state }: Payments, subscription: Subscription, line: ProrationLine['line']): void {
  const id = line.proration?.invoiceItem ?? ''
  state.invoiceItems.set(id, { id, customer: subscription.customer, subscription: subscription.id, line })
}

function changeOf({ items, metadata, cancelAtPeriodEnd }: Update, debits: Change['debits']): Change {
  return { items, metadata, cancelAtPeriodEnd, debits }
}

function change(payments: Payments, subscription: Subscription, update: Update, apply: () => void): void {
  payments.events.change('customer.subscription.updated', subscription, () => {
    apply()
    update.also?.()
  })
}

export function customerOf({ state }: Payments, { customer: id }: Subscription): Customer {
  const customer = state.customers.get(id)
  if (!customer) throw missing('customer', id, 'customer')
  return customer
}
