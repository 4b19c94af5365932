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
  before: string | null
  action: string | null
  actorId: string | null
  targetId: string | null
  since: string | null
  until: string | null
  limit: number
}

/** Newest first. Ids are ordered by time, so the next page starts after the last id of this one. */
export async function listEntries(sql: Sql, f: EntryFilter): Promise<AuditEntry[]> {
  return sql<AuditEntry[]>`
    select id, action,
      json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) as actor,
      json_build_object('type', target_type, 'id', target_id) as target,
      ip, request_id, details, created_at
    from audit_entries
    where organization_id = ${f.organizationId}
      and (${f.before}::uuid is null or id < ${f.before}::uuid)
      and (${f.action}::text is null or action = ${f.action}::text)
      and (${f.actorId}::text is null or actor_id = ${f.actorId}::text)
      and (${f.targetId}::text is null or target_id = ${f.targetId}::text)
      and (${f.since}::timestamptz is null or created_at >= ${f.since}::timestamptz)
      and (${f.until}::timestamptz is null or created_at < ${f.until}::timestamptz)
    order by id desc
    limit ${f.limit}`
}
