import { findProductName } from '../catalog.ts'
import type { Payments } from '../context.ts'
import { invalidRequest } from '../http/errors.ts'
import type { InvoiceLine, Period, Subscription } from '../objects.ts'
import type { ItemCharge, ItemTerms } from '../state.ts'
import { findPeriod } from '../subscriptions/items.ts'

/** Formats an amount in minor units. */
export function formatMoney(amount: number, currency: string, locale = 'en-US'): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** One line per item for its current period, whose charge is remembered for later credits. */
export function chargePeriod(payments: Payments, subscription: Subscription): InvoiceLine[] {
  const period = findPeriod(subscription)
  return subscription.items.data.map((item) => {
    const { price, quantity } = item
    const amount = price.unit_amount * quantity
    payments.state.itemCharges.set(item.id, { amount, period })
    const unit = formatMoney(price.unit_amount, price.currency)
    const description = `${quantity} × ${findProductName(payments, price)} (at ${unit} / month)`
    return buildLine(payments, item, { amount, description, period })
  })
}

/**
 * Prorates a change of items at a second: for each item a credit for the charged time that is no longer used, then a
 * charge for the same time at the new terms. Each line is rounded by itself.
 */
export function prorateItems(
  payments: Payments,
  subscription: Subscription,
  items: ItemTerms[],
  at: number,
): { lines: InvoiceLine[]; charges: [itemId: string, charge: ItemCharge][] } {
  const { start, end } = findPeriod(subscription)
  if (at < start || at > end) {
    const message = `The proration_date must be within the subscription's current billing period (${start} to ${end}).`
    throw invalidRequest(message, { param: 'proration_date' })
  }
  const period = { start: at, end }
  const lines: InvoiceLine[] = []
  const charges: [string, ItemCharge][] = []
  const add = (kind: 'Unused' | 'Remaining', terms: ItemTerms, amount: number) => {
    const description = `${kind} time on ${terms.quantity} × ${findProductName(payments, terms.price)}`
    lines.push(buildLine(payments, terms, { amount, description, period }))
  }
  for (const terms of items) {
    const item = subscription.items.data.find(({ id }) => id === terms.id)
    const charged = payments.state.itemCharges.get(terms.id)
    if (item && charged && charged.amount > 0) add('Unused', item, creditUnused(charged, at))
    const amount = prorateAmount(terms.price.unit_amount * terms.quantity, { start, end }, at)
    if (terms.quantity > 0) add('Remaining', terms, amount)
    charges.push([terms.id, { amount, period }])
  }
  return { lines, charges }
}

/** The share of an amount for the time from `at` to the end of the period, to the second and the cent. */
export function prorateAmount(amount: number, period: Period, at: number): number {
  const [remaining, whole] = [BigInt(period.end - at), BigInt(period.end - period.start)]
  if (whole <= 0n) return 0
  // Half a cent is rounded up.
  return Number((2n * BigInt(amount) * remaining + whole) / (2n * whole))
}

/**
 * A credit is a share of what was charged, not of the price: half of the time of a charge that was rounded gives back
 * half of the rounded amount.
 */
export function creditUnused(charge: ItemCharge, at: number): number {
  return 0 - prorateAmount(charge.amount, charge.period, at)
}

function buildLine(
  { newId }: Payments,
  { price, quantity }: ItemTerms,
  { amount, description, period }: ItemCharge & { description: string },
): InvoiceLine {
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    description,
    period,
    pricing: { price_details: { price: price.id, product: price.product }, type: 'price_details' },
    quantity,
  }
}
