import type { PendingQuery, Row } from 'postgres'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { EVENT_COLUMNS, type EventRow } from '../../events/event-row.ts'
import { buildListenerDeliveryInsert } from '../listeners/store.ts'

/** A delivery for an endpoint or for a listener. */
export type QueuedDelivery = { organization_id: string; event_id: string; delivery_id: string } & (
  | { endpoint_id: string; listener_id: null }
  | { endpoint_id: null; listener_id: string }
)

/**
 * Inserts events, by a part of the statement that `buildEventInsert` builds, and their deliveries. `otherWrites` are parts of
 * the statement too: `name as (…),` each.
 */
export async function insertEvents(
  tx: Tx,
  events: EventRow[],
  buildEventInsert: (sql: Sql, events: PendingQuery<Row[]>) => PendingQuery<Row[]>,
  otherWrites: PendingQuery<Row[]> = tx``,
): Promise<QueuedDelivery[]> {
  return tx<QueuedDelivery[]>`
    with e as materialized (select * from ${rows(tx, events, EVENT_COLUMNS)} as r),
    recorded as (${buildEventInsert(tx, tx`select * from e`)}),
    ${otherWrites}
    ${buildFanOut(tx, tx`select * from e`)}
    select * from fan_out`
}

/**
 * Parts of a statement that insert the deliveries of events for endpoints and listeners. `fan_out` has the rows of
 * `QueuedDelivery`.
 */
export function buildFanOut(sql: Sql, events: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`
    queued as (${buildDeliveryInsert(sql, events)}),
    listened as (${buildListenerDeliveryInsert(sql, events)}),
    fan_out as (
      select organization_id, endpoint_id, null::uuid as listener_id, event_id, id as delivery_id
      from queued
      union all
      select organization_id, null, listener_id, event_id, id
      from listened
    )`
}

/**
 * A part of a statement that inserts a delivery of each event for each active endpoint that subscribes to it, and returns
 * them. It locks no endpoint: a delivery carries the endpoint's generation, by which a later claim detects a
 * change of status or mode that committed at the same time.
 */
function buildDeliveryInsert(sql: Sql, events: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
    select e.organization_id, e.id, hub_id(), v.id, v.kind, e.generation
    from (${events}) v
    join webhook_endpoints e on e.organization_id = v.organization_id
    where e.status = 'active'
      and (cardinality(e.event_types) = 0 or v.kind = any(e.event_types))
      and mode_includes(e.payload_mode, v.kind)
      and (e.all_channels or exists (
        select 1
        from webhook_endpoint_channels c
        where c.organization_id = e.organization_id
          and c.endpoint_id = e.id
          and c.channel_id = v.channel_id))
    returning organization_id, endpoint_id, event_id, id`
}
