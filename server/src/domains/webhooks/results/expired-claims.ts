import type { Clock } from '../../../kernel/clock.ts'
import { createLostSessions } from '../../../kernel/db/lost-sessions.ts'
import { afterCommit, type Pool, type Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import { buildUsageInsert } from '../../billing/usage/service.ts'
import type { LiveUpdates } from '../../live-updates/service.ts'
import { buildAttemptCountInsert } from '../../statistics/counts/service.ts'
import { buildFailureReset } from '../endpoints/health.ts'
import type { ExpiredClaim } from '../engine/delivery.ts'
import { toInterruptedResult } from './attempt-result.ts'
import type { ResultBuffer } from './result-buffer.ts'
import { toDeliveryUpdates } from './result-writer.ts'
import {
  finishAttempts,
  type LockOptions,
  listUnlockedWorkers,
  lockClaimsOfWorkers,
  lockExpiredClaims,
} from './store.ts'

const BATCH_SIZE = 1000
const OTHER_WRITES = { buildUsageInsert, buildAttemptCountInsert, buildFailureReset }

type Dependencies = {
  sql: Pool
  now: Clock
  results: Pick<ResultBuffer, 'listDeliveryIds'>
  liveUpdates: Pick<LiveUpdates, 'record'>
}

/**
 * The attempt of a worker that died has failed. It counts as one of the ten, but not against the receiver. Where a result
 * of this process waits to be written, the attempt was made: a table that is locked for longer than a lease must not
 * repeat it.
 */
export function createExpiredClaims({ sql, now, results, liveUpdates }: Dependencies) {
  const lostWorkers = createLostSessions({ listUnlocked: () => listUnlockedWorkers(sql), now })

  async function finishAll(lockClaims: (tx: Tx, options: LockOptions) => Promise<ExpiredClaim[]>): Promise<void> {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
      count = await sql.begin(async (tx) => {
        const expired = await lockClaims(tx, { except: results.listDeliveryIds(), limit: BATCH_SIZE })
        const interrupted = expired.map((claim) => toInterruptedResult(claim, newId(now())))
        if (interrupted.length > 0) await finishAttempts(tx, interrupted, OTHER_WRITES)
        afterCommit(tx, () => liveUpdates.record(interrupted, toDeliveryUpdates))
        return expired.length
      })
    }
  }

  return {
    /** The attempts of claims whose lease has expired. */
    finishInterrupted: (): Promise<void> => finishAll(lockExpiredClaims),

    /** The attempts of workers whose lock is gone. Their leases have not expired yet. */
    async finishOfLostWorkers(): Promise<void> {
      const workers = await lostWorkers.list()
      if (workers.length > 0) await finishAll((tx, options) => lockClaimsOfWorkers(tx, workers, options))
    },
  }
}
