import type { Pool } from '../../server/src/kernel/db/pool.ts'

/** PostgreSQL writes the index of a partitioned table as one without its partitions. */
const ONLY_PARENT = / ON ONLY /

type Definition = { name: string; definition: string }

/**
 * Fills a table without its indexes, which are made again afterwards: to insert each row in the order of time into every
 * index of a large table takes five times as long.
 */
export async function fillBare(sql: Pool, table: string, fill: () => Promise<void>): Promise<void> {
  const constraints = await listConstraints(sql, table)
  const indexes = await listIndexes(sql, table)
  for (const { name } of constraints) await sql.unsafe(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  await fill()
  for (const { name, definition } of constraints) {
    await sql.unsafe(`alter table ${table} add constraint ${name} ${definition}`)
  }
  for (const { definition } of indexes) await sql.unsafe(definition.replace(ONLY_PARENT, ' ON '))
}

/** The keys of a table. No other table refers to those of a log. */
function listConstraints(sql: Pool, table: string): Promise<Definition[]> {
  return sql<Definition[]>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table}::regclass and contype in ('p', 'u')`
}

function listIndexes(sql: Pool, table: string): Promise<Definition[]> {
  return sql<Definition[]>`
    select c.relname as name, pg_get_indexdef(c.oid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${table}::regclass and not exists (select from pg_constraint where conindid = c.oid)`
}
