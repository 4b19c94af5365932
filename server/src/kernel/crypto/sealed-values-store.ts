import type { Sql } from '../db/pool.ts'
import { rows } from '../db/rows.ts'
import type { SealedColumn } from './sealing.ts'

type RowKey = { organizationId: string | null; id: string }
type SealedValue = RowKey & { sealed: string }

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
export const BEFORE_ALL_ROWS: RowKey = { organizationId: NIL_UUID, id: NIL_UUID }

/** A page of the values sealed with another key than `keyId`, in the order of the table's primary key. */
export async function listSealed(
  sql: Sql,
  { table, column, isGlobal }: SealedColumn,
  page: { keyId: string; limit: number; after: RowKey },
): Promise<SealedValue[]> {
  const { organizationId, id } = page.after
  return sql<SealedValue[]>`
    select ${isGlobal ? sql`null` : sql`organization_id`} as "organizationId", id, ${sql(column)} as sealed
    from ${sql(table)}
    where ${sql(column)} is not null
      and split_part(${sql(column)}, '.', 1) <> ${page.keyId}
      and ${isGlobal ? sql`id > ${id}` : sql`(organization_id, id) > (${organizationId}, ${id})`}
    order by ${isGlobal ? sql`id` : sql`organization_id, id`}
    limit ${page.limit}`
}

/** Replaces a value only if it is still the one that was read: another transaction may have changed it. */
export async function replaceSealed(
  sql: Sql,
  { table, column, isGlobal }: SealedColumn,
  replacements: (SealedValue & { resealed: string })[],
): Promise<number> {
  const result = await sql`
    update ${sql(table)} t
    set ${sql(column)} = r.resealed
    from ${rows(sql, replacements, { organizationId: 'uuid', id: 'uuid', sealed: 'text', resealed: 'text' })} as r
    where t.id = r.id
      and ${isGlobal ? sql`true` : sql`t.organization_id = r.organization_id`}
      and t.${sql(column)} = r.sealed`
  return result.count
}
