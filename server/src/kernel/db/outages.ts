import { performance } from 'node:perf_hooks'
import type { Logger } from '../logger.ts'
import type { Readiness } from './readiness.ts'

const CHECK_EVERY_MS = 1000

export type Outages = ReturnType<typeof createOutages>

/**
 * Logs an outage of the database once, and its end with the number of failures: thousands of requests may fail in it. It is
 * over when the hub is ready again, because reads may succeed while the disk is full.
 */
export function createOutages({ readiness, logger }: { readiness: Readiness; logger: Logger }) {
  let outage: { startedAt: number; failures: number } | undefined
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const problem = await readiness.findProblem()
    if (!outage) return
    if (problem !== undefined) return schedule()
    const seconds = Math.round((performance.now() - outage.startedAt) / 1000)
    logger.warn({ failures: outage.failures, seconds }, 'the database is available again')
    outage = undefined
  }

  function schedule(): void {
    timer = setTimeout(check, CHECK_EVERY_MS).unref()
  }

  return {
    /** `fields` say what failed, for the line of the first failure. */
    report(err: unknown, fields: Record<string, string> = {}): void {
      if (outage) {
        outage.failures++
        return
      }
      outage = { startedAt: performance.now(), failures: 1 }
      logger.error({ err, ...fields }, 'the database is unavailable, and requests that need it are refused')
      schedule()
    },

    [Symbol.dispose](): void {
      outage = undefined
      clearTimeout(timer)
    },
  }
}
