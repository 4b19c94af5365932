import type { CatalogItem } from '../../../payments/payments.ts'

/** The lookup keys of the prices at the provider. */
export const PRICE_KEYS = {
  starter: 'hubline_starter_monthly',
  pro: 'hubline_pro_monthly',
  connection: 'hubline_connection_monthly',
} as const

const CURRENCY = 'brl'

/** The prices that the hub creates in an account that has none. An amount that the operator set there takes precedence. */
export const CATALOG: readonly CatalogItem[] = [
  { lookupKey: PRICE_KEYS.starter, name: 'Hubline Starter', unitAmount: 9900, currency: CURRENCY },
  { lookupKey: PRICE_KEYS.pro, name: 'Hubline Pro', unitAmount: 34_900, currency: CURRENCY },
  { lookupKey: PRICE_KEYS.connection, name: 'Hubline additional connection', unitAmount: 1900, currency: CURRENCY },
]
