import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import { counting } from '../../billing/usage/service.ts'
import { computeRetryWaitMs } from '../attempts/retry-schedule.ts'
import type { Ending } from './claims.ts'
import { readFigures } from './figures-store.ts'
import * as queue from './queue-store.ts'
import * as store from './upkeep-store.ts'

const BATCH = 1000
const HELD_DAYS = 4
/** No statement lasts as long, so no fan-out does. */
const STRAGGLER_SECONDS = 300

export type Upkeep = ReturnType<typeof createUpkeep>

/** What keeps the queue in order when nobody delivers: lost workers, canceled deliveries, deleted endpoints. */
export function createUpkeep({ sql, now }: { sql: Pool; now: Clock }) {
  return {
    /** An attempt whose worker died failed, though not by the receiver. It counts as one of the ten. */
    async endInterrupted(): Promise<void> {
      for (let count = BATCH; count === BATCH; ) {
        count = await sql.begin(async (tx) => {
          const expired = await queue.lockExpired(tx, BATCH)
          if (expired.length > 0)
            await queue.finish(
              tx,
              expired.map((row) => interrupted(row, now())),
              counting,
            )
          return expired.length
        })
      }
    },

    async clearCanceled({ isThorough = false } = {}): Promise<void> {
      await store.cancelHeld(sql, HELD_DAYS)
      const recentSeconds = isThorough ? null : STRAGGLER_SECONDS
      while ((await store.logCanceled(sql, { limit: BATCH, recentSeconds })) === BATCH);
    },

    figures: () => readFigures(sql),

    async removeDeleted(): Promise<void> {
      while ((await store.removeDeleted(sql, BATCH)) > 0);
      await store.forgetDeleted(sql, STRAGGLER_SECONDS)
    },
  }
}

function interrupted(row: Awaited<ReturnType<typeof queue.lockExpired>>[number], now: Date): Ending {
  const { organization_id: organizationId, endpoint_id: endpointId, id, claim, attempts } = row
  return {
    ...{ organizationId, endpointId, id, claim, attemptId: newId(now), isSuccess: false, httpStatus: null },
    ...{ errorCode: 'INTERRUPTED', waitMs: computeRetryWaitMs(attempts, Math.random()), requestHeaders: null },
    ...{ responseHeaders: null, responseBody: null, address: null, timings: null },
  }
}
