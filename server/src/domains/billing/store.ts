import type { Tx } from '../../kernel/db/pool.ts'
import type { Quota } from './plans.ts'

/**
 * Makes the creations of one organization's quota wait for one another until
 * they commit, so that each counts what the one before it made.
 */
export async function lockQuota(tx: Tx, organizationId: string, quota: Quota): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`quota:${quota}:${organizationId}`}, 0))`
}

export async function countUsed(tx: Tx, organizationId: string, quota: Quota): Promise<number> {
  const [row] = await (quota === 'channels'
    ? tx<{ used: number }[]>`
        select count(*)::int as used
        from channels
        where organization_id = ${organizationId}
          and archived_at is null`
    : tx<{ used: number }[]>`
        select count(*)::int as used
        from webhook_endpoints
        where organization_id = ${organizationId}`)
  return row?.used ?? 0
}
