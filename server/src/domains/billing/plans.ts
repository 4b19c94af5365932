export type Quota = 'channels' | 'webhook_endpoints'

/** What each plan includes. */
export const PLANS = {
  free: { channels: 2, webhook_endpoints: 5 },
  starter: { channels: 5, webhook_endpoints: 20 },
  pro: { channels: 20, webhook_endpoints: 100 },
} as const satisfies Record<string, Record<Quota, number>>

export type Plan = keyof typeof PLANS
