import { billingJobs } from '../domains/billing/jobs.ts'
import { healthJobs } from '../domains/channels/health/jobs.ts'
import { liveUpdateJobs } from '../domains/live-updates/jobs.ts'
import { messageJobs } from '../domains/messages/jobs.ts'
import { offboardingJobs } from '../domains/offboarding/jobs.ts'
import { erasureJobs } from '../domains/privacy/erasures/jobs.ts'
import { requestLogJobs } from '../domains/request-log/jobs.ts'
import { countJobs } from '../domains/statistics/counts/jobs.ts'
import { listenerJobs } from '../domains/webhooks/listeners/jobs.ts'
import { resultJobs } from '../domains/webhooks/results/jobs.ts'
import { retentionJobs } from '../domains/webhooks/retention/jobs.ts'
import { computeRetentionDays } from '../domains/webhooks/retention/retention-days.ts'
import { readDatabaseTime } from '../kernel/db/database-time.ts'
import { createPartitions, dropPartitions, toPartitionDays } from '../kernel/db/partitions.ts'
import type { Pool } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/logger.ts'
import { deleteExpiredWindows } from '../kernel/rate-limit/store.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'

const DAY_MS = 86_400_000
const DAYS_AHEAD = 7

/**
 * `runsAtStart` is for jobs that a hub with frequent restarts would otherwise never run; `runsInEveryRole`, for those that
 * store what their own process has in memory.
 */
export type Job = {
  name: string
  everySeconds: number
  runsAtStart?: true
  runsInEveryRole?: true
  run: () => Promise<void>
}

/** The jobs that run on a timer. Each must be safe in several processes at once. */
export function listJobs(context: Context, config: Config): Job[] {
  const {
    sql,
    sessions,
    passwordResets,
    invitations,
    health,
    connectLinks,
    messages,
    inbound,
    refusedCallbacks,
    media,
    auth,
    audit,
  } = context
  return [
    ...healthJobs(health),
    ...billingJobs(context),
    ...resultJobs(context.expiredClaims),
    ...retentionJobs(context.deliveryRetention),
    ...countJobs(context.counts),
    ...listenerJobs(context.listeners),
    ...liveUpdateJobs(context.liveUpdates),
    ...erasureJobs(context.erasureWorker),
    ...offboardingJobs(context.offboarding),
    ...requestLogJobs(context.requestLog),
    ...messageJobs(messages, () => readDatabaseTime(sql), config.retentionMessagesDays),
    ...partitionJobs(sql, config),
    { name: 'delete-expired-rate-limits', everySeconds: 60, run: () => deleteExpiredWindows(sql) },
    {
      name: 'flush-refused-callbacks',
      everySeconds: 60,
      runsInEveryRole: true,
      run: () => refusedCallbacks.flush(),
    },
    { name: 'delete-seen-changes', everySeconds: 3600, run: () => inbound.deleteSeen() },
    { name: 'delete-expired-sign-up-tokens', everySeconds: 300, run: () => connectLinks.deleteExpiredTokens() },
    { name: 'delete-expired-connect-links', everySeconds: 3600, run: () => connectLinks.deleteExpiredLinks() },
    { name: 'delete-expired-media-ids', everySeconds: 3600, run: () => media.deleteExpired() },
    { name: 'delete-ended-credentials', everySeconds: 3600, run: () => auth.deleteEnded() },
    { name: 'delete-expired-audit-entries', everySeconds: 3600, run: () => audit.deleteExpired() },
    { name: 'delete-expired-sessions', everySeconds: 3600, run: () => sessions.deleteExpired() },
    { name: 'delete-expired-password-resets', everySeconds: 3600, run: () => passwordResets.deleteOld() },
    { name: 'delete-old-invitations', everySeconds: 3600, run: () => invitations.deleteOld() },
  ]
}

/** Runs before the hub listens. */
export async function runAtStart(jobs: Job[], logger: Logger): Promise<void> {
  for (const job of jobs) if (job.runsAtStart) await attempt(job, logger)
}

/**
 * Runs each job on its timer until stopped. A failed run is logged and does not stop the timer. A run that takes longer
 * than the interval delays the next one: on a slow database, runs beside each other would occupy all connections.
 */
export function startJobs(jobs: Job[], logger: Logger): { stop: () => Promise<void> } {
  const running = new Map<Job, Promise<void>>()
  const timers = jobs.map((job) =>
    setInterval(() => {
      if (running.has(job)) return
      running.set(
        job,
        attempt(job, logger).finally(() => running.delete(job)),
      )
    }, job.everySeconds * 1000),
  )
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}

async function attempt(job: Job, logger: Logger): Promise<void> {
  try {
    await job.run()
  } catch (err) {
    logger.error({ err, job: job.name }, 'job failed')
  }
}

/**
 * Creates partitions for the coming days, and drops those past their retention. This is how events and deliveries expire.
 * A job for each table, so that one whose table is locked does not keep the others from theirs.
 */
export function partitionJobs(sql: Pool, config: Config): Job[] {
  const { retentionEventsDays: events, retentionMessagesDays: messages } = config
  const { deliveries, payloads } = computeRetentionDays(events)
  const days = {
    events: payloads,
    callbacks: events,
    messages,
    deliveries,
    delivery_attempts: deliveries,
  }
  return Object.entries(days).map(([table, retentionDays]) => ({
    name: `maintain-partitions-of-${table}`,
    everySeconds: 3600,
    runsAtStart: true,
    async run() {
      const now = await readDatabaseTime(sql)
      await createPartitions(sql, table, now, DAYS_AHEAD, toPartitionDays(retentionDays))
      await dropPartitions(sql, table, new Date(now.getTime() - retentionDays * DAY_MS))
    },
  }))
}
