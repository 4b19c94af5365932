/** Resources that a plan limits, with the noun for error messages. */
export const QUOTA_NOUNS = { channels: 'channels', webhook_endpoints: 'webhook endpoints' } as const
export type Quota = keyof typeof QUOTA_NOUNS
export const QUOTAS = Object.keys(QUOTA_NOUNS) as Quota[]

/** The limits of each plan, and the connections that can be added to it. */
export const PLANS = {
  free: { channels: 2, webhook_endpoints: 5, addonsMax: 0 },
  starter: { channels: 5, webhook_endpoints: 20, addonsMax: 20 },
  pro: { channels: 20, webhook_endpoints: 100, addonsMax: 200 },
} satisfies Record<string, Record<Quota | 'addonsMax', number>>
export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

/** The plans that a checkout sells. */
export type PaidPlan = Exclude<Plan, 'free'>
export const PAID_PLANS = PLAN_NAMES.filter((plan) => plan !== 'free')

export function isPaidPlan(text: string): text is PaidPlan {
  return PAID_PLANS.some((plan) => plan === text)
}

/** Each additional connection raises the limit of channels by one. */
export function computeLimits({ plan, addons }: { plan: Plan; addons: number }): Record<Quota, number> {
  const { channels, webhook_endpoints } = PLANS[plan]
  return { channels: channels + addons, webhook_endpoints }
}
