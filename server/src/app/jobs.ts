import type { Logger } from '../kernel/logger.ts'
import { deleteExpiredWindows } from '../kernel/rate-limit/store.ts'
import type { Context } from './context.ts'

export type Job = { name: string; everySeconds: number; run: () => Promise<void> }

/** What runs on a timer. Every job may run in several processes at once, and must not mind. */
export function jobsOf({ sql, sessions }: Context): Job[] {
  return [
    { name: 'forget-rate-limits', everySeconds: 60, run: () => deleteExpiredWindows(sql) },
    { name: 'forget-sessions', everySeconds: 3600, run: () => sessions.deleteExpired() },
  ]
}

/** Runs each job again and again until stopped. A failed run is logged, and the next comes at its time. */
export function startJobs(jobs: Job[], logger: Logger): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  const timers = jobs.map((job) =>
    setInterval(() => {
      const run = job
        .run()
        .catch((err: unknown) => logger.error({ err, job: job.name }, 'job failed'))
        .finally(() => running.delete(run))
      running.add(run)
    }, job.everySeconds * 1000),
  )
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.allSettled(running)
    },
  }
}
