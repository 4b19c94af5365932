import { readSqlState, type Sql } from './pool.ts'

const BATCH_SIZE = 1000
/** The SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

/**
 * Deletes a batch of an organization's rows from the first of the tables that has any, and returns how many: 0 when none of
 * them has. Tables come in an order in which foreign keys allow it. Two processes may do it at once: the second waits for
 * the rows that the first has locked, and takes others. A row is found by its place, which only the table or the
 * partition itself makes unique, so that each partition is asked for its own.
 */
export async function deleteTenantRows(sql: Sql, tables: readonly string[], organizationId: string): Promise<number> {
  for (const table of tables) {
    for (const part of await listParts(sql, table)) {
      const count = await deleteBatch(sql, part, organizationId)
      if (count > 0) return count
    }
  }
  return 0
}

/** A partition may be dropped after it was listed, and has no rows then. */
async function deleteBatch(sql: Sql, part: string, organizationId: string): Promise<number> {
  try {
    const { count } = await sql`
      delete from only ${sql(part)}
      where organization_id = ${organizationId}
        and ctid = any(array(
          select ctid
          from only ${sql(part)}
          where organization_id = ${organizationId}
          limit ${BATCH_SIZE}
          for update))`
    return count
  } catch (err) {
    if (readSqlState(err) === UNDEFINED_TABLE) return 0
    throw err
  }
}

/** The partitions of a table; of one without partitions the table. */
async function listParts(sql: Sql, table: string): Promise<string[]> {
  const parts = await sql<{ name: string }[]>`
    select relid::text as name
    from pg_partition_tree(${table}::regclass)
    where isleaf`
  return parts.length === 0 ? [table] : parts.map(({ name }) => name)
}
