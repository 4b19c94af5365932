import type { Payments } from '../context.ts'
import { invalid } from '../http/errors.ts'
import type { NewLine } from '../objects/invoice-line.ts'
import { periodOf, type Subscription } from '../objects/subscription.ts'
import { type Debit, prorated, unused } from '../proration.ts'
import { prorationText } from '../wording.ts'
import type { ItemChange } from './change.ts'

export interface ProrationLine {
  line: NewLine
  kind: 'credit' | 'charge'
}

/**
 * For each changed item a credit for the time that was paid and is no longer
 * used, then a charge for the same time on the new terms. Each line is rounded
 * by itself.
 */
export function prorationLines(
  payments: Payments,
  subscription: Subscription,
  changes: ItemChange[],
  at: number,
): ProrationLine[] {
  checkDate(subscription, at)
  return changes
    .filter((change) => costsDiffer(subscription, change))
    .flatMap((change) => [
      ...creditFor(payments, subscription, change, at),
      ...chargeFor(payments, subscription, change, at),
    ])
}

function checkDate(subscription: Subscription, at: number): void {
  const { start, end } = periodOf(subscription)
  if (at >= start && at <= end) return
  const sentence = `The proration_date must be within the subscription's current billing period (${start} to ${end}).`
  throw invalid(sentence, { param: 'proration_date' })
}

function costsDiffer(subscription: Subscription, { id, terms }: ItemChange): boolean {
  const item = subscription.items.data.find((candidate) => candidate.id === id)
  return item?.price.id !== terms?.price.id || item?.quantity !== terms?.quantity
}

function creditFor(payments: Payments, subscription: Subscription, { id }: ItemChange, at: number): ProrationLine[] {
  const item = subscription.items.data.find((candidate) => candidate.id === id)
  const debit = payments.state.debits.get(id)
  if (!item || !debit || debit.amount === 0) return []
  const line: NewLine = {
    amount: unused(debit, at),
    description: prorationText(payments, 'Unused', item.price, item.quantity, at),
    period: { start: at, end: debit.period.end },
    price: item.price,
    quantity: item.quantity,
    subscription: subscription.id,
    subscriptionItem: id,
    metadata: item.metadata,
    proration: { invoiceItem: payments.newId('invoiceItem'), credits: debit.charged },
  }
  return [{ line, kind: 'credit' }]
}

function chargeFor(payments: Payments, subscription: Subscription, { terms }: ItemChange, at: number): ProrationLine[] {
  if (!terms || terms.quantity === 0) return []
  const period = periodOf(subscription)
  const { id, price, quantity, metadata } = terms
  const line: NewLine = {
    amount: prorated(price.unit_amount * quantity, period, at),
    description: prorationText(payments, 'Remaining', price, quantity, at),
    period: { start: at, end: period.end },
    price,
    quantity,
    subscription: subscription.id,
    subscriptionItem: id,
    metadata,
    proration: { invoiceItem: payments.newId('invoiceItem') },
  }
  return [{ line, kind: 'charge' }]
}

/**
 * What the items have been charged once these lines are on an invoice, or
 * before they are on one. An item without a charge of its own was taken away
 * or has a quantity of zero.
 */
export function debitsOf(
  prorations: ProrationLine[],
  chargedAt: (index: number) => Debit['charged'],
): [itemId: string, debit: Debit | null][] {
  const debits = new Map<string, Debit | null>()
  for (const [index, { line, kind }] of prorations.entries()) {
    const { amount, period, subscriptionItem } = line
    if (kind === 'credit') debits.set(subscriptionItem, null)
    else debits.set(subscriptionItem, { amount, period, charged: chargedAt(index) })
  }
  return [...debits]
}
