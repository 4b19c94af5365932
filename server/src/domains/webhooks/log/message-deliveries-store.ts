import type { Sql } from '../../../kernel/db/pool.ts'

export type EventWindow = { from: string; before: string }

type LinkedDeliveryRow = {
  id: string
  endpoint_id: string
  endpoint_name: string
  event: string
  status: string
  attempts: number
  duration_ms: number | null
  next_attempt_at: string | null
  created_at: string
}

/**
 * The events of a message. No index leads to them, because each would slow every event: of each window at most `scanMax`
 * events are looked through, from its beginning.
 */
export async function listMessageEvents(
  sql: Sql,
  e: { organizationId: string; channelId: string; messageId: string; windows: EventWindow[]; scanMax: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct v.id
    from unnest(
      ${e.windows.map(({ from }) => from)}::uuid[], ${e.windows.map(({ before }) => before)}::uuid[]
    ) as w (from_id, before_id)
    cross join lateral (
      select id, kind, channel_id, body
      from events
      where organization_id = ${e.organizationId}
        and id >= w.from_id
        and id < w.before_id
      order by organization_id, id
      limit ${e.scanMax}
    ) v
    where v.channel_id = ${e.channelId}
      and v.kind like 'message.%'
      and position(${Buffer.from(`"id":"${e.messageId}"`)}::bytea in v.body) > 0
    order by v.id`
  return rows.map(({ id }) => id)
}

/**
 * The endpoints that did not get an event of these because they were paused at its time, by name. Whether an endpoint subscribes is
 * decided by what it subscribes to now.
 */
export async function listPausedEndpoints(
  sql: Sql,
  p: { organizationId: string; eventIds: readonly string[]; limit: number },
): Promise<{ id: string; name: string }[]> {
  return sql<{ id: string; name: string }[]>`
    select e.id, e.name
    from webhook_endpoints e
    where e.organization_id = ${p.organizationId}
      and e.inspector_answer is null
      and exists (
        select 1
        from unnest(${p.eventIds}::uuid[]) as w (id)
        cross join lateral (
          select v.kind, v.channel_id,
            to_timestamp(('x' || translate(left(v.id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) as at
          from events v
          where v.organization_id = ${p.organizationId}
            and v.id = w.id
          limit 1
        ) v
        join webhook_pauses o on o.organization_id = e.organization_id and o.endpoint_id = e.id
        where o.began_at <= v.at
          and (o.ended_at is null or o.ended_at > v.at)
          and (cardinality(e.event_types) = 0 or v.kind = any(e.event_types))
          and mode_includes(e.payload_mode, v.kind)
          and (e.all_channels or exists (
            select 1
            from webhook_endpoint_channels k
            where k.organization_id = e.organization_id
              and k.endpoint_id = e.id
              and k.channel_id = v.channel_id)))
    order by e.name, e.id
    limit ${p.limit}`
}

/** The first deliveries of events, by endpoint. A delivery has its event's time, as far as clocks agree. */
export async function listEventDeliveries(
  sql: Sql,
  d: {
    organizationId: string
    events: (EventWindow & { id: string })[]
    endpointsMax: number
    perEndpointMax: number
    scanMax: number
  },
): Promise<LinkedDeliveryRow[]> {
  return sql<LinkedDeliveryRow[]>`
    select d.id, w.id as endpoint_id, w.name as endpoint_name, d.event_kind as event, d.status, d.attempts,
      d.next_attempt_at, d.created_at,
      (select (a.timings ->> 'total_ms')::int
       from delivery_attempts a
       where a.organization_id = ${d.organizationId} and a.delivery_id = d.id and a.id >= v.from_id
       order by a.id desc
       limit 1) as duration_ms
    from (
      select id, name, canceled_generation, mode_canceled_generation
      from webhook_endpoints
      where organization_id = ${d.organizationId}
        and inspector_answer is null
      order by id
      limit ${d.endpointsMax}
    ) w
    cross join unnest(
      ${d.events.map(({ id }) => id)}::uuid[], ${d.events.map(({ from }) => from)}::uuid[],
      ${d.events.map(({ before }) => before)}::uuid[]
    ) as v (event_id, from_id, before_id)
    cross join lateral (
      select *
      from (
        (select q.id, q.event_id, q.event_kind,
          case
            when q.claim is not null then 'processing'
            when is_canceled(q.generation, q.event_kind, w.canceled_generation, w.mode_canceled_generation) then 'canceled'
            when q.attempts = 0 then 'pending'
            else 'retry' end as status,
          q.attempts, q.due_at as next_attempt_at, q.created_at
        from delivery_queue q
        where q.organization_id = ${d.organizationId} and q.endpoint_id = w.id
          and q.id >= v.from_id and q.id < v.before_id
        limit ${d.scanMax})
        union all
        (select f.id, f.event_id, f.event_kind, f.status, f.attempts, null, f.created_at
        from deliveries f
        where f.organization_id = ${d.organizationId} and f.endpoint_id = w.id
          and f.id >= v.from_id and f.id < v.before_id
        limit ${d.scanMax})
      ) b
      where b.event_id = v.event_id
      limit ${d.perEndpointMax}
    ) d
    order by d.created_at, d.id`
}
