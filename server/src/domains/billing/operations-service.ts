import type { Clock } from '../../kernel/clock.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { AppError, invalidRequest } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import * as operations from './operations-store.ts'
import type { Quota } from './plans.ts'
import { REQUEST_SECONDS } from './requests-service.ts'
import * as store from './store.ts'

const PREVIEW_SECONDS = 600

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

    /**
     * The moment from which on a change is charged for: now, or one that was shown
     * with its amount a moment ago. Whole seconds, as the provider has them.
     */
    async prorationDate(organizationId: string, periodStart: string | null, given?: string): Promise<string> {
      if (given === undefined) return latest(wholeSecond(now()), periodStart)
      const prorationDate = new Date(given).toISOString()
      const preview = { organizationId, prorationDate, withinSeconds: PREVIEW_SECONDS }
      // The provider goes back to the beginning of the period, and not behind it.
      const isOfPeriod = latest(prorationDate, periodStart) === prorationDate
      if (isOfPeriod && (await operations.wasPreviewed(sql, preview))) return prorationDate
      const issue = { path: '/proration_date', message: 'is not that of a preview of the last ten minutes' }
      throw invalidRequest('The proration_date was not previewed within the last ten minutes. Preview again.', [issue])
    },

    async rememberPreview(organizationId: string, prorationDate: string): Promise<void> {
      await operations.insertPreview(sql, { organizationId, prorationDate })
    },

    async forgetPreviews(): Promise<void> {
      await operations.deleteOldPreviews(sql, PREVIEW_SECONDS)
    },
  }
}

function wholeSecond(date: Date): string {
  return new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString()
}

/** The provider's clock may be a little ahead, and nothing is charged for before the period began. */
function latest(date: string, periodStart: string | null): string {
  return periodStart !== null && periodStart > date ? periodStart : date
}
