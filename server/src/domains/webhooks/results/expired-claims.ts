import type { Clock } from '../../../kernel/clock.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import { buildUsageInsert } from '../../billing/usage/service.ts'
import { buildFailureReset } from '../endpoints/health.ts'
import type { ExpiredClaim } from '../engine/delivery.ts'
import { toInterruptedResult } from './attempt-result.ts'
import { createLostWorkers } from './lost-workers.ts'
import { finishAttempts, lockClaimsOfWorkers, lockExpiredClaims } from './store.ts'

const BATCH_SIZE = 1000

export type ExpiredClaims = ReturnType<typeof createExpiredClaims>

/** The attempt of a worker that died has failed. It counts as one of the ten, but not against the receiver. */
export function createExpiredClaims({ sql, now }: { sql: Pool; now: Clock }) {
  const lostWorkers = createLostWorkers({ sql, now })

  async function finishAll(lockClaims: (tx: Tx) => Promise<ExpiredClaim[]>): Promise<void> {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
      count = await sql.begin(async (tx) => {
        const expired = await lockClaims(tx)
        const results = expired.map((claim) => toInterruptedResult(claim, newId(now())))
        if (results.length > 0) await finishAttempts(tx, results, { buildUsageInsert, buildFailureReset })
        return expired.length
      })
    }
  }

  return {
    /** The attempts of claims whose lease has expired. */
    finishInterrupted: (): Promise<void> => finishAll((tx) => lockExpiredClaims(tx, BATCH_SIZE)),

    /** The attempts of workers whose lock is gone. Their leases have not expired yet. */
    async finishOfLostWorkers(): Promise<void> {
      const workers = await lostWorkers.list()
      if (workers.length > 0) await finishAll((tx) => lockClaimsOfWorkers(tx, workers, BATCH_SIZE))
    },
  }
}
