import { setTimeout as delay } from 'node:timers/promises'
import type { BatchSplits } from '../../../kernel/db/batch-splits.ts'
import type { Outages } from '../../../kernel/db/outages.ts'
import { isDatabaseUnavailable, readSqlState } from '../../../kernel/db/pool.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { AttemptResult } from './attempt-result.ts'

/** Results wait this long for others, so that one statement writes many. */
const BUFFER_MS = 20
const BATCH_SIZE = 250
const DATABASE_RETRY_MS = 500
/** With this many results to write, no further attempts start: a kill would repeat all of them. */
const WAITING_MAX = 512
/** The same of deliveries that are attempted as they are made, so that the results of a backlog do not delay them. */
const DIRECT_WAITING_MAX = 768
/** SQLSTATEs of a lock that was not available, and of a deadlock. */
const TEMPORARY_STATES = ['55P03', '40P01']

type Dependencies = {
  write: (results: AttemptResult[]) => Promise<void>
  logger: Logger
  outages: Pick<Outages, 'report'>
  batchSplits: Pick<BatchSplits, 'report'>
}

export type ResultBuffer = ReturnType<typeof createResultBuffer>

/**
 * Writes attempt results in batches, one batch at a time and in order. While the
 * database is unavailable or too slow they wait here: a receiver that has processed a delivery must
 * not get it again because its result was dropped.
 */
export function createResultBuffer({ write, logger, outages, batchSplits }: Dependencies) {
  const results: AttemptResult[] = []
  let running: Promise<void> | undefined
  let isFlushing = false
  let room: PromiseWithResolvers<void> | undefined
  /** The number of next results that are written one by one, because the database refused a batch with them. */
  let singles = 0

  async function run(): Promise<void> {
    if (!isFlushing) await delay(BUFFER_MS)
    while (results.length > 0) await writeBatch(results.slice(0, singles > 0 ? 1 : BATCH_SIZE))
    running = undefined
  }

  async function writeBatch(batch: AttemptResult[]): Promise<void> {
    try {
      await write(batch)
      drop(batch.length)
    } catch (err) {
      if (isDatabaseUnavailable(err)) {
        outages.report(err, { work: 'attempt results' })
        await delay(DATABASE_RETRY_MS)
      } else if (TEMPORARY_STATES.includes(readSqlState(err) ?? '')) {
        logger.warn({ err, waiting: results.length }, 'attempt results wait for the database')
        await delay(DATABASE_RETRY_MS)
      } else if (batch.length > 1) {
        batchSplits.report('attempt_results', err, batch.length)
        singles = batch.length
      } else {
        // The lease expires, and the delivery is attempted again under the same id.
        logger.error({ err, delivery_id: batch[0]?.id }, 'an attempt result could not be written')
        drop(1)
      }
    }
  }

  function drop(count: number): void {
    results.splice(0, count)
    singles = Math.max(0, singles - count)
    if (results.length >= WAITING_MAX) return
    room?.resolve()
    room = undefined
  }

  return {
    add(result: AttemptResult): void {
      results.push(result)
      running ??= run()
    },

    /** The deliveries whose results are not written yet. */
    listDeliveryIds: () => results.map(({ id }) => id),

    /** Returns true if deliveries may be attempted as they are made. */
    hasRoom: () => results.length < DIRECT_WAITING_MAX,

    /** Resolves when few enough results wait to be written for further attempts to start. */
    async waitForRoom(): Promise<void> {
      if (results.length >= WAITING_MAX) room ??= Promise.withResolvers()
      await room?.promise
    },

    /** Resolves when every added result is written. */
    async flush(): Promise<void> {
      isFlushing = true
      while (running) await running
      isFlushing = false
    },
  }
}
