import { Registry } from 'prom-client'
import { readConfig } from '../../server/src/app/config/config.ts'
import { toSandboxSettings } from '../../server/src/app/config/upstream-settings.ts'
import { type Context, createContext } from '../../server/src/app/context.ts'
import { listJobs, runAtStart, startJobs } from '../../server/src/app/jobs.ts'
import { installDeliveryMetrics } from '../../server/src/app/metrics/delivery-metrics.ts'
import { systemClock } from '../../server/src/kernel/clock.ts'
import { openPool } from '../../server/src/kernel/db/pool.ts'
import { createLogger } from '../../server/src/kernel/logger.ts'
import type { BenchmarkSetup } from '../benchmark.ts'
import { type Cpu, createSplitCpuMeter } from '../cpu.ts'
import { type Measured, measure } from './measure.ts'
import type { Receiver } from './receiver.ts'

const POOL_SIZE = 20

/** Every part of the delivery benchmark runs on this. */
export type Setup = { stand: BenchmarkSetup; hub: DeliveryHub; receiver: Receiver }

export type DeliveryHub = AsyncDisposable & {
  context: Context
  /** Publishes events as another process would, so that the hub must read their payloads from the database. */
  publisher: Context
  readCpu: () => Promise<Cpu>
  /** Delivers until `count` attempts have ended and their results are written. */
  drain: (count: number) => Promise<Measured & { statements: number }>
}

/**
 * The delivering part of a hub as `npm start` runs it, with its jobs, metrics and
 * log lines (which are discarded), except that it delivers only during `drain`.
 * Every host name resolves to the receiver, through the hub's own resolver.
 */
export async function startDeliveryHub(stand: BenchmarkSetup, ports: number[]): Promise<DeliveryHub> {
  let statements = 0
  const onStatement = () => void statements++
  const sql = openPool(stand.databaseUrl, { max: POOL_SIZE, name: 'bench-hub', onStatement })
  const config = readConfig({
    PORT: '0',
    WEBHOOK_ALLOWED_DESTINATIONS: ports.map((port) => `127.0.0.1/32:${port}`).join(','),
  })
  const upstream = toSandboxSettings(config, { appId: '0', appSecret: 'none', verifyToken: 'none' })
  const logger = createLogger('info', { write: () => undefined })
  const lookup = async () => [{ address: '127.0.0.1', family: 4 as const }]
  const base = { keyRing: stand.keyRing, upstream, now: systemClock, logger, lookup }
  const context = createContext(config, { ...base, sql })
  const publisher = createContext(config, { ...base, sql: stand.sql })
  installDeliveryMetrics(new Registry(), context)
  const jobs = listJobs(context, config)
  const reports = { logger, outages: context.outages }
  await runAtStart(jobs, reports)
  const timers = startJobs(jobs, reports)
  await context.processLock.start()
  const readCpu = await createSplitCpuMeter(stand.sql)

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
