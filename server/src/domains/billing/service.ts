import type { Tx } from '../../kernel/db/pool.ts'
import { AppError } from '../../kernel/errors.ts'
import { PLANS, type Quota } from './plans.ts'
import * as store from './store.ts'

const NOUNS: Record<Quota, string> = { channels: 'channels', webhook_endpoints: 'webhook endpoints' }

export type Billing = ReturnType<typeof createBilling>

export function createBilling({ billing }: { billing: 'off' | 'sandbox' | 'stripe' }) {
  return {
    /** Refuses one more of what the plan limits. Exact: nobody else counts until the caller's transaction ends. */
    async reserve(tx: Tx, organizationId: string, quota: Quota): Promise<void> {
      if (billing === 'off') return
      await store.lockQuota(tx, organizationId, quota)
      const limit = PLANS.free[quota]
      const used = await store.countUsed(tx, organizationId, quota)
      if (used < limit) return
      throw new AppError('QUOTA_EXCEEDED', `Your plan includes ${limit} ${NOUNS[quota]}, and all are in use.`, {
        details: { quota, limit, used },
      })
    },
  }
}
