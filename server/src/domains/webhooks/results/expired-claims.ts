import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import { buildUsageInsert } from '../../billing/usage/service.ts'
import { buildFailureReset } from '../endpoints/health.ts'
import { toInterruptedResult } from './attempt-result.ts'
import { finishAttempts, lockExpiredClaims } from './store.ts'

const BATCH_SIZE = 1000

export type ExpiredClaims = ReturnType<typeof createExpiredClaims>

export function createExpiredClaims({ sql, now }: { sql: Pool; now: Clock }) {
  return {
    /** The attempt of a worker that died has failed. It counts as one of the ten, but not against the receiver. */
    async finishInterrupted(): Promise<void> {
      for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
        count = await sql.begin(async (tx) => {
          const expired = await lockExpiredClaims(tx, BATCH_SIZE)
          const results = expired.map((claim) => toInterruptedResult(claim, newId(now())))
          if (results.length > 0) await finishAttempts(tx, results, { buildUsageInsert, buildFailureReset })
          return expired.length
        })
      }
    },
  }
}
