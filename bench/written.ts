import type { Pool } from '../server/src/kernel/db/pool.ts'

/** The writes of one unit of work: a count, which does not depend on the load of the machine. */
export type Written = { indexEntries: number; heapRows: number; walBytes: number }

const INDEX_ENTRY = ['Btree/INSERT_LEAF', 'Btree/INSERT_POST', 'Btree/SPLIT_L', 'Btree/SPLIT_R']
const HEAP_ROW = [
  'Heap/INSERT',
  'Heap/INSERT+INIT',
  'Heap/UPDATE',
  'Heap/UPDATE+INIT',
  'Heap/HOT_UPDATE',
  'Heap2/MULTI_INSERT',
]

/**
 * Reads from the write-ahead log what `work` wrote, for each of its units. Copies of whole pages, which the first change of
 * a page after a checkpoint brings, are not counted. Undefined where the database lacks `pg_walinspect` or the right to it.
 */
export async function measureWritten(
  sql: Pool,
  work: () => Promise<unknown>,
  units: number,
): Promise<Written | undefined> {
  try {
    await sql`create extension if not exists pg_walinspect`
  } catch {
    return undefined
  }
  const readPlace = async () =>
    (await sql<{ place: string }[]>`select pg_current_wal_insert_lsn()::text as place`)[0]?.place
  const from = await readPlace()
  await work()
  const to = await readPlace()
  const records = await sql<{ type: string; count: number; bytes: number }[]>`
    select "resource_manager/record_type" as type, count::float8 as count, record_size::float8 as bytes
    from pg_get_wal_stats(${from ?? null}::pg_lsn, ${to ?? null}::pg_lsn, true)`
  const count = (types: readonly string[]) =>
    records.filter(({ type }) => types.includes(type)).reduce((sum, record) => sum + record.count, 0) / units
  return {
    indexEntries: count(INDEX_ENTRY),
    heapRows: count(HEAP_ROW),
    walBytes: records.reduce((sum, { bytes }) => sum + bytes, 0) / units,
  }
}
