import type { Sql } from './pool.ts'

/** The time by which rows expire: a process whose clock is ahead must not delete what the others still keep. */
export async function readDatabaseTime(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: string }[]>`select hub_now() as now`
  if (!row) throw new Error('A select without a table returned no row')
  return new Date(row.now)
}
