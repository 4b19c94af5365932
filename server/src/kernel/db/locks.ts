import { setTimeout as sleep } from 'node:timers/promises'
import { readSqlState } from './pool.ts'

/** SQLSTATEs of a lock that was not available within the timeout, and of a deadlock. */
const LOCKED_STATES = ['55P03', '40P01']

/** The time a statement waits for a lock, while all later statements on the table wait behind it, and the number of tries. */
export type LockRetries = { timeoutMs: number; attempts: number; pauseMs: number }

export const LOCKS = {
  maintenance: { timeoutMs: 200, attempts: 5, pauseMs: 200 },
  migration: { timeoutMs: 200, attempts: 60, pauseMs: 800 },
} as const satisfies Record<string, LockRetries>

/** Runs a transaction again when a lock was not available, up to the given number of times. */
export async function retryLocked<T>({ attempts, pauseMs }: LockRetries, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (err) {
      if (attempt === attempts || !LOCKED_STATES.includes(readSqlState(err) ?? '')) throw err
      await sleep(pauseMs)
    }
  }
}
