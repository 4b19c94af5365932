import type { CatalogItem } from '../../../payments/payments.ts'
import type { PaidPlan } from './plans.ts'

/** Items that have a price. */
type Item = PaidPlan | 'connection'

/** The lookup keys of the prices at the provider. */
export const PRICE_KEYS: Record<Item, string> = {
  starter: 'hubline_starter_monthly',
  pro: 'hubline_pro_monthly',
  connection: 'hubline_connection_monthly',
}

export const PRICED_ITEMS = Object.keys(PRICE_KEYS) as Item[]

const PRICES: Record<Item, { name: string; unitAmount: number }> = {
  starter: { name: 'Hubline Starter', unitAmount: 9900 },
  pro: { name: 'Hubline Pro', unitAmount: 34_900 },
  connection: { name: 'Hubline additional connection', unitAmount: 1900 },
}
const CURRENCY = 'brl'

/** The prices that the hub creates in an account that has none. An amount that the operator set there takes precedence. */
export const CATALOG: readonly CatalogItem[] = PRICED_ITEMS.map((item) => ({
  lookupKey: PRICE_KEYS[item],
  ...PRICES[item],
  currency: CURRENCY,
}))
