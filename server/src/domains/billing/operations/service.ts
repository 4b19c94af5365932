import type { Clock } from '../../../kernel/clock.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { REQUEST_SECONDS } from '../idempotency/service.ts'
import type { Quota } from '../plans/plans.ts'
import * as store from '../quotas/store.ts'
import * as operations from './store.ts'

/** A change that is under way. `lower` lets limits hold before they are asked for; see there. */
export type Operation = {
  lower: (tx: Tx, limits: Record<Quota, number>) => Promise<store.Room>
}

export type Operations = ReturnType<typeof createOperations>

/** Changes of a subscription, one at a time for each organization. */
export function createOperations({ sql, now }: { sql: Pool; now: Clock }) {
  return {
    async run<T>(organizationId: string, work: (operation: Operation) => Promise<T>): Promise<T> {
      const key = { organizationId, operation: newId(now()) }
      if (!(await operations.claimOperation(sql, { ...key, seconds: REQUEST_SECONDS }))) {
        throw new AppError('OPERATION_IN_PROGRESS', 'Another change of the subscription is under way. Ask again.')
      }
      const lower = async (tx: Tx, limits: Record<Quota, number>) => {
        for (const quota of ['channels', 'webhook_endpoints'] as const) {
          await store.lockQuota(tx, organizationId, quota)
        }
        await operations.updateCaps(tx, { ...key, ...limits })
        return store.findRoom(tx, organizationId)
      }
      // Until it is known what became of the change, the lower of two limits holds.
      let isSettled = false
      try {
        const result = await work({ lower })
        isSettled = true
        return result
      } catch (err) {
        isSettled = err instanceof AppError && err.status < 500
        throw err
      } finally {
        await operations.endOperation(sql, { ...key, isSettled })
      }
    },
  }
}
