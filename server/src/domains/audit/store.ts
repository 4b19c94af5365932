import type { Json, Sql, Tx } from '../../kernel/db/pool.ts'
import type { Initiator } from './initiator.ts'
import type { AuditEntry } from './schemas.ts'

export type NewEntry = {
  id: string
  organizationId: string
  initiator: Initiator
  action: string
  target: { type: string; id: string }
  details: Record<string, Json>
}

export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
  const { actor, ip, requestId } = entry.initiator
  await tx`
    insert into audit_entries
      (organization_id, id, action, actor_type, actor_id, actor_name, target_type, target_id, ip, request_id, details)
    values
      (${entry.organizationId}, ${entry.id}, ${entry.action}, ${actor.type}, ${actor.id}, ${actor.name},
       ${entry.target.type}, ${entry.target.id}, ${ip}, ${requestId}, ${tx.json(entry.details)})`
}

export type EntryFilter = {
  organizationId: string
  action: string | null
  actorId: string | null
  targetId: string | null
  since: string | null
  until: string | null
  /** Ids from this one on, and before that one. */
  fromId: string | null
  beforeId: string | null
  limit: number
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Newest first. Ids are ordered by time, so the next page starts after the last id of this one. Every set of the filters
 * `action`, `actorId` and `targetId` has an index that ends with the id. Rows are compared and sorted by its columns, and
 * not each column with `=`: then no other index gives the order, and the planner cannot choose one because it assumes that
 * an organization or a target has few entries. The period is one expression for the same reason.
 */
export async function listEntries(sql: Sql, f: EntryFilter): Promise<AuditEntry[]> {
  const given = [
    { column: sql`organization_id`, value: f.organizationId },
    { column: sql`action`, value: f.action },
    { column: sql`actor_id`, value: f.actorId },
    { column: sql`target_id`, value: f.targetId },
  ].filter(({ value }) => value !== null)
  const columns = given.map(({ column }) => sql`${column}, `)
  const values = given.map(({ value }) => sql`${value}, `)
  const order = given.map(({ column }) => sql`${column} desc, `)
  return sql<AuditEntry[]>`
    select id, action,
      json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) as actor,
      json_build_object('type', target_type, 'id', target_id) as target,
      ip, request_id, details, created_at
    from audit_entries
    where (${columns} id) >= (${values} ${f.fromId ?? LOWEST_ID})
      and (${columns} id) < (${values} ${f.beforeId ?? HIGHEST_ID})
      and case
        when created_at >= ${f.since ?? '-infinity'}::timestamptz then created_at < ${f.until ?? 'infinity'}::timestamptz
        else false end
    order by ${order} id desc
    limit ${f.limit}`
}

/** Deletes up to `limit` entries of all organizations, and returns how many. */
export async function deleteEntriesBefore(sql: Sql, d: { beforeId: string; limit: number }): Promise<number> {
  const result = await sql`
    delete from audit_entries
    where ctid = any(array(
      select ctid
      from audit_entries
      where id < ${d.beforeId}
      order by id
      limit ${d.limit}))`
  return result.count
}

/** Replaces the person that exports were filtered by, and returns in how many entries. */
export async function erasePersonFilters(
  tx: Tx,
  e: { organizationId: string; actions: readonly string[]; identifiers: readonly string[]; replacement: string },
): Promise<number> {
  const result = await tx`
    update audit_entries
    set details = details || jsonb_build_object('person', ${e.replacement}::text)
    where organization_id = ${e.organizationId}
      and action = any(${e.actions}::text[])
      and ltrim(details ->> 'person', '+') = any(${e.identifiers}::text[])`
  return result.count
}
