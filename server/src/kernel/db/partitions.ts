import { type Pool, readSqlState, type Tx } from './pool.ts'

const DAY_MS = 86_400_000
const CHECK_VIOLATION = '23514'

/** Creates a partition per UTC day. The tables' keys are UUIDv7, so a range of ids is a range of time. */
export async function createPartitions(sql: Pool, table: string, from: Date, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    const start = new Date(from.getTime() + day * DAY_MS)
    const name = `${table}_p${formatDay(start)}`
    try {
      await withTableLock(
        sql,
        table,
        (tx) => tx`
          create table if not exists ${tx(name)} partition of ${tx(table)}
          for values from (${tx.unsafe(`'${toFirstIdOfDay(start)}'`)})
          to (${tx.unsafe(`'${toFirstIdOfDay(new Date(start.getTime() + DAY_MS))}'`)})`,
      )
    } catch (err) {
      // Rows of that day are already in the default partition; `dropPartitions` deletes them there.
      if (readSqlState(err) !== CHECK_VIOLATION) throw err
    }
  }
}

export async function dropPartitions(sql: Pool, table: string, before: Date): Promise<void> {
  const partitions = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass
      and c.relname like ${`${table}_p%`}`
  for (const { name } of partitions) {
    // Only whole days before the limit: the day of the limit still has rows to keep.
    if (name >= `${table}_p${formatDay(before)}`) continue
    await withTableLock(sql, table, (tx) => tx`drop table if exists ${tx(name)}`)
  }
  await sql`
    delete from ${sql(`${table}_default`)}
    where id < ${toFirstIdOfDay(before)}::uuid`
}

/** Runs `work` in one process at a time: even `if not exists` fails when two create the same table at once. */
async function withTableLock(sql: Pool, table: string, work: (tx: Tx) => PromiseLike<unknown>): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`partitions:${table}`}, 0))`
    await work(tx)
  })
}

/** The lowest UUIDv7 of a UTC day. */
export function toFirstIdOfDay(date: Date): string {
  const start = Math.floor(date.getTime() / DAY_MS) * DAY_MS
  const hex = start.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10).replaceAll('-', '')
}
