import type { Payments } from './context.ts'
import type { Price } from './objects/catalogue.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** An amount in minor units as people write it. */
export function moneyText(amount: number, currency: string, locale = 'en-US'): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** decimals)
}

export function productName({ state }: Pick<Payments, 'state'>, price: Price): string {
  return state.products.get(price.product)?.name ?? price.product
}

export function periodText(payments: Payments, price: Price, quantity: number): string {
  const unit = moneyText(price.unit_amount, price.currency)
  return `${quantity} × ${productName(payments, price)} (at ${unit} / ${price.recurring?.interval ?? 'month'})`
}

/** Prorations speak of a quantity only where there is more than one. */
export function prorationText(
  payments: Payments,
  kind: 'Unused' | 'Remaining',
  price: Price,
  quantity: number,
  at: number,
) {
  const what = quantity === 1 ? productName(payments, price) : `${quantity} × ${productName(payments, price)}`
  return `${kind} time on ${what} after ${dateText(at)}`
}

function dateText(second: number): string {
  const date = new Date(second * 1_000)
  return `${String(date.getUTCDate()).padStart(2, '0')} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
