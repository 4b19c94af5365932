import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Entitlement } from '../plans/entitlement.ts'
import type { Quota } from '../plans/plans.ts'

/**
 * Serializes the creations of one organization under one quota: each transaction counts what the previous one
 * committed.
 */
export async function lockQuota(tx: Tx, organizationId: string, quota: Quota): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`quota:${quota}:${organizationId}`}, 0))`
}

/** An organization's plan, its caps, and how many of each quota are in use, as `channels` and `webhook_endpoints`. */
export type QuotaRow = Pick<Entitlement, 'plan' | 'status' | 'addons'> &
  Record<Quota, number> &
  Record<`${Quota}_cap`, number | null>

/** For each quota a statement that counts what is in use as `used`, built by the domain that owns the table. */
export type BuildCounts = Record<Quota, (sql: Sql, organizationId: string) => Fragment>

/** The counts are exact for a quota that the caller has locked. */
export async function findQuotas(sql: Sql, organizationId: string, buildCounts: BuildCounts): Promise<QuotaRow> {
  const [row] = await sql<QuotaRow[]>`
    select coalesce(s.plan, 'free') as plan, coalesce(s.status, 'none') as status, coalesce(s.addons, 0) as addons,
      s.channels_cap, s.webhook_endpoints_cap, c.used as channels, e.used as webhook_endpoints
    from (${buildCounts.channels(sql, organizationId)}) c
    cross join (${buildCounts.webhook_endpoints(sql, organizationId)}) e
    left join subscriptions s on s.organization_id = ${organizationId}`
  if (!row) throw new Error('A count returned no row')
  return row
}
