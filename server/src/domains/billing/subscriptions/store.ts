import type { Sql } from '../../../kernel/db/pool.ts'
import type { SubscriptionStatus } from '../plans/entitlement.ts'

export type SubscriptionPeriod = {
  status: SubscriptionStatus
  period_start: string | null
  current_period_end: string | null
  cancels_at: string | null
}

export async function findPeriod(sql: Sql, organizationId: string): Promise<SubscriptionPeriod | undefined> {
  const [row] = await sql<SubscriptionPeriod[]>`
    select status, period_start, current_period_end, cancels_at
    from subscriptions
    where organization_id = ${organizationId}`
  return row
}
