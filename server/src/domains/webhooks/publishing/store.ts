import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { defineRecord, records } from '../../../kernel/db/records.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { EVENT_COLUMNS, type EventRow } from '../../events/event-row.ts'
import { buildNewEvents } from '../../events/service.ts'
import type { DirectClaim } from '../engine/direct-claims.ts'
import { buildListenerDeliveryInsert } from '../listeners/store.ts'
import { DEFERRED_KINDS, FAN_OUT_AT_ONCE_MAX } from './fan-out-limits.ts'

/** A delivery for an endpoint or for a listener; or, with neither, all those of a deferred fan-out. */
export type QueuedDelivery = { organization_id: string; event_id: string; is_claimed: boolean } & (
  | { endpoint_id: string; listener_id: null; delivery_id: string }
  | { endpoint_id: null; listener_id: string; delivery_id: string }
  | { endpoint_id: null; listener_id: null; delivery_id: null }
)

const CLAIM_COLUMNS = { organizationId: 'uuid', endpointId: 'uuid', version: 'int' } as const
const CLAIMED_ENDPOINT = defineRecord<DirectClaim['endpoints'][number]>('claimed_endpoint_1', CLAIM_COLUMNS)
const NO_CLAIM = { claimToken: null, leaseSeconds: null, endpoints: [] }

/**
 * The column of a statement's only row that its publication fills. `leftOut` are the places of events that the statement has
 * not recorded after all.
 */
export type Published = { deliveries: QueuedDelivery[]; leftOut?: readonly number[] }

/** A statement needs these parts to publish events. Each name of its parts begins with `publication_`. */
export type Publication = {
  events: readonly EventRow[]
  /** Parts of a `with` that insert the events and their deliveries. */
  insertAll: () => Fragment
  /** The same for a statement with the events among its own rows: inserts those of a query, which has their columns. */
  insertFrom: (query: Fragment) => Fragment
  /** The column `deliveries` of the statement's row. */
  deliveries: Fragment
  /** The arguments of the function that publishes, of which they are the last if it does more. */
  call: () => Fragment
}

/** `buildEventInsert` builds the part of the statement that inserts the events. */
export function buildPublication(
  sql: Sql,
  events: readonly EventRow[],
  claim: DirectClaim | undefined,
  buildEventInsert: (sql: Sql, events: Fragment) => Fragment,
): Publication {
  const insertFrom = (query: Fragment) => sql`
    publication_recorded as (${buildEventInsert(sql, query)}),
    publication_matched as materialized (${buildMatches(sql, query, claim)}),
    publication_queued as (${insertDeliveries(sql)}),
    publication_deferred as (${insertDeferred(sql)}),
    publication_listened as (${buildListenerDeliveryInsert(sql, query)}),
    publication_deliveries as (
      select organization_id, endpoint_id, null::uuid as listener_id, event_id, id as delivery_id, is_claimed
      from publication_queued
      union all
      select organization_id, null, listener_id, event_id, id, false
      from publication_listened
      union all
      select organization_id, null, null, event_id, null, false
      from publication_deferred
    )`
  return {
    events,
    insertAll: () => sql`
      publication_events as materialized (select * from ${rows(sql, events, EVENT_COLUMNS)} as r),
      ${insertFrom(sql`select * from publication_events`)}`,
    insertFrom,
    deliveries: sql`(select coalesce(json_agg(d), '[]') from publication_deliveries d) as deliveries`,
    call: () => sql`${buildNewEvents(sql, events)}, ${buildFanOut(sql, claim)}`,
  }
}

export async function insertPublication(sql: Sql, { call }: Publication): Promise<Published[]> {
  return sql<Published[]>`select publish_events_1(${call()}) as deliveries`
}

function buildFanOut(sql: Sql, claim: DirectClaim | undefined): Fragment {
  const { claimToken, leaseSeconds, endpoints } = claim ?? NO_CLAIM
  return sql`
    ${claimToken}::uuid, ${leaseSeconds}::integer, ${records(sql, CLAIMED_ENDPOINT, endpoints)}, ${FAN_OUT_AT_ONCE_MAX}::integer,
    ${DEFERRED_KINDS}::text[]`
}

/**
 * A part of a statement that finds the active endpoints that subscribe to each event. It locks none: a delivery carries the
 * endpoint's generation, by which a later claim detects a change of status or mode that committed at the same time. An
 * endpoint whose attempts are spaced is not claimed, because they need its turn.
 */
function buildMatches(sql: Sql, events: Fragment, claim: DirectClaim | undefined): Fragment {
  const { claimToken, leaseSeconds, endpoints } = claim ?? NO_CLAIM
  return sql`
    select e.organization_id, e.id as endpoint_id, v.id as event_id, v.kind as event_kind, e.generation, c.claim, c.lease,
      count(*) over (partition by v.id) as endpoints
    from (${events}) v
    join webhook_endpoints e on e.organization_id = v.organization_id
    left join (
      select r.*, ${claimToken}::uuid as claim, make_interval(secs => ${leaseSeconds}) as lease
      from ${rows(sql, endpoints, CLAIM_COLUMNS)} as r
    ) c on c.organization_id = e.organization_id and c.endpoint_id = e.id and c.version = e.version
      and not exists (
        select 1
        from webhook_endpoint_health h
        where h.organization_id = c.organization_id
          and h.endpoint_id = c.endpoint_id
          and h.next_attempt_at is not null)
    where e.status = 'active'
      and (cardinality(e.event_types) = 0 or v.kind = any(e.event_types))
      and mode_includes(e.payload_mode, v.kind)
      and (e.all_channels or exists (
        select 1
        from webhook_endpoint_channels c
        where c.organization_id = e.organization_id
          and c.endpoint_id = e.id
          and c.channel_id = v.channel_id))`
}

/** Deliveries for the endpoints of the claim are claimed already, and the attempt is counted. */
function insertDeliveries(sql: Sql): Fragment {
  return sql`
    insert into delivery_queue
      (organization_id, endpoint_id, id, event_id, event_kind, generation, claim, leased_until, attempts)
    select organization_id, endpoint_id, hub_id(), event_id, event_kind, generation,
      claim, hub_now() + lease, case when claim is null then 0 else 1 end
    from publication_matched
    where endpoints <= ${FAN_OUT_AT_ONCE_MAX}
      and event_kind <> all(${DEFERRED_KINDS}::text[])
    returning organization_id, endpoint_id, event_id, id, claim is not null as is_claimed`
}

/** Deliveries of events that match more endpoints, or are never urgent, are made later, by `deferred-fan-outs.ts`. */
function insertDeferred(sql: Sql): Fragment {
  return sql`
    insert into deferred_fan_outs (organization_id, event_id, event_kind, endpoint_ids, generations)
    select organization_id, event_id, event_kind, array_agg(endpoint_id), array_agg(generation)
    from publication_matched
    where endpoints > ${FAN_OUT_AT_ONCE_MAX}
      or event_kind = any(${DEFERRED_KINDS}::text[])
    group by organization_id, event_id, event_kind
    returning organization_id, event_id`
}
