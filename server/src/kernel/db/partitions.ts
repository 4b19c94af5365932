import { type Pool, sqlState, type Tx } from './pool.ts'

const DAY_MS = 86_400_000
const ROWS_IN_DEFAULT = '23514'

/**
 * Day partitions of tables whose key is a UUIDv7: a range of ids is a range of
 * time. Made ahead; dropped whole when their time has passed.
 */
export async function makePartitions(sql: Pool, table: string, from: Date, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    const start = new Date(from.getTime() + day * DAY_MS)
    const name = `${table}_p${dayName(start)}`
    try {
      await alone(
        sql,
        table,
        (tx) => tx`
          create table if not exists ${tx(name)} partition of ${tx(table)}
          for values from (${tx.unsafe(`'${firstIdOf(start)}'`)})
          to (${tx.unsafe(`'${firstIdOf(new Date(start.getTime() + DAY_MS))}'`)})`,
      )
    } catch (err) {
      // The day's rows are in the default partition already, and are swept from there.
      if (sqlState(err) !== ROWS_IN_DEFAULT) throw err
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
    // The last day that ends before the limit may go; its own day may not.
    if (name >= `${table}_p${dayName(before)}`) continue
    await alone(sql, table, (tx) => tx`drop table if exists ${tx(name)}`)
  }
  await sql`
    delete from ${sql(`${table}_default`)}
    where id < ${firstIdOf(before)}::uuid`
}

/** One process at a time: even `if not exists` fails where two make the same table at once. */
async function alone(sql: Pool, table: string, work: (tx: Tx) => PromiseLike<unknown>): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`partitions:${table}`}, 0))`
    await work(tx)
  })
}

/** The lowest id that can have been made on a UTC day. */
export function firstIdOf(date: Date): string {
  const start = Math.floor(date.getTime() / DAY_MS) * DAY_MS
  const hex = start.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

function dayName(date: Date): string {
  return date.toISOString().slice(0, 10).replaceAll('-', '')
}
