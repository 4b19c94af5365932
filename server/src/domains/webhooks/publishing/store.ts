import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { EVENT_COLUMNS, type EventRow } from '../../events/event-row.ts'
import type { DirectClaim } from '../engine/direct-claims.ts'
import { buildListenerDeliveryInsert } from '../listeners/store.ts'

/** A delivery for an endpoint or for a listener. */
export type QueuedDelivery = { organization_id: string; event_id: string; delivery_id: string; is_claimed: boolean } & (
  | { endpoint_id: string; listener_id: null }
  | { endpoint_id: null; listener_id: string }
)

const CLAIM_COLUMNS = { organizationId: 'uuid', endpointId: 'uuid', version: 'int' } as const
const NO_CLAIM = { claimToken: null, leaseSeconds: null, endpoints: [] }

/**
 * Inserts events, by a part of the statement that `buildEventInsert` builds, and their deliveries. `otherWrites` are parts of
 * the statement too: `name as (…),` each.
 */
export async function insertEvents(
  tx: Tx,
  events: EventRow[],
  buildEventInsert: (sql: Sql, events: Fragment) => Fragment,
  claim: DirectClaim | undefined,
  otherWrites: Fragment = tx``,
): Promise<QueuedDelivery[]> {
  return tx<QueuedDelivery[]>`
    with e as materialized (select * from ${rows(tx, events, EVENT_COLUMNS)} as r),
    recorded as (${buildEventInsert(tx, tx`select * from e`)}),
    ${otherWrites}
    ${buildFanOut(tx, tx`select * from e`, claim)}
    select * from fan_out`
}

/**
 * Parts of a statement that insert the deliveries of events for endpoints and listeners. `fan_out` has the rows of
 * `QueuedDelivery`.
 */
export function buildFanOut(sql: Sql, events: Fragment, claim: DirectClaim | undefined): Fragment {
  return sql`
    queued as (${buildDeliveryInsert(sql, events, claim)}),
    listened as (${buildListenerDeliveryInsert(sql, events)}),
    fan_out as (
      select organization_id, endpoint_id, null::uuid as listener_id, event_id, id as delivery_id, is_claimed
      from queued
      union all
      select organization_id, null, listener_id, event_id, id, false
      from listened
    )`
}

/**
 * A part of a statement that inserts a delivery of each event for each active endpoint that subscribes to it, and returns
 * them. It locks no endpoint: a delivery carries the endpoint's generation, by which a later claim detects a
 * change of status or mode that committed at the same time. Deliveries for the endpoints of the claim are claimed already,
 * and the attempt is counted.
 */
function buildDeliveryInsert(sql: Sql, events: Fragment, claim: DirectClaim | undefined): Fragment {
  const { claimToken, leaseSeconds, endpoints } = claim ?? NO_CLAIM
  return sql`
    insert into delivery_queue
      (organization_id, endpoint_id, id, event_id, event_kind, generation, claim, leased_until, attempts)
    select e.organization_id, e.id, hub_id(), v.id, v.kind, e.generation,
      c.claim, hub_now() + c.lease, case when c.claim is null then 0 else 1 end
    from (${events}) v
    join webhook_endpoints e on e.organization_id = v.organization_id
    left join (
      select r.*, ${claimToken}::uuid as claim, make_interval(secs => ${leaseSeconds}) as lease
      from ${rows(sql, endpoints, CLAIM_COLUMNS)} as r
    ) c on c.organization_id = e.organization_id and c.endpoint_id = e.id and c.version = e.version
    where e.status = 'active'
      and (cardinality(e.event_types) = 0 or v.kind = any(e.event_types))
      and mode_includes(e.payload_mode, v.kind)
      and (e.all_channels or exists (
        select 1
        from webhook_endpoint_channels c
        where c.organization_id = e.organization_id
          and c.endpoint_id = e.id
          and c.channel_id = v.channel_id))
    returning organization_id, endpoint_id, event_id, id, claim is not null as is_claimed`
}
