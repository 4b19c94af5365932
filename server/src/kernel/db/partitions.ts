import { readIdTime, toFirstId } from '../ids.ts'
import { LOCKS, retryLocked } from './locks.ts'
import type { Pool, Tx } from './pool.ts'

const DAY_MS = 86_400_000
/** Every statement over a partitioned table locks all its partitions and their indexes, so their number is bounded. */
const KEPT_PARTITIONS_MAX = 56

/** A range of ids, which is a range of time: the tables' keys are UUIDv7. The end is exclusive. */
type Partition = { name: string; start: number; end: number }

/** The number of days in a partition: one, and more for a long retention. */
export function toPartitionDays(retentionDays: number): number {
  return Math.ceil(retentionDays / KEPT_PARTITIONS_MAX)
}

/**
 * Creates the missing partitions of `days` days from a day on, each from a multiple of `partitionDays` to the next.
 * Existing partitions of another length stay as they are.
 */
export async function createPartitions(
  sql: Pool,
  table: string,
  from: Date,
  days: number,
  partitionDays = 1,
): Promise<void> {
  const existing = await listPartitions(sql, table)
  const partitionMs = partitionDays * DAY_MS
  const last = toDayStart(from) + days * DAY_MS
  for (let start = toDayStart(from); start < last; ) {
    const covering = existing.find((other) => other.start <= start && start < other.end)
    const next = Math.min(...existing.filter((other) => other.start > start).map((other) => other.start))
    const end = covering?.end ?? Math.min((Math.floor(start / partitionMs) + 1) * partitionMs, next)
    if (!covering)
      await createPartition(sql, table, { name: `${table}_p${formatDay(start)}`, start, end }, start <= from.getTime())
    start = end
  }
}

/**
 * Attaches a new table, which takes no lock that a send needs; `create table … partition of` would lock the whole table.
 * Rows that are in the default partition for want of this one are moved. While such rows can still arrive, the whole
 * table is locked: PostgreSQL refuses a row that was on its way to the default partition when this one was attached.
 */
async function createPartition(
  sql: Pool,
  table: string,
  { name, start, end }: Partition,
  hasBegun: boolean,
): Promise<void> {
  const [from, to] = [toFirstId(new Date(start)), toFirstId(new Date(end))]
  const fallback = `${table}_default`
  await withTableLock(sql, table, async (tx) => {
    const [found] = await tx`select to_regclass(${name}) is not null as exists`
    if (found?.exists) return
    if (hasBegun) await tx`lock table only ${tx(table)} in access exclusive mode`
    await tx`lock table ${tx(fallback)} in access exclusive mode`
    await tx`create table ${tx(name)} (like ${tx(table)} including all)`
    await tx`
      with moved as (delete from ${tx(fallback)} where id >= ${from} and id < ${to} returning *)
      insert into ${tx(name)}
      select * from moved`
    await tx`
      alter table ${tx(table)} attach partition ${tx(name)}
      for values from (${tx.unsafe(`'${from}'`)}) to (${tx.unsafe(`'${to}'`)})`
  })
}

/** Drops the partitions that end before the day of the limit, and deletes older rows from the default partition. */
export async function dropPartitions(sql: Pool, table: string, before: Date): Promise<void> {
  const limit = toDayStart(before)
  const expired = (await listPartitions(sql, table)).filter(({ end }) => end <= limit)
  // A partitioned table with a default partition cannot detach concurrently, so the lock has a short timeout instead.
  for (const { name } of expired) await withTableLock(sql, table, (tx) => tx`drop table if exists ${tx(name)}`)
  await sql`
    delete from ${sql(`${table}_default`)}
    where id < ${toFirstIdOfDay(before)}::uuid`
}

/** The range of each partition is read once: that of one that another process drops meanwhile is null from then on. */
async function listPartitions(sql: Pool, table: string): Promise<Partition[]> {
  const rows = await sql<{ name: string; ids: string[] }[]>`
    with partitions as materialized (
      select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass
    )
    select name, (select array_agg(m[1]) from regexp_matches(bounds, '''([0-9a-f-]{36})''', 'g') m) as ids
    from partitions
    where bounds <> 'DEFAULT'`
  return rows.map(({ name, ids: [from = '', to = ''] }) => ({ name, start: readIdTime(from), end: readIdTime(to) }))
}

/**
 * Runs `work` in one process at a time: even `if not exists` fails when two create the same table at once. A backup
 * holds its locks for hours, and every statement would queue behind a lock that waits for it. So the wait is short,
 * and repeated.
 */
async function withTableLock(sql: Pool, table: string, work: (tx: Tx) => PromiseLike<unknown>): Promise<void> {
  await retryLocked(LOCKS.maintenance, () =>
    sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`partitions:${table}`}, 0))`
      await tx.unsafe(`set local lock_timeout = ${LOCKS.maintenance.timeoutMs}`)
      await work(tx)
    }),
  )
}

/** The lowest UUIDv7 of a UTC day. */
export function toFirstIdOfDay(date: Date): string {
  return toFirstId(new Date(toDayStart(date)))
}

function toDayStart(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS) * DAY_MS
}

function formatDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
}
