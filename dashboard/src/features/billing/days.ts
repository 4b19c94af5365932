import type { SubscriptionView } from '@hubline/sdk'
import { useSession } from '../../api/session.ts'
import { formatDay } from '../../lib/format.ts'

/** Writes a moment of billing as its day in the organization's time zone, so that all members read the same dates. */
export function useBillingDay(): (at: string) => string {
  const { time_zone: timeZone } = useSession().organization
  return (at) => formatDay(at, { timeZone })
}

/** The days of the period whose usage is shown. Without a subscription it is the month in UTC, and not a moment elsewhere. */
export function usePeriod({ subscription, usage }: SubscriptionView): { from: string; to: string } {
  const toDay = useBillingDay()
  const isOfSubscription = usage.period_end === subscription.current_period_end
  const write = (at: string) => (isOfSubscription ? toDay(at) : formatDay(at, { timeZone: 'UTC' }))
  return { from: write(usage.period_start), to: write(usage.period_end) }
}
