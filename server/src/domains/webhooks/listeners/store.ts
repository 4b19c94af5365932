import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import type { EventKind } from '../../events/catalog.ts'
import type { PayloadMode } from '../endpoints/schemas.ts'
import type { EndReason } from './schemas.ts'

type ListenerKey = { organizationId: string; id: string }
type Attached = ListenerKey & { attachment: string }

/**
 * A part of a statement that inserts a delivery of each event for each listener that receives it, and returns them. It
 * locks no listener, and in an organization without one reads a single page of an index.
 */
export function buildListenerDeliveryInsert(sql: Sql, events: Fragment): Fragment {
  return sql`
    insert into listener_deliveries (organization_id, listener_id, id, event_id, event_kind)
    select l.organization_id, l.id, hub_id(), v.id, v.kind
    from (${events}) v
    join listeners l on l.organization_id = v.organization_id
    where l.end_reason is null
      and (cardinality(l.event_types) = 0 or v.kind = any(l.event_types))
      and mode_includes(l.payload_mode, v.kind)
      and (l.channel_ids is null or v.channel_id = any(l.channel_ids))
    returning organization_id, listener_id, event_id, id`
}

export async function countListeners(tx: Tx, organizationId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count
    from listeners
    where organization_id = ${organizationId}
      and end_reason is null
      and expires_at > hub_now()`
  return row?.count ?? 0
}

export type LiveListener = {
  id: string
  event_types: EventKind[]
  payload_mode: PayloadMode
  channel_ids: string[] | null
  unacknowledged: number
  created_at: string
}

/** Lists the listeners that are not over, newest first. An organization has a handful, each with a bounded number of deliveries. */
export async function listLive(sql: Sql, organizationId: string): Promise<LiveListener[]> {
  return sql<LiveListener[]>`
    select l.id, l.event_types, l.payload_mode, l.channel_ids, l.created_at,
      (select count(*)::int
       from listener_deliveries d
       where d.organization_id = l.organization_id
         and d.listener_id = l.id) as unacknowledged
    from listeners l
    where l.organization_id = ${organizationId}
      and l.end_reason is null
      and l.expires_at > hub_now()
    order by l.id desc`
}

type NewListener = ListenerKey & {
  secretHash: Buffer
  eventTypes: readonly EventKind[]
  payloadMode: PayloadMode
  channelIds: readonly string[] | null
  lifeSeconds: number
}

export async function insertListener(tx: Tx, l: NewListener): Promise<void> {
  await tx`
    insert into listeners (organization_id, id, secret_hash, event_types, payload_mode, channel_ids, expires_at)
    values (${l.organizationId}, ${l.id}, ${l.secretHash}, ${l.eventTypes}, ${l.payloadMode},
      ${l.channelIds}::uuid[], hub_now() + make_interval(secs => ${l.lifeSeconds}))`
}

/** False if the listener is over, or the secret another one. The stream that was attached before notices by its next read. */
export async function attach(sql: Sql, a: Attached & { secretHash: Buffer; leaseSeconds: number }): Promise<boolean> {
  const { count } = await sql`
    update listeners
    set attachment = ${a.attachment}, expires_at = hub_now() + make_interval(secs => ${a.leaseSeconds})
    where organization_id = ${a.organizationId}
      and id = ${a.id}
      and secret_hash = ${a.secretHash}
      and end_reason is null
      and expires_at > hub_now()`
  return count > 0
}

/** Sets how long the listener lives if the process that has its stream does not set it again. */
export async function renew(sql: Sql, a: Attached & { seconds: number }): Promise<void> {
  await sql`
    update listeners
    set expires_at = hub_now() + make_interval(secs => ${a.seconds})
    where organization_id = ${a.organizationId}
      and id = ${a.id}
      and attachment = ${a.attachment}
      and end_reason is null`
}

export type PendingDelivery = { id: string; event_id: string; event_kind: EventKind }

/**
 * Up to `limit` deliveries that are not acknowledged, oldest first; undefined if another stream is attached or the
 * listener is over. All of them and not those after the last id: a transaction that commits late inserts an id among the
 * earlier ones.
 */
export async function listPending(sql: Sql, a: Attached & { limit: number }): Promise<PendingDelivery[] | undefined> {
  const rows = await sql<(PendingDelivery | { id: null })[]>`
    select d.id, d.event_id, d.event_kind
    from listeners l
    left join lateral (
      select d.id, d.event_id, d.event_kind
      from listener_deliveries d
      where d.organization_id = l.organization_id
        and d.listener_id = l.id
      order by d.id
      limit ${a.limit}
    ) d on true
    where l.organization_id = ${a.organizationId}
      and l.id = ${a.id}
      and l.attachment = ${a.attachment}
      and l.end_reason is null`
  return rows.length === 0 ? undefined : rows.filter((row) => row.id !== null)
}

/** Undefined if the listener is not over. */
export async function findEndReason(sql: Sql, key: ListenerKey): Promise<EndReason | undefined> {
  const [row] = await sql<{ end_reason: EndReason | null }[]>`
    select end_reason
    from listeners
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
  return row ? (row.end_reason ?? undefined) : 'expired'
}

/** Undefined if the listener is over, or the secret another one. */
export async function acknowledge(
  sql: Sql,
  a: ListenerKey & { secretHash: Buffer; deliveryIds: readonly string[] },
): Promise<number | undefined> {
  const [row] = await sql<{ acknowledged: number }[]>`
    with listener as (
      select organization_id, id
      from listeners
      where organization_id = ${a.organizationId}
        and id = ${a.id}
        and secret_hash = ${a.secretHash}
        and end_reason is null
    ),
    acknowledged as (
      delete from listener_deliveries d
      using listener l
      where d.organization_id = l.organization_id
        and d.listener_id = l.id
        and d.id = any(${a.deliveryIds}::uuid[])
      returning d.id
    )
    select (select count(*)::int from acknowledged) as acknowledged
    from listener`
  return row?.acknowledged
}

/** A delivery whose event has expired cannot be sent, and is not owed any more. */
export async function deletePending(sql: Sql, key: ListenerKey, ids: readonly string[]): Promise<void> {
  await sql`
    delete from listener_deliveries
    where organization_id = ${key.organizationId}
      and listener_id = ${key.id}
      and id = any(${ids}::uuid[])`
}

/** False if it was over before. Without a secret the hub itself ends the listener. */
export async function end(
  sql: Sql,
  e: ListenerKey & { reason: EndReason; secretHash: Buffer | null },
): Promise<boolean> {
  const { count } = await sql`
    update listeners
    set end_reason = ${e.reason}, expires_at = hub_now()
    where organization_id = ${e.organizationId}
      and id = ${e.id}
      and (${e.secretHash}::bytea is null or secret_hash = ${e.secretHash})
      and end_reason is null`
  return count > 0
}

/** Their number is bounded, so that one statement ends all of them. Returns their ids. */
export async function endOfOrganization(tx: Tx, e: { organizationId: string; reason: EndReason }): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update listeners
    set end_reason = ${e.reason}, expires_at = hub_now()
    where organization_id = ${e.organizationId}
      and end_reason is null
    returning id`
  return rows.map(({ id }) => id)
}

/** A stream that is attached at the same moment either moves `expires_at` first, or finds the listener over. */
export async function endExpired(sql: Sql): Promise<void> {
  await sql`
    update listeners
    set end_reason = 'expired'
    where expires_at <= hub_now()
      and end_reason is null`
}

/** Deletes up to `limit` deliveries of listeners that are over, and returns how many. */
export async function deleteOfEnded(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    delete from listener_deliveries
    where ctid = any(array(
      select d.ctid
      from listeners l
      cross join lateral (
        select d.ctid
        from listener_deliveries d
        where d.organization_id = l.organization_id
          and d.listener_id = l.id
        limit ${limit}
      ) d
      where l.expires_at <= hub_now()
        and l.end_reason is not null
      limit ${limit}))`
  return count
}

/** Only after `afterSeconds`: a fan-out that read the listener may still insert deliveries. */
export async function deleteEnded(sql: Sql, afterSeconds: number): Promise<void> {
  await sql`
    delete from listeners
    where expires_at <= hub_now() - make_interval(secs => ${afterSeconds})
      and end_reason is not null`
}
