import type { SubscriptionStatus } from '../plans/entitlement.ts'
import type { SubscriptionPeriod } from '../subscriptions/store.ts'

/** While a subscription is paid or payment is demanded, usage follows its period. */
const BILLED_STATUSES: readonly SubscriptionStatus[] = ['active', 'past_due', 'suspended']

type UsagePeriod = { start: string; end: string }

/** The subscription's period if there is one, else the calendar month in UTC. */
export function computeUsagePeriod(
  subscription: Omit<SubscriptionPeriod, 'cancels_at'> | undefined,
  now: Date,
): UsagePeriod {
  const { status, period_start: start, current_period_end: end } = subscription ?? { status: 'none' as const }
  if (start && end && BILLED_STATUSES.includes(status)) return { start, end }
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return {
    start: new Date(Date.UTC(year, month)).toISOString(),
    end: new Date(Date.UTC(year, month + 1)).toISOString(),
  }
}
