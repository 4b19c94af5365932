import { setTimeout as delay } from 'node:timers/promises'
import { openPool, type Pool } from '../../server/src/kernel/db/pool.ts'
import type { BenchChannel } from '../bench-hub.ts'
import type { BenchmarkSetup } from '../benchmark.ts'
import { buildCallbacks, buildStatuses } from '../callbacks.ts'
import { toDatabaseUrl } from '../counting-database.ts'
import type { Receiver } from '../deliver/receiver.ts'
import type { LoadProcess, Post } from '../load-process.ts'
import { gatherStatistics } from '../measurement.ts'
import { type HubOptions, type HubProcess, startHubProcess } from '../pipeline/hub-process.ts'
import { buildSends } from '../send.ts'
import type { PathName } from './options.ts'
import { seedChannels, seedEndpoints } from './seed.ts'
import type { Sample } from './summary.ts'

const CALLERS = 64
const CHANNELS = 50
const ENDPOINTS = 200
/** So many numbers the upstream must have. */
export const NUMBERS = CHANNELS + ENDPOINTS

/** Operations before the measurement, and in it. */
const SENDS = { warmUp: 1500, measured: 6000 }
const CALLBACKS = [
  { messages: 1, warmUp: 1500, measured: 6000 },
  { messages: 50, warmUp: 60, measured: 240 },
] as const
const STATUSES = 6000
const DELIVERIES = { warmUp: 2000, measured: 10_000 }
/** In a callback that fills the queue. */
const QUEUED_TOGETHER = 10

const ARRIVAL_LIMIT_MS = 300_000
const POLL_MS = 5
/** The hub gathers results before it writes them. */
const WRITTEN_AFTER_MS = 200

/** Every round uses the same load, upstream, receiver and database server. */
export type Stage = Pick<BenchmarkSetup, 'keyRing'> & {
  database: { url: string; sql: Pool }
  readDatabaseCpu: () => Promise<number>
  load: LoadProcess
  receiver: Receiver
  upstream: { url: string; numbers: HubNumbers }
}
type HubNumbers = BenchChannel['number'][]

/** A version with databases that its rounds start from: `<name>_channels`, and `<name>_queue`, which has deliveries. */
export type Version = { name: string; root: string; channels: BenchChannel[] }

/** A path has one sample for each of its figures. */
export type Measured = Record<string, Sample>

/** Fills the databases from which the rounds of a version are copied. */
export async function prepareVersion(stage: Stage, name: string, root: string): Promise<Version> {
  const { sql } = stage.database
  const [base, queue] = [`${name}_channels`, `${name}_queue`]
  await sql.unsafe(`create database ${base}`)
  const options = buildOptions(stage, root, base)
  const channels = await (async () => {
    await using hub = await startHubProcess(options)
    return await seedChannels({ url: hub.url, options }, stage.upstream.numbers)
  })()
  await sql.unsafe(`create database ${queue} template ${base}`)
  const watched = channels.slice(CHANNELS)
  {
    await using hub = await startHubProcess({ ...buildOptions(stage, root, queue), role: 'api' })
    await seedEndpoints(hub.url, watched, stage.receiver.port)
    const callbacks = (DELIVERIES.warmUp + DELIVERIES.measured) / QUEUED_TOGETHER
    await post(stage, hub, buildCallbacks(watched, callbacks, QUEUED_TOGETHER), 200)
  }
  await analyze(stage, queue)
  return { name, root, channels: channels.slice(0, CHANNELS) }
}

/** Measures one path of a version in a new process, on a new copy of its database. */
export async function measurePath(stage: Stage, version: Version, path: PathName): Promise<Measured> {
  const { sql } = stage.database
  const name = `${version.name}_round`
  await sql.unsafe(`create database ${name} template ${version.name}_${path === 'deliver' ? 'queue' : 'channels'}`)
  try {
    const options = buildOptions(stage, version.root, name)
    if (path === 'deliver') return { 'a delivery': await measureDeliveries(stage, options, name) }
    await using hub = await startHubProcess(options)
    const read = () => readCounters(stage, hub, name)
    if (path === 'inbound') return await measureCallbacks(stage, { hub, read, name }, version.channels)
    await post(stage, hub, buildSends(version.channels, SENDS.warmUp), 202)
    await analyze(stage, name)
    const sends = buildSends(version.channels, SENDS.measured)
    return { 'a send': await measurePosts(stage, { hub, read }, { posts: sends, units: sends.length, status: 202 }) }
  } finally {
    await sql.unsafe(`drop database ${name} with (force)`)
  }
}

type Running = { hub: HubProcess; read: () => Promise<Counters> }

async function measureCallbacks(
  stage: Stage,
  { name, ...running }: Running & { name: string },
  channels: BenchChannel[],
): Promise<Measured> {
  for (const { messages, warmUp } of CALLBACKS)
    await post(stage, running.hub, buildCallbacks(channels, warmUp, messages), 200)
  await analyze(stage, name)
  const measured: Measured = {}
  for (const { messages, measured: count } of CALLBACKS) {
    const posts = buildCallbacks(channels, count, messages)
    const sample = await measurePosts(stage, running, { posts, units: count * messages, status: 200 })
    measured[`an update, ${messages} a callback`] = sample
  }
  await post(stage, running.hub, buildStatuses(channels, STATUSES, 'sent', name), 200)
  await analyze(stage, name)
  const posts = buildStatuses(channels, STATUSES, 'delivered', name)
  measured['a status of a known message'] = await measurePosts(stage, running, { posts, units: STATUSES, status: 200 })
  return measured
}

/** The hub delivers from its start on. The measurement starts when the receiver has the deliveries of the warm-up. */
async function measureDeliveries(stage: Stage, options: HubOptions, name: string): Promise<Sample> {
  const { receiver } = stage
  await receiver.received()
  await using hub = await startHubProcess(options)
  const deadline = performance.now() + ARRIVAL_LIMIT_MS
  let arrived = 0
  async function waitFor(count: number): Promise<void> {
    for (arrived += (await receiver.received()).posts; arrived < count; arrived += (await receiver.received()).posts) {
      if (performance.now() > deadline) throw new Error(`${arrived} deliveries arrived instead of ${count}`)
      await delay(POLL_MS)
    }
  }
  await waitFor(DELIVERIES.warmUp)
  const [startedAt, arrivedBefore] = [performance.now(), arrived]
  const before = await readCounters(stage, hub, name)
  await waitFor(DELIVERIES.warmUp + DELIVERIES.measured)
  const seconds = (performance.now() - startedAt) / 1000
  await delay(WRITTEN_AFTER_MS)
  return toSample(before, await readCounters(stage, hub, name), { units: arrived - arrivedBefore, seconds })
}

async function measurePosts(
  stage: Stage,
  { hub, read }: Running,
  { posts, units, status }: { posts: Post[]; units: number; status: number },
): Promise<Sample> {
  let before: Counters | undefined
  const { seconds } = await post(stage, hub, posts, status, async () => {
    before = await read()
  })
  const after = await read()
  return toSample(before ?? after, after, { units, seconds })
}

function post({ load }: Stage, { url }: HubProcess, posts: Post[], status: number, begin = async () => {}) {
  return load.post({ url, posts, concurrency: CALLERS, status }, begin)
}

type Counters = { hub: number; database: number; statements: number; walBytes: number }

async function readCounters(stage: Stage, hub: HubProcess, name: string): Promise<Counters> {
  const [hubCpu, database] = [await hub.readCpu(), await stage.readDatabaseCpu()]
  const [row] = await stage.database.sql<{ statements: number; wal_bytes: number }[]>`
    select coalesce(sum(s.calls), 0)::float8 as statements,
      (pg_current_wal_insert_lsn() - '0/0')::float8 as wal_bytes
    from pg_stat_statements s
    join pg_database d on d.oid = s.dbid
    where d.datname = ${name}`
  return { hub: hubCpu, database, statements: row?.statements ?? 0, walBytes: row?.wal_bytes ?? 0 }
}

function toSample(before: Counters, after: Counters, { units, seconds }: { units: number; seconds: number }): Sample {
  const hubCpu = (after.hub - before.hub) / units
  const databaseCpu = (after.database - before.database) / units
  return {
    cpu: hubCpu + databaseCpu,
    hubCpu,
    databaseCpu,
    perSecond: units / seconds,
    statements: (after.statements - before.statements) / units,
    walBytes: (after.walBytes - before.walBytes) / units,
  }
}

function buildOptions({ keyRing, receiver, upstream, database }: Stage, root: string, name: string): HubOptions {
  const databaseUrl = toDatabaseUrl(database.url, name)
  return { keyRing, databaseUrl, receiverPort: receiver.port, upstreamUrl: upstream.url, root }
}

async function analyze({ database }: Stage, name: string): Promise<void> {
  const sql = openPool(toDatabaseUrl(database.url, name), { max: 1, name: 'bench' })
  await gatherStatistics(sql)
  await sql.end()
}
