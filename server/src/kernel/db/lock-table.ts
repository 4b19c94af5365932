import type { Sql } from './pool.ts'

/** The locks that the server has room for, and those of one statement over the largest partitioned table. */
export async function measureLockTable(sql: Sql): Promise<{ available: number; perStatement: number }> {
  const [row] = await sql<{ available: number; per_statement: number }[]>`
    select current_setting('max_locks_per_transaction')::int
        * (current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int) as available,
      coalesce(max(t.locks), 0)::int as per_statement
    from (
      select count(*) + sum((select count(*) from pg_index x where x.indrelid = i.inhrelid)) as locks
      from pg_inherits i
      join pg_class c on c.oid = i.inhparent
      where c.relkind = 'p'
      group by i.inhparent
    ) t`
  return { available: row?.available ?? 0, perStatement: row?.per_statement ?? 0 }
}
