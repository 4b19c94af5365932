import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
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

/** True if the organization's subscription is suspended: a part of another domain's statement. */
export function buildSuspensions(sql: Sql): Fragment {
  return sql`
    select organization_id, status = 'suspended' as is_suspended
    from subscriptions`
}
