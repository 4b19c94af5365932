import { type Pool, readSqlState } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'

/** For constraints over several columns. */
const OTHER_VALUES: Record<string, Record<string, string>> = { erasures: { status: 'done' } }

type Column = { name: string; type: string; allowed: string[] | null }
type TenantTable = { name: string; columns: Column[] }

/** Every table with an `organization_id`, partitions apart, with the columns that a row must have. */
export async function listTenantTables(sql: Pool): Promise<TenantTable[]> {
  return sql<TenantTable[]>`
    select t.table_name as name,
      (select json_agg(json_build_object('name', c.column_name, 'type', c.data_type,
          'allowed', (
            select array(select m[1] from regexp_matches(pg_get_constraintdef(k.oid), '''([^'']+)''::text', 'g') m)
            from pg_constraint k
            join pg_attribute a on a.attrelid = k.conrelid and a.attname = c.column_name and k.conkey = array[a.attnum]
            where k.conrelid = t.table_name::regclass and k.contype = 'c'
            limit 1)))
       from information_schema.columns c
       where c.table_schema = 'public' and c.table_name = t.table_name
         and c.is_nullable = 'NO' and c.column_default is null and c.is_identity = 'NO') as columns
    from information_schema.columns t
    join pg_class r on r.oid = t.table_name::regclass
    where t.table_schema = 'public'
      and t.column_name = 'organization_id'
      and not r.relispartition
    order by 1`
}

/**
 * Inserts a row of the organization into every tenant table that has none. All ids of the organization are one id, so that
 * every foreign key finds its row once that is there; until then the row is tried again.
 */
export async function fillTenantTables(
  sql: Pool,
  { organizationId, userId }: { organizationId: string; userId: string },
  now: Date,
): Promise<void> {
  const shared = newId(now)
  const values: Record<string, string> = { organization_id: organizationId, user_id: userId }
  const [session] = await sql<{ id: string }[]>`select id from sessions where organization_id = ${organizationId}`
  values.session_id = session?.id ?? ''
  let missing: TenantTable[] = []
  for (const table of await listTenantTables(sql)) {
    if ((await countRows(sql, table.name, organizationId)) === 0) missing.push(table)
  }
  for (let left = missing.length + 1; missing.length > 0 && missing.length < left; ) {
    left = missing.length
    const failed: TenantTable[] = []
    for (const table of missing) {
      const required = table.columns.map((column) => [column.name, values[column.name] ?? toValue(column, shared)])
      const row = { organization_id: organizationId, ...Object.fromEntries(required), ...OTHER_VALUES[table.name] }
      const names = Object.keys(row).map((name) => `"${name}"`)
      const places = names.map((_, index) => `$${index + 1}`)
      const insert = `insert into "${table.name}" (${names}) values (${places})`
      await sql.unsafe(insert, Object.values(row)).catch((err) => {
        if (readSqlState(err) !== '23503') throw err
        failed.push(table)
      })
    }
    missing = failed
  }
  if (missing.length > 0) throw new Error(`No row could be inserted into ${missing.map(({ name }) => name).join(', ')}`)
}

function toValue({ type, allowed }: Column, id: string) {
  if (type === 'uuid') return id
  if (type === 'bytea') return Buffer.from(id)
  if (type === 'ARRAY') return '{}'
  if (type === 'boolean') return false
  if (type === 'date') return '2026-11-01'
  if (type.startsWith('timestamp')) return '2026-11-01T00:00:00Z'
  if (/int|numeric/.test(type)) return 1
  return allowed?.[0] ?? id
}

export async function countRows(sql: Pool, table: string, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ${sql(table)} where organization_id = ${organizationId}`
  return row?.count ?? 0
}

/** The content of every tenant table, as far as it is the organization's. */
export async function readTenantRows(sql: Pool, organizationId: string): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const { name } of await listTenantTables(sql)) {
    const found = await sql<{ text: string }[]>`
      select t::text as text from ${sql(name)} t where organization_id = ${organizationId} order by 1`
    rows[name] = found.map(({ text }) => text)
  }
  return rows
}
