import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { AppError, type Reason } from '../../../kernel/errors.ts'
import { computeLimits, QUOTAS, type Quota } from '../plans/plans.ts'
import { subscriptionSuspended } from '../plans/suspension.ts'
import * as store from './store.ts'

export type Quotas = ReturnType<typeof createQuotas>

type Settings = {
  isEnforced: boolean
  /** Payments are simulated, so that the operator can make an organization on any plan. */
  isSandbox: boolean
  /** Without plans, one organization must not fill the database, nor a list that has no pages. */
  unbilledLimits: Record<Quota, number>
  buildCounts: store.BuildCounts
}

/** The limits of an organization's channels and webhook endpoints. Plans limit nothing if billing is off. */
export function createQuotas({ isEnforced, isSandbox, unbilledLimits, buildCounts }: Settings) {
  function pickReason(quota: Quota): Reason<'QUOTA_EXCEEDED'> & `${Quota}${string}` {
    if (!isEnforced) return `${quota}_of_organization`
    return isSandbox ? `${quota}_of_plan_in_sandbox` : `${quota}_of_plan`
  }

  return {
    isEnforced,

    /** With billing off, a plan that was bought earlier does not count. */
    async read(sql: Sql, organizationId: string): Promise<store.QuotaRow> {
      const row = await store.findQuotas(sql, organizationId, buildCounts)
      return isEnforced ? row : { ...row, plan: 'free', status: 'none', addons: 0 }
    },

    /** Throws unless one more is allowed. The quota stays locked until the caller's transaction ends. */
    async reserve(tx: Tx, organizationId: string, quota: Quota): Promise<void> {
      await store.lockQuota(tx, organizationId, quota)
      const row = await store.findQuotas(tx, organizationId, buildCounts)
      if (isEnforced && quota === 'channels' && row.status === 'suspended') throw subscriptionSuspended()
      const [limit, used] = [isEnforced ? computeLimit(row, quota) : unbilledLimits[quota], row[quota]]
      if (used < limit) return
      const parameters = { limit, used }
      throw new AppError('QUOTA_EXCEEDED', pickReason(quota), { parameters, details: { quota, limit, used } })
    },

    async lockAll(tx: Tx, organizationId: string): Promise<void> {
      for (const quota of QUOTAS) await store.lockQuota(tx, organizationId, quota)
    },

    /** A null limit means that the plan has none. */
    describe(row: store.QuotaRow): Record<Quota, { limit: number | null; used: number }> {
      const uses = QUOTAS.map((quota) => [
        quota,
        { limit: isEnforced ? computeLimit(row, quota) : null, used: row[quota] },
      ])
      return Object.fromEntries(uses)
    },
  }
}

/** While a change to a lower limit is in progress, the cap is that lower limit. */
function computeLimit(row: store.QuotaRow, quota: Quota): number {
  const limit = computeLimits(row)[quota]
  return Math.min(limit, row[`${quota}_cap`] ?? limit)
}
