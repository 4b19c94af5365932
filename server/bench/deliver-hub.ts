import { Registry } from 'prom-client'
import { readConfig } from '../src/app/config/config.ts'
import { sandboxSettings } from '../src/app/config/upstream-settings.ts'
import { type Context, createContext } from '../src/app/context.ts'
import { jobsOf, runAtStart, startJobs } from '../src/app/jobs.ts'
import { installDeliveryMetrics } from '../src/app/metrics/delivery-metrics.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { openPool } from '../src/kernel/db/pool.ts'
import { createLogger } from '../src/kernel/logger.ts'
import type { Stand } from './benchmark.ts'
import { type Cpu, splitCpuMeter } from './cpu.ts'
import { type Measured, measure } from './deliver-measure.ts'
import type { Receiver } from './deliver-receiving.ts'

const POOL_SIZE = 20

/** Where every part of the delivery benchmark plays. */
export type Scene = { stand: Stand; hub: DeliveringHub; receiver: Receiver }

export type DeliveringHub = AsyncDisposable & {
  context: Context
  /** Makes events as another process would: the hub has to ask the database for their bodies. */
  publisher: Context
  readCpu: () => Promise<Cpu>
  /** Delivers until so many attempts have ended and are on record. */
  drain: (count: number) => Promise<Measured & { statements: number }>
}

/**
 * The part of a hub that delivers, as `npm start` runs it with its jobs, its
 * metrics and its log lines, which go nowhere; only that it delivers when it is
 * told to. Every name leads to the receiver, by way of the hub's own resolver.
 */
export async function startDeliveringHub(stand: Stand, port: number): Promise<DeliveringHub> {
  let statements = 0
  const onStatement = () => void statements++
  const sql = openPool(stand.databaseUrl, { max: POOL_SIZE, name: 'bench-hub', onStatement })
  const config = readConfig({ PORT: '0', WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1/32:${port}` })
  const upstream = sandboxSettings(config, { appId: '0', appSecret: 'none', verifyToken: 'none' })
  const logger = createLogger('info', { write: () => undefined })
  const lookup = async () => [{ address: '127.0.0.1', family: 4 as const }]
  const base = { keyRing: stand.keyRing, upstream, now: systemClock, logger, lookup }
  const context = createContext(config, { ...base, sql })
  const publisher = createContext(config, { ...base, sql: stand.sql })
  installDeliveryMetrics(new Registry(), context)
  const jobs = jobsOf(context, config)
  await runAtStart(jobs, logger)
  const timers = startJobs(jobs, logger)
  const readCpu = await splitCpuMeter(stand.sql)

  let left = 0
  let whenNoneLeft: () => void = () => undefined
  context.worker.observe(() => {
    if (--left === 0) whenNoneLeft()
  })

  return {
    context,
    publisher,
    readCpu,
    async drain(count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      left = count
      whenNoneLeft = resolve
      const before = statements
      const round = await measure(count, readCpu, async () => {
        context.engine.start()
        await promise
        await context.engine.stop()
      })
      return { ...round, statements: (statements - before) / count }
    },
    async [Symbol.asyncDispose]() {
      await context.engine.stop()
      await timers.stop()
      await context[Symbol.asyncDispose]()
      await publisher[Symbol.asyncDispose]()
      await sql.end()
    },
  }
}
