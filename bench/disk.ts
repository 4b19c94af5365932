import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../server/src/kernel/db/pool.ts'
import { type BenchChannel, openHub } from './bench-hub.ts'
import type { Benchmark, Result } from './benchmark.ts'
import { startReceiver } from './deliver/receiver.ts'
import { type LoadProcess, type Post, startLoadProcess } from './load-process.ts'
import { buildMarked, seedChannels } from './pipeline/channels.ts'
import { receiveMarks } from './pipeline/events.ts'
import { buildSends } from './send.ts'
import { startUpstream } from './simulated-upstream.ts'

const CHANNELS = 10
const CONCURRENCY = 64
const WARM_UP = 300
const QUIET_PER_SECOND = 100
const QUIET_SECONDS = 10
const BUSY = 4000
/** An idle connection reports what it wrote at the latest after this time. */
const REPORTED_MS = 11_000
/** Tables whose rows are deleted again at once: what they leave is used again. */
const PASSING = /^(delivery_queue|unsettled_sends|rate_limits|.*_deltas|live_update.*|cost_checks)$/

/** They are kept for RETENTION_MESSAGES_DAYS, and the others for RETENTION_EVENTS_DAYS. */
const LOG = /^(messages|message_.*|contacts)$/

/**
 * The costs of events and sends for the disk of the database: bytes of the write-ahead log, calls of fsync, and bytes that are
 * kept until retention deletes them. An event is a callback with a message of about 1 KiB and its delivery to one
 * receiver. `npm run admin -- sizing` rests on these figures.
 */
export const disk: Benchmark = {
  name: 'disk',
  summary: 'bytes of the write-ahead log and of the tables, and fsyncs, of an event and of a send',
  async run(stand) {
    await using receiver = await startReceiver()
    await using posting = await startLoadProcess()
    await using upstream = await startUpstream(CHANNELS)
    const { channels, mark } = await seedChannels(stand, upstream.numbers, receiver.port)
    const env = { WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1/32:${receiver.port}`, UPSTREAM_TIMEOUT_MS: '60000' }
    const hub = await openHub(stand, upstream.url, { env })
    await receiveMarks(receiver, [mark])
    const work = createWork({ url: hub.url, channels, posting, receiver })
    await work.events(WARM_UP)
    await work.sends(WARM_UP)

    const results: Result[] = []
    const scale = stand.isQuick ? 4 : 1
    for (const [what, run] of [
      ['event', work.events],
      ['send', work.sends],
    ] as const) {
      stand.progress(`${what}s at ${QUIET_PER_SECOND} a second`)
      const quiet = Math.floor((QUIET_PER_SECOND * QUIET_SECONDS) / scale)
      const calm = await measure(stand.sql, () => run(quiet, QUIET_PER_SECOND), quiet)
      stand.progress(`${what}s in bulk`)
      const bulk = Math.floor(BUSY / scale)
      const startedAt = performance.now()
      let seconds = Number.NaN
      const busy = await measure(
        stand.sql,
        async () => {
          await run(bulk)
          seconds = (performance.now() - startedAt) / 1000
        },
        bulk,
      )
      const rate = `at ${Math.round(bulk / seconds)}/s`
      results.push(
        {
          what: `write-ahead log of ${withArticle(what)} at ${QUIET_PER_SECOND}/s`,
          value: calm.walBytes / 1000,
          unit: 'KB',
        },
        { what: `write-ahead log of ${withArticle(what)} ${rate}`, value: busy.walBytes / 1000, unit: 'KB' },
        { what: `kept of ${withArticle(what)} in the message log`, value: busy.loggedBytes / 1000, unit: 'KB' },
        { what: `kept of ${withArticle(what)} beside it`, value: busy.keptBytes / 1000, unit: 'KB' },
        { what: `fsyncs of ${withArticle(what)} at ${QUIET_PER_SECOND}/s`, value: calm.fsyncs, unit: '' },
        { what: `fsyncs of ${withArticle(what)} ${rate}`, value: busy.fsyncs, unit: '' },
      )
    }
    await hub.stop()
    return results
  },
}

const withArticle = (what: string) => (what === 'event' ? 'an event' : 'a send')

type Workplace = {
  url: string
  channels: BenchChannel[]
  posting: LoadProcess
  receiver: Awaited<ReturnType<typeof startReceiver>>
}

function createWork({ url, channels, posting, receiver }: Workplace) {
  const post = (posts: Post[], status: number, perSecond?: number) =>
    posting.post({ url, posts, concurrency: CONCURRENCY, status, ...(perSecond && { perSecond }) }, async () => {})
  return {
    async events(count: number, perSecond?: number): Promise<void> {
      const marked = buildMarked(channels, count)
      await post(
        marked.map((one) => one.post),
        200,
        perSecond,
      )
      await receiveMarks(
        receiver,
        marked.map(({ mark }) => mark),
      )
    },
    async sends(count: number, perSecond?: number): Promise<void> {
      await post(buildSends(channels, count), 202, perSecond)
    },
  }
}

/** Per unit of work. */
async function measure(sql: Pool, work: () => Promise<void>, units: number) {
  await sql`vacuum analyze`
  await sql`checkpoint`
  await delay(REPORTED_MS)
  const before = await readState(sql)
  await work()
  const place = await readState(sql)
  await delay(REPORTED_MS)
  const fsyncs = (await readState(sql)).fsyncs - before.fsyncs
  await sql`vacuum`
  const after = await readState(sql)
  return {
    walBytes: (place.walBytes - before.walBytes) / units,
    fsyncs: fsyncs / units,
    loggedBytes: (after.loggedBytes - before.loggedBytes) / units,
    keptBytes: (after.keptBytes - before.keptBytes) / units,
  }
}

async function readState(sql: Pool) {
  const [row] = await sql<{ wal_bytes: number; fsyncs: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal_bytes,
      (select sum(fsyncs)::float8 from pg_stat_io where object = 'wal') as fsyncs`
  const tables = await sql<{ name: string; bytes: number }[]>`
    select coalesce(p.relname, c.relname) as name, pg_total_relation_size(c.oid)::float8 as bytes
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r'
      and c.relnamespace = 'public'::regnamespace`
  const sum = (isCounted: (name: string) => boolean) =>
    tables.filter(({ name }) => isCounted(name)).reduce((total, { bytes }) => total + bytes, 0)
  return {
    walBytes: row?.wal_bytes ?? 0,
    fsyncs: row?.fsyncs ?? 0,
    loggedBytes: sum((name) => LOG.test(name)),
    keptBytes: sum((name) => !PASSING.test(name) && !LOG.test(name)),
  }
}
