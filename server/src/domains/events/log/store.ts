import { isInWindow, limitBytes, type WindowPlace } from '../../../kernel/db/id-windows.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'

export type KeptEvent = { id: string; kind: string; channel_id: string | null; occurred_at: string; body: Buffer }

type Page = WindowPlace & { organizationId: string; limit: number; bytesMax: number }

/** A page of events, newest first. */
const selectPage = (sql: Sql, p: Page) =>
  limitBytes(
    sql,
    sql`
      select id, kind, channel_id, occurred_at, body
      from events
      where organization_id = ${p.organizationId}
        and id < ${p.before}
        and ${isInWindow(sql, p.window)}
      order by organization_id desc, id desc
      limit ${p.limit}`,
    p.bytesMax,
  )

export async function listEvents(sql: Sql, p: Page): Promise<KeptEvent[]> {
  return sql<KeptEvent[]>`
    select id, kind, channel_id, occurred_at, body
    from (${selectPage(sql, p)}) e
    order by id desc`
}

/** Kinds whose payloads can have data of a person. */
const PERSONAL_KIND = /^((message|contact|call|history)\..+|payment\.status|group\.changed|upstream\.raw)$/

/** Returns true if the payload of an event has one of these texts. */
const hasText = (sql: Sql, identifiers: readonly string[]) => sql`
  exists (
    select
    from unnest(${identifiers}::text[]) as i (identifier)
    where position(convert_to(i.identifier, 'UTF8') in body) > 0)`

type Scanned = { scan_end: string; id: string | null; kind: string | null; body: Buffer | null }

/**
 * Looks through up to `limit` events and `bytesMax` of payloads, from the newest on, for those that have one of these
 * texts. `scan_end` is the last of them.
 */
export async function scanEvents(sql: Sql, s: Page & { identifiers: readonly string[] }): Promise<Scanned[]> {
  return sql<Scanned[]>`
    with scanned as materialized (
      select id, kind, body
      from (${selectPage(sql, s)}) e
    )
    select e.id as scan_end, c.id, c.kind, c.body
    from (select id from scanned order by id limit 1) e
    left join scanned c on c.kind ~ ${PERSONAL_KIND.source} and ${hasText(sql, s.identifiers)}`
}

/** Selects those of these events whose payloads have one of these texts. */
export async function findEventsWith(
  sql: Sql,
  f: { organizationId: string; ids: readonly string[]; identifiers: readonly string[] },
): Promise<{ id: string; kind: string; body: Buffer }[]> {
  return sql<{ id: string; kind: string; body: Buffer }[]>`
    select e.id, e.kind, e.body
    from unnest(${f.ids}::uuid[]) as k (id)
    cross join lateral (
      select id, kind, body
      from events
      where organization_id = ${f.organizationId}
        and id = k.id
      limit 1
    ) e
    where kind ~ ${PERSONAL_KIND.source}
      and ${hasText(sql, f.identifiers)}`
}

/** A payload without a person, and the SHA-256 of the payload from which it was made. */
export type ReplacedPayload = { id: string; body: Buffer; readHash: Buffer }

export async function deleteEvents(tx: Tx, organizationId: string, ids: readonly string[]): Promise<void> {
  await tx`
    delete from events
    where organization_id = ${organizationId}
      and id = any(${ids}::uuid[])`
}

/**
 * Replaces payloads that are as they were read, and returns how many: a concurrent erasure of another person may have
 * replaced one meanwhile, and writing over it would bring that person back.
 */
export async function replaceBodies(
  tx: Tx,
  organizationId: string,
  events: readonly ReplacedPayload[],
): Promise<number> {
  const { count } = await tx`
    update events e
    set body = r.body, compat_body = null, erased_at = hub_now()
    from ${rows(tx, events, { id: 'uuid', body: 'bytea', readHash: 'bytea' })} as r
    where e.organization_id = ${organizationId}
      and e.id = r.id
      and sha256(e.body) = r.read_hash`
  return count
}
