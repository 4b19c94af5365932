import type { Sql } from '../../../kernel/db/pool.ts'

/** More rows than this tell an operator nothing more. */
const WAITING_MAX = 100_000

/** The organizations that have a deferred fan-out. The recursion skips along the primary key from one to the next. */
export async function listWaiting(sql: Sql): Promise<string[]> {
  const found = await sql<{ organization_id: string }[]>`
    with recursive waiting as (
      (select organization_id
       from deferred_fan_outs
       order by organization_id
       limit 1)
      union all
      select n.organization_id
      from waiting w
      cross join lateral (
        select f.organization_id
        from deferred_fan_outs f
        where f.organization_id > w.organization_id
        order by f.organization_id
        limit 1
      ) n
    )
    select organization_id
    from waiting`
  return found.map(({ organization_id }) => organization_id)
}

/** `passed` counts the endpoints that the step is done with, among them those that are deleted. */
export type Step = { room: number | null; passed: number; deliveries: { endpoint_id: string; delivery_id: string }[] }

/**
 * Makes the next deliveries of an organization's oldest deferred fan-out, as far as there is room, and advances or deletes
 * the row. `room` is null where nothing is deferred.
 *
 * A worker that finds the row locked, or advanced since the room was counted, makes nothing: so only one at a time works for
 * an organization, no delivery is made twice, and several workers stay below the limit too.
 *
 * An endpoint that was deleted gets no delivery. One that was changed gets it with the generation that the event matched, by
 * which a claim decides. One that has canceled that generation gets it in the log: in the queue it would count as overdue
 * until the hourly search for canceled deliveries, because the frequent one knows recent cancellations only. The id has
 * the time of the event, as those have that are made with the event: logs find the deliveries of an event by it.
 */
export async function makeDeliveries(
  sql: Sql,
  s: { organizationId: string; stepMax: number; dueMax: number; duePerEndpointMax: number },
): Promise<Step> {
  const [row] = await sql<Step[]>`
    with oldest as materialized (
      select event_id, made
      from deferred_fan_outs
      where organization_id = ${s.organizationId}
      order by event_id
      limit 1
    ),
    due as materialized (
      select (${s.dueMax}::int - count(*))::int as room
      from (
        select 1
        from webhook_endpoints e
        cross join lateral (
          select 1
          from delivery_queue q
          where q.organization_id = e.organization_id
            and q.endpoint_id = e.id
            and q.claim is null
            and q.claim_order_at < hub_now() - interval '50 years'
            and not is_canceled(q.generation, q.event_kind, e.canceled_generation, e.mode_canceled_generation)
          limit ${s.duePerEndpointMax}
        ) q
        where e.organization_id = ${s.organizationId}
          and e.status = 'active'
          and exists (select from oldest)
        limit ${s.dueMax}
      ) d
    ),
    picked as materialized (
      select f.ctid as place, f.event_id, f.event_kind, f.endpoint_ids, f.generations, f.made,
        least(f.made + least(${s.stepMax}::int, d.room), cardinality(f.endpoint_ids)) as until
      from oldest o
      cross join due d
      join deferred_fan_outs f
        on f.organization_id = ${s.organizationId} and f.event_id = o.event_id and f.made = o.made
      where d.room > 0
      for update of f skip locked
    ),
    new_deliveries as materialized (
      select m.endpoint_id, (left(p.event_id::text, 13) || '-7' || substr(gen_random_uuid()::text, 16))::uuid as id,
        p.event_id, p.event_kind, m.generation, e.is_canceled
      from picked p
      cross join unnest(p.endpoint_ids[p.made + 1:p.until], p.generations[p.made + 1:p.until]) as m (endpoint_id, generation)
      cross join lateral (
        select is_canceled(m.generation, p.event_kind, e.canceled_generation, e.mode_canceled_generation) as is_canceled
        from webhook_endpoints e
        where e.organization_id = ${s.organizationId}
          and e.id = m.endpoint_id
        limit 1
      ) e
    ),
    queued as (
      insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
      select ${s.organizationId}, endpoint_id, id, event_id, event_kind, generation
      from new_deliveries
      where not is_canceled
    ),
    canceled as (
      insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
      select ${s.organizationId}, endpoint_id, id, event_id, event_kind, 'canceled', 0, hub_now(), hub_now()
      from new_deliveries
      where is_canceled
    ),
    advanced as (
      update deferred_fan_outs f
      set made = p.until
      from picked p
      where f.ctid = p.place
        and p.until < cardinality(p.endpoint_ids)
    ),
    ended as (
      delete from deferred_fan_outs f
      using picked p
      where f.ctid = p.place
        and p.until = cardinality(p.endpoint_ids)
    )
    select
      case when exists (select from oldest) then (select room from due) end as room,
      coalesce((select until - made from picked), 0) as passed,
      (select coalesce(json_agg(json_build_object('endpoint_id', endpoint_id, 'delivery_id', id)), '[]') from new_deliveries)
        as deliveries`
  return row ?? { room: null, passed: 0, deliveries: [] }
}

/** Counts the waiting fan-outs up to 100,000, and returns for how long the oldest has waited. */
export async function measureWaiting(sql: Sql): Promise<{ waiting: number; oldest_seconds: number }> {
  const [row] = await sql<{ waiting: number; oldest_seconds: number }[]>`
    select count(*)::int as waiting, coalesce(extract(epoch from hub_now() - min(created_at)), 0)::float8 as oldest_seconds
    from (select created_at from deferred_fan_outs limit ${WAITING_MAX}) f`
  return row ?? { waiting: 0, oldest_seconds: 0 }
}

/**
 * The oldest event with deliveries that are not made or not finished yet. Reads the whole queue, for which there is no index
 * by event: it would cost every delivery more than a scan in each hour.
 */
export async function findOldestNeeded(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ event_id: string }[]>`
    (select event_id from deferred_fan_outs order by event_id limit 1)
    union all
    (select event_id from delivery_queue order by event_id limit 1)
    order by event_id
    limit 1`
  return row?.event_id
}

/** Counts the deliveries of these events that are not made yet. */
export async function countUnmade(sql: Sql, organizationId: string, eventIds: readonly string[]): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select coalesce(sum(cardinality(endpoint_ids) - made), 0)::int as count
    from deferred_fan_outs
    where organization_id = ${organizationId}
      and event_id = any(${eventIds}::uuid[])`
  return row?.count ?? 0
}
