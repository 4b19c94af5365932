import { performance } from 'node:perf_hooks'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { readDatabaseTime } from './database-time.ts'
import type { Pool } from './pool.ts'

const SAMPLE_EVERY_MS = 10_000
/** A slower sample says too little: the database may have read its clock at any point of it. */
const ROUND_TRIP_MS_MAX = 100
/** The first statement of a pool also opens its connection. */
const FIRST_SAMPLES = 3
const WARN_MS = 2000
/** A database that is set back by more has had a wrong clock: to stand still for as long would keep the wrong time. */
const STANDSTILL_MS_MAX = 60_000

export type DatabaseClock = Awaited<ReturnType<typeof startDatabaseClock>>

/**
 * The database's time without a statement for each reading: a sample every few seconds sets it, and between samples the
 * monotonic clock of the process counts on. When the database's clock is set back a little, the time stands still until the
 * database has caught up, so that ids stay in order. Until a sample succeeds it is the time of the process.
 */
export async function startDatabaseClock({
  sql,
  logger,
  now: processClock,
}: {
  sql: Pool
  logger: Logger
  now: Clock
}) {
  /** The time at which the monotonic clock was 0. */
  let origin = processClock().getTime() - performance.now()
  let latest = 0
  let isWarned = false
  let timer: NodeJS.Timeout | undefined
  let sampling: Promise<void> | undefined
  let isStopped = false

  function now(): Date {
    const ms = origin + performance.now()
    latest = latest - ms > STANDSTILL_MS_MAX ? ms : Math.max(latest, ms)
    return new Date(latest)
  }

  /** Returns true if the time could be taken over. */
  async function sample(): Promise<boolean> {
    const sentAt = performance.now()
    const databaseMs = (await readDatabaseTime(sql.urgent)).getTime()
    const roundTripMs = performance.now() - sentAt
    if (roundTripMs >= ROUND_TRIP_MS_MAX) return false
    origin = databaseMs - (sentAt + roundTripMs / 2)
    compareClocks(origin + performance.now() - processClock().getTime())
    return true
  }

  function compareClocks(differenceMs: number): void {
    const isApart = Math.abs(differenceMs) > WARN_MS
    if (isApart === isWarned) return
    isWarned = isApart
    const fields = { database_ahead_seconds: Math.round(differenceMs / 100) / 10 }
    if (isApart) logger.warn(fields, 'the clocks of this process and of the database differ: check both against NTP')
    else logger.info(fields, 'the clocks of this process and of the database agree again')
  }

  /** A database that cannot be reached is reported by those who need it. */
  async function sampleAgain(): Promise<void> {
    await sample().catch(() => false)
    if (!isStopped) schedule()
  }

  function schedule(): void {
    timer = setTimeout(() => {
      sampling = sampleAgain()
    }, SAMPLE_EVERY_MS).unref()
  }

  for (let tries = 0; tries < FIRST_SAMPLES && !(await sample()); tries++);
  schedule()
  return {
    now,
    /** Samples by hand, in tests. */
    sample,
    async [Symbol.asyncDispose](): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await sampling
    },
  }
}
