import { messageJobs } from '../domains/messages/jobs.ts'
import { computeRetentionDays } from '../domains/webhooks/retention/retention-days.ts'
import { systemClock } from '../kernel/clock.ts'
import { readDatabaseTime } from '../kernel/db/database-time.ts'
import type { Outages } from '../kernel/db/outages.ts'
import { createPartitions, dropPartitions, toPartitionDays } from '../kernel/db/partitions.ts'
import { isDatabaseUnavailable, type Pool } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/logger.ts'
import { deleteExpiredWindows } from '../kernel/rate-limit/store.ts'
import { buildBackupsPath, deleteOldBackups } from './backup/backups.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'

const DAY_MS = 86_400_000
const DAYS_AHEAD = 7
/** A job with a longer interval first runs between this and twice this after a start. */
const FIRST_RUN_SECONDS = 60

/**
 * `runsAtStart` is for jobs that a hub with frequent restarts would otherwise never run; `runsInEveryRole`, for those that
 * store what their own process has in memory, and for those that read what every process must know.
 */
export type Job = {
  name: string
  everySeconds: number
  runsAtStart?: true
  runsInEveryRole?: true
  /** Calls the upstream, the payment provider or a mail server: it stands still while the hub is on hold. */
  callsOut?: true
  run: () => Promise<void>
}

/** The jobs that run on a timer. Each must be safe in several processes at once. */
export function listJobs(context: Context, config: Config): Job[] {
  const { hold } = context
  return listAllJobs(context, config).map((job) => {
    const run = async () => (hold.isHeld() ? undefined : job.run())
    return job.callsOut ? { ...job, run } : job
  })
}

function listAllJobs(context: Context, config: Config): Job[] {
  const { sql } = context
  return [
    { name: 'read-hold', everySeconds: 1, runsInEveryRole: true, run: () => context.hold.refresh() },
    { name: 'check-channels', everySeconds: 60, callsOut: true, run: () => context.health.checkDue() },
    {
      name: 'run-requested-channel-checks',
      everySeconds: 1,
      callsOut: true,
      runsInEveryRole: true,
      run: () => context.requestedChecks.run(),
    },
    {
      name: 'archive-abandoned-channels',
      everySeconds: 600,
      callsOut: true,
      run: () => context.health.archiveAbandoned(),
    },
    // The time of each reconciliation is stored with the subscription, so a restart of the hub does not delay it.
    { name: 'reconcile-subscriptions', everySeconds: 300, callsOut: true, run: () => context.sync.reconcile() },
    {
      name: 'handle-payment-events',
      everySeconds: 60,
      callsOut: true,
      run: () => context.paymentCallbacks.retryOpen(),
    },
    { name: 'fold-usage', everySeconds: 60, run: () => context.usage.fold() },
    {
      name: 'delete-old-billing-data',
      everySeconds: 3600,
      async run() {
        await context.paymentCallbacks.deleteOld()
        await context.idempotencyRecords.deleteOld()
        await context.previews.deleteOld()
        await context.billingLinks.deleteOld()
        await context.usage.deleteOld()
      },
    },
    { name: 'finish-interrupted-attempts', everySeconds: 5, run: () => context.expiredClaims.finishInterrupted() },
    {
      name: 'finish-attempts-of-lost-workers',
      everySeconds: 1,
      run: () => context.expiredClaims.finishOfLostWorkers(),
    },
    { name: 'clear-canceled-deliveries', everySeconds: 5, run: () => context.deliveryRetention.clearCanceled() },
    {
      name: 'clear-all-canceled-deliveries',
      everySeconds: 3600,
      runsAtStart: true,
      run: () => context.deliveryRetention.clearCanceled({ searchesAllEndpoints: true }),
    },
    { name: 'erase-previous-secrets', everySeconds: 5, run: () => context.endpointCleanup.erasePreviousSecrets() },
    { name: 'delete-expired-inspectors', everySeconds: 60, run: () => context.inspectors.deleteExpired() },
    { name: 'remove-deleted-endpoints', everySeconds: 10, run: () => context.deliveryRetention.removeDeleted() },
    // Folded often: what is not folded yet is added up by every request for figures.
    { name: 'fold-statistics', everySeconds: 10, run: () => context.counts.fold() },
    { name: 'send-alert-mails', everySeconds: 10, callsOut: true, run: () => context.alerts.sendDue() },
    { name: 'delete-old-alert-mails', everySeconds: 3600, run: () => context.alerts.deleteOld() },
    { name: 'delete-old-statistics', everySeconds: 3600, run: () => context.counts.deleteOld() },
    // This runs as often as statistics, for the same reason.
    { name: 'fold-costs', everySeconds: 10, run: () => context.costVolumes.fold() },
    { name: 'check-budgets', everySeconds: 10, run: () => context.budgets.check() },
    {
      name: 'delete-old-costs',
      everySeconds: 3600,
      async run() {
        await context.costVolumes.deleteOld()
        await context.budgets.deleteOld()
      },
    },
    { name: 'clear-ended-listeners', everySeconds: 5, run: () => context.listeners.clearEnded() },
    { name: 'delete-expired-live-update-streams', everySeconds: 60, run: () => context.liveUpdates.deleteExpired() },
    { name: 'erase-people', everySeconds: 5, run: () => context.erasureWorker.runAll() },
    { name: 'delete-organizations', everySeconds: 60, callsOut: true, run: () => context.offboarding.deleteDue() },
    // A killed process loses the requests that it has not written yet.
    { name: 'write-request-log', everySeconds: 1, runsInEveryRole: true, run: () => context.requestLog.flush() },
    { name: 'delete-old-requests', everySeconds: 3600, run: () => context.requestLog.deleteOld() },
    ...messageJobs(context.messages, () => readDatabaseTime(sql), config.retentionMessagesDays),
    ...partitionJobs(sql, config, { events: () => context.deferredFanOuts.findOldestNeededAt() }),
    { name: 'delete-unused-contacts', everySeconds: 86_400, run: () => context.contacts.deleteUnused() },
    { name: 'delete-expired-rate-limits', everySeconds: 60, run: () => deleteExpiredWindows(sql) },
    {
      name: 'flush-refused-callbacks',
      everySeconds: 60,
      runsInEveryRole: true,
      run: () => context.refusedCallbacks.flush(),
    },
    { name: 'delete-seen-changes', everySeconds: 3600, run: () => context.inbound.deleteSeen() },
    { name: 'delete-expired-sign-up-tokens', everySeconds: 300, run: () => context.connectLinks.deleteExpiredTokens() },
    { name: 'delete-expired-connect-links', everySeconds: 3600, run: () => context.connectLinks.deleteExpiredLinks() },
    { name: 'delete-expired-media-ids', everySeconds: 3600, run: () => context.media.deleteExpired() },
    {
      name: 'delete-expired-upload-sessions',
      everySeconds: 3600,
      run: () => context.uploadSessions.deleteExpired(),
    },
    { name: 'delete-old-template-states', everySeconds: 3600, run: () => context.templateStates.deleteOld() },
    { name: 'delete-ended-credentials', everySeconds: 3600, run: () => context.auth.deleteEnded() },
    { name: 'delete-expired-audit-entries', everySeconds: 3600, run: () => context.audit.deleteExpired() },
    { name: 'delete-expired-sessions', everySeconds: 3600, run: () => context.sessions.deleteExpired() },
    { name: 'delete-expired-password-resets', everySeconds: 3600, run: () => context.passwordResets.deleteOld() },
    {
      name: 'delete-expired-email-verifications',
      everySeconds: 3600,
      run: () => context.emailVerifications.deleteExpired(),
    },
    { name: 'delete-expired-sign-ups', everySeconds: 3600, run: () => context.signUps.deleteExpired() },
    ...backupJobs(config),
    { name: 'delete-old-invitations', everySeconds: 3600, run: () => context.invitations.deleteOld() },
  ]
}

/** Deletes backups that the hub makes by itself: an erased person must be in none that is older than 14 days. */
function backupJobs({ databaseUrl, dataDir }: Config): Job[] {
  if (databaseUrl) return []
  async function run(): Promise<void> {
    await deleteOldBackups(buildBackupsPath(dataDir), systemClock())
  }
  return [{ name: 'delete-old-backups', everySeconds: 3600, run }]
}

/** Receives the failures of jobs. */
type Reports = { logger: Logger; outages: Pick<Outages, 'report'> }

/** Runs before the hub listens. */
export async function runAtStart(jobs: Job[], reports: Reports): Promise<void> {
  for (const job of jobs) if (job.runsAtStart) await attempt(job, reports)
}

/**
 * Runs each job on its timer until stopped. A failed run is logged and does not stop the timer. A run that takes longer
 * than the interval delays the next one: on a slow database, runs beside each other would occupy all connections. A job
 * with a long interval also runs soon after the start, which a hub with frequent restarts would otherwise never reach; not
 * at once, and at random, so that processes that start together do not all run it together.
 */
export function startJobs(jobs: Job[], reports: Reports): { stop: () => Promise<void> } {
  const running = new Map<Job, Promise<void>>()
  function runUnlessRunning(job: Job): void {
    if (running.has(job)) return
    running.set(
      job,
      attempt(job, reports).finally(() => running.delete(job)),
    )
  }
  const timers = jobs.map((job) => setInterval(runUnlessRunning, job.everySeconds * 1000, job))
  const firstRuns = jobs
    .filter(({ everySeconds, runsAtStart }) => everySeconds > 2 * FIRST_RUN_SECONDS && !runsAtStart)
    .map((job) => setTimeout(runUnlessRunning, FIRST_RUN_SECONDS * (1 + Math.random()) * 1000, job))
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      for (const timer of firstRuns) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}

/** In an outage of the database every job fails, most of them each second: that is logged once. */
async function attempt({ name, run }: Job, { logger, outages }: Reports): Promise<void> {
  try {
    await run()
  } catch (err) {
    if (isDatabaseUnavailable(err)) outages.report(err, { job: name })
    else logger.error({ err, job: name }, 'job failed')
  }
}

/**
 * Creates partitions for the coming days, and drops those past their retention. This is how events and deliveries expire.
 * A job for each table, so that one whose table is locked does not keep the others from theirs. `findNeeded` names for a
 * table the time from which its rows are still needed, past their retention too.
 */
export function partitionJobs(
  sql: Pool,
  config: Config,
  findNeeded: Partial<Record<string, () => Promise<Date | undefined>>> = {},
): Job[] {
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
      const kept = now.getTime() - retentionDays * DAY_MS
      const needed = await findNeeded[table]?.()
      await dropPartitions(sql, table, new Date(Math.min(kept, needed?.getTime() ?? kept)))
    },
  }))
}
