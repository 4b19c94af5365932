import type { CatalogueItem } from '../../../payments/payments.ts'

export type Quota = 'channels' | 'webhook_endpoints'

/** What each plan includes, and how many connections can be added to it. */
export const PLANS = {
  free: { channels: 2, webhook_endpoints: 5, addonsMax: 0 },
  starter: { channels: 5, webhook_endpoints: 20, addonsMax: 20 },
  pro: { channels: 20, webhook_endpoints: 100, addonsMax: 200 },
} as const satisfies Record<string, Record<Quota | 'addonsMax', number>>

export type Plan = keyof typeof PLANS

/** What a checkout sells. */
export const PAID_PLANS = ['starter', 'pro'] as const
export type PaidPlan = (typeof PAID_PLANS)[number]

/** The names of prices at the provider. An amount that is set there counts; those below are for whoever has none yet. */
export const PRICE_KEYS = {
  starter: 'hubline_starter_monthly',
  pro: 'hubline_pro_monthly',
  connection: 'hubline_connection_monthly',
} as const

const CURRENCY = 'brl'

export const CATALOGUE: readonly CatalogueItem[] = [
  { key: PRICE_KEYS.starter, name: 'Hubline Starter', unitAmount: 9900, currency: CURRENCY },
  { key: PRICE_KEYS.pro, name: 'Hubline Pro', unitAmount: 34_900, currency: CURRENCY },
  { key: PRICE_KEYS.connection, name: 'Hubline additional connection', unitAmount: 1900, currency: CURRENCY },
]

export function isPaidPlan(text: string): text is PaidPlan {
  return PAID_PLANS.some((plan) => plan === text)
}

/** Each additional connection makes room for one more channel. */
export function limitsOf({ plan, addons }: { plan: Plan; addons: number }): Record<Quota, number> {
  const { channels, webhook_endpoints } = PLANS[plan]
  return { channels: channels + addons, webhook_endpoints }
}

/** A change as it is shown before anything happens. */
export type PlannedChange = {
  from: Plan
  to: PaidPlan
  addons: number
  amountDue: number
  currency: string
  prorationDate: string
}
