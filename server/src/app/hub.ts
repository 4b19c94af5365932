import type { FastifyInstance } from 'fastify'
import type { Sender } from '../domains/webhooks/attempts/sender.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { findMissingKeys } from '../kernel/crypto/key-check.ts'
import { startDatabaseClock } from '../kernel/db/database-clock.ts'
import { measureLockTable } from '../kernel/db/lock-table.ts'
import type { Logger } from '../kernel/logger.ts'
import type { Lookup } from '../kernel/net/lookup.ts'
import type { Config } from './config/config.ts'
import { listConfigWarnings } from './config/warnings.ts'
import { type Context, createContext } from './context.ts'
import { createDrain } from './http/drain.ts'
import { createHttp, type HttpOptions } from './http/http.ts'
import { type Installation, POOL_SIZE } from './installation.ts'
import { type Job, listJobs, runAtStart, startJobs } from './jobs.ts'
import { toListenError } from './ports.ts'

/** Long enough for a send that waits for the upstream. An orchestrator may kill the process sooner. */
const OPEN_SECONDS_MAX = 30
/** For jobs and deliveries. Longer than any attempt; what has not ended by then is done again after a start. */
const WORK_SECONDS_MAX = 15

export type Hub = {
  app: FastifyInstance
  context: Context
  jobs: Job[]
  url: string
  /** Takes the hub out of service: not ready at once, refuses new requests after a time, finishes open ones, closes. */
  stop: () => Promise<void>
}

type HubOptions = {
  logger: Logger
  /** Replaces the clocks of the database and of the process, in tests and for sample data. */
  now?: Clock
  /** Replaces the clock of the process alone in tests. */
  processClock?: Clock
  lookup?: Lookup
  /** Replaces the receivers of webhooks, for sample data. */
  sender?: Sender
  /** False in tests that run deliveries step by step. */
  isDelivering?: boolean
  /** False in tests that run jobs by hand. */
  hasTimers?: boolean
} & Pick<HttpOptions, 'timeouts' | 'capacity' | 'extension'>

export async function startHub(config: Config, installation: Installation, options: HubOptions): Promise<Hub> {
  const {
    logger,
    processClock = options.now ?? systemClock,
    lookup,
    sender,
    isDelivering = true,
    hasTimers = true,
    ...http
  } = options
  const { sql, keyRing, upstream, payments, simulator, rateCards } = installation
  // Closed by `stop`, or by a start that fails.
  await using opened = new AsyncDisposableStack()
  const clock = options.now ? undefined : opened.use(await startDatabaseClock({ sql, logger, now: processClock }))
  const now = clock?.now ?? processClock
  const base = { sql, keyRing, upstream, payments, simulator, rateCards, now, processClock, logger, sender }
  const context = opened.use(createContext(config, { ...base, ...(lookup && { lookup }) }))
  await warnOfMissingKeys(context, logger)
  warnOfAllowedDestinations(config, logger)
  if (config.role !== 'worker') for (const warning of listConfigWarnings(config)) logger.warn(warning)

  await context.hold.start()

  const drain = createDrain()
  const app = opened.adopt(await createHttp(context, config, { logger, drain, ...http }), (server) => server.close())
  const jobs = listJobs(context, config)
  const reports = { logger, outages: context.outages }
  const hasJobs = config.role !== 'api'
  if (hasJobs) await runAtStart(jobs, reports)
  if (config.role !== 'worker') await announceSetupCode(context, logger)
  await warnOfSmallLockTable(context, logger)
  context.liveUpdates.start()
  // Before the first request, whose send names it.
  await context.processLock.start()
  const url = await listen(app, config)
  const timed = hasJobs ? jobs : jobs.filter(({ runsInEveryRole }) => runsInEveryRole)
  const timers = startJobs(hasTimers ? timed : [], reports)
  const delivering = isDelivering ? startDelivering(context, config) : undefined
  const running = opened.move()

  async function stop(): Promise<void> {
    drain.begin()
    // A worker has no requests that a load balancer would have to send elsewhere.
    if (config.role !== 'worker' && config.drainSeconds > 0) await waitSeconds(config.drainSeconds)
    drain.refuse()
    const jobsEnded = timers.stop()
    context.listeners.endStreams()
    context.liveUpdates.endStreams()
    const answered = drain.settled.then(() => context.messages.flush())
    await Promise.race([answered, waitSeconds(OPEN_SECONDS_MAX)])
    context.messages.stop()
    await Promise.race([Promise.all([jobsEnded, delivering?.stop()]), waitSeconds(WORK_SECONDS_MAX)])
    await running.disposeAsync()
  }
  return { app, context, jobs, url, stop }
}

/** A process with the role `api` creates deliveries and notifies the processes that send them. */
function startDelivering({ engine, notifications }: Context, { role }: Config): { stop: () => Promise<void> } {
  if (role === 'api') {
    notifications.notifyWorkers()
    return { stop: async () => undefined }
  }
  const listening = notifications.listen()
  engine.start()
  return {
    async stop() {
      await (await listening).stop()
      await engine.stop()
    },
  }
}

export async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config
  try {
    return await app.listen({ host, port })
  } catch (err) {
    await app.close()
    throw toListenError(err, config)
  }
}

async function warnOfMissingKeys({ sql, sealing }: Context, logger: Logger): Promise<void> {
  const missing = await findMissingKeys(sql, sealing)
  if (missing.length === 0) return
  logger.error({ keys: missing }, 'sealing keys are missing: secrets sealed with them are unreadable')
}

/** If sign-up is closed, only a person who reads the log can create the first account. */
async function announceSetupCode({ firstRun }: Context, logger: Logger): Promise<void> {
  const code = await firstRun.issueCode()
  if (code !== undefined) logger.warn(`there is no account yet: create the first one with the setup code ${code}`)
}

/** Statements that find no room for their locks fail with 53200, when many run at once. */
async function warnOfSmallLockTable({ sql }: Context, logger: Logger): Promise<void> {
  const { available, perStatement } = await measureLockTable(sql)
  const needed = perStatement * POOL_SIZE
  if (needed <= available) return
  logger.warn(
    { available, needed },
    'the lock table of the database is small for the retention: raise its setting max_locks_per_transaction',
  )
}

function warnOfAllowedDestinations({ webhookAllowedDestinations }: Config, logger: Logger): void {
  if (webhookAllowedDestinations.length === 0) return
  logger.warn(
    { destinations: webhookAllowedDestinations },
    'webhooks may reach destinations that are not public, because WEBHOOK_ALLOWED_DESTINATIONS is set',
  )
}

function waitSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref())
}
