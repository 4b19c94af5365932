import type { Clock } from '../../../kernel/clock.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { LEASE_SECONDS } from '../idempotency/service.ts'
import type { Quota } from '../plans/plans.ts'
import type { Quotas } from '../quotas/service.ts'
import type { QuotaRow } from '../quotas/store.ts'
import * as store from './store.ts'

/** A change in progress. */
export type Operation = {
  /** Enforces lower limits before the provider is called, and returns what is in use. */
  capLimits: (tx: Tx, limits: Record<Quota, number>) => Promise<QuotaRow>
  /** Leaves the lower limits enforced until the next fetch of the customer. */
  keepCaps: () => void
}

export type Operations = ReturnType<typeof createOperations>

type Dependencies = { sql: Pool; now: Clock; quotas: Quotas; logger: Logger }

/** Runs the changes of an organization's subscription one at a time. */
export function createOperations({ sql, now, quotas, logger }: Dependencies) {
  return {
    async run<T>(organizationId: string, work: (operation: Operation) => Promise<T>): Promise<T> {
      const key = { organizationId, operation: newId(now()) }
      if (!(await store.claimOperation(sql, { ...key, seconds: LEASE_SECONDS }))) {
        throw new AppError('OPERATION_IN_PROGRESS', 'subscription_change_in_progress')
      }
      const capLimits = async (tx: Tx, limits: Record<Quota, number>) => {
        await quotas.lockAll(tx, organizationId)
        await store.updateCaps(tx, { ...key, ...limits })
        return quotas.read(tx, organizationId)
      }
      // If the outcome is unknown (a 5xx), the caps stay until the next fetch of the customer.
      let isSettled = true
      const keepCaps = () => {
        isSettled = false
      }
      try {
        return await work({ capLimits, keepCaps })
      } catch (err) {
        isSettled = err instanceof AppError && err.status < 500
        throw err
      } finally {
        // The lease ends it otherwise. A change that the provider has made must not fail for it.
        await store.endOperation(sql, { ...key, isSettled }).catch((err) => {
          logger.warn({ err, organization_id: organizationId }, 'a change of a subscription ends with its lease')
        })
      }
    },
  }
}
