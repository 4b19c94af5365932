import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseAway } from '../../../kernel/db/pool.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { Ending } from './claims.ts'

/** Endings gather for this long, so that one statement writes many. */
const GATHER_MS = 20
const BATCH = 250
const AWAY_MS = 500

export type Recorder = ReturnType<typeof createRecorder>

/**
 * Writes endings down in batches, one batch at a time and in order. While the
 * database is away they wait: what happened at a receiver cannot happen again.
 */
export function createRecorder({ write, logger }: { write: (endings: Ending[]) => Promise<void>; logger: Logger }) {
  const endings: Ending[] = []
  let running: Promise<void> | undefined
  let isFlushing = false
  /** So many are written one by one: among them is one that the database refuses. */
  let alone = 0

  async function run(): Promise<void> {
    if (!isFlushing) await delay(GATHER_MS)
    while (endings.length > 0) await writeBatch(endings.slice(0, alone > 0 ? 1 : BATCH))
    running = undefined
  }

  async function writeBatch(batch: Ending[]): Promise<void> {
    try {
      await write(batch)
      forget(batch.length)
    } catch (err) {
      if (isDatabaseAway(err)) {
        logger.warn({ err, waiting: endings.length }, 'the outcomes of attempts wait for the database')
        await delay(AWAY_MS)
      } else if (batch.length > 1) {
        alone = batch.length
      } else {
        // Its lease runs out, and it is attempted again under the same delivery id.
        logger.error({ err, delivery_id: batch[0]?.id }, 'the outcome of an attempt could not be recorded')
        forget(1)
      }
    }
  }

  function forget(count: number): void {
    endings.splice(0, count)
    alone = Math.max(0, alone - count)
  }

  return {
    add(ending: Ending): void {
      endings.push(ending)
      running ??= run()
    },

    /** Everything that was added is written when this resolves. */
    async flush(): Promise<void> {
      isFlushing = true
      while (running) await running
      isFlushing = false
    },
  }
}
