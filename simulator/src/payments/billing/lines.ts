import { findProductName } from '../catalog.ts'
import type { Payments } from '../context.ts'
import type { InvoiceLine, Period, Subscription } from '../objects.ts'
import type { ItemTerms } from '../state.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats an amount in minor units. */
export function formatMoney(amount: number, currency: string, locale = 'en-US'): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** One line per item for its current period. */
export function buildPeriodLines(payments: Payments, subscription: Subscription): InvoiceLine[] {
  return subscription.items.data.map((item) => {
    const { price, quantity } = item
    const unit = formatMoney(price.unit_amount, price.currency)
    return buildLine(payments, subscription.id, item, {
      amount: price.unit_amount * quantity,
      description: `${quantity} × ${findProductName(payments, price)} (at ${unit} / month)`,
      period: { start: item.current_period_start, end: item.current_period_end },
      isProration: false,
    })
  })
}

export function buildProrationLine(
  payments: Payments,
  subscription: Subscription,
  terms: ItemTerms,
  { kind, amount, period }: { kind: 'Unused' | 'Remaining'; amount: number; period: Period },
): InvoiceLine {
  const name = findProductName(payments, terms.price)
  const product = terms.quantity === 1 ? name : `${terms.quantity} × ${name}`
  const description = `${kind} time on ${product} after ${formatDate(period.start)}`
  return buildLine(payments, subscription.id, terms, { amount, description, period, isProration: true })
}

function formatDate(second: number): string {
  const date = new Date(second * 1_000)
  return `${String(date.getUTCDate()).padStart(2, '0')} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

interface LineDetails {
  amount: number
  description: string
  period: Period
  isProration: boolean
}

function buildLine(
  { newId }: Payments,
  subscription: string,
  { id, price, quantity }: ItemTerms,
  { amount, description, period, isProration }: LineDetails,
): InvoiceLine {
  return {
    id: newId('invoiceLine'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description,
    parent: {
      subscription_item_details: { proration: isProration, subscription, subscription_item: id },
      type: 'subscription_item_details',
    },
    period,
    pricing: { price_details: { price: price.id, product: price.product }, type: 'price_details' },
    quantity,
  }
}
