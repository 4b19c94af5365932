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

/**
 * Newest first. Ids are ordered by time, so the next page starts after the last id of this one. Only the given filters
 * are part of the statement: each of them has an index in the order of the ids, and a plan for all of them has none.
 */
export async function listEntries(sql: Sql, f: EntryFilter): Promise<AuditEntry[]> {
  return sql<AuditEntry[]>`
    select id, action,
      json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) as actor,
      json_build_object('type', target_type, 'id', target_id) as target,
      ip, request_id, details, created_at
    from audit_entries
    where organization_id = ${f.organizationId}
      ${f.fromId === null ? sql`` : sql`and id >= ${f.fromId}`}
      ${f.beforeId === null ? sql`` : sql`and id < ${f.beforeId}`}
      ${f.action === null ? sql`` : sql`and action = ${f.action}`}
      ${f.actorId === null ? sql`` : sql`and actor_id = ${f.actorId}`}
      ${f.targetId === null ? sql`` : sql`and target_id = ${f.targetId}`}
      ${f.since === null ? sql`` : sql`and created_at >= ${f.since}`}
      ${f.until === null ? sql`` : sql`and created_at < ${f.until}`}
    order by id desc
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
