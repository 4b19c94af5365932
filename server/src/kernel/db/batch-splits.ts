import type { Logger } from '../logger.ts'

/** The kinds of statements that callers share in batches. */
export const SHARED_BATCHES = ['admissions', 'callbacks', 'settlements', 'sends', 'attempt_results'] as const
type SharedBatch = (typeof SHARED_BATCHES)[number]

export type BatchSplits = ReturnType<typeof createBatchSplits>

/**
 * Makes it visible that the database refused a batch, which is then written in parts, or again after a deadlock: the work stays right, but costs
 * several times as much, and callers see only that it is slower.
 */
export function createBatchSplits({ logger }: { logger: Logger }) {
  const observers = new Set<(batch: SharedBatch) => void>()
  return {
    observe: (observer: (batch: SharedBatch) => void) => void observers.add(observer),

    report(batch: SharedBatch, err: unknown, count: number): void {
      logger.warn({ err, batch, count }, 'a batch was refused and is written again')
      for (const observe of observers) observe(batch)
    },
  }
}
