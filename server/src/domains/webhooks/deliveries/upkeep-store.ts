import type { Sql } from '../../../kernel/db/pool.ts'

/** What is held by an endpoint that has been paused for long is canceled, in one word for all of it. */
export async function cancelHeld(sql: Sql, heldDays: number): Promise<void> {
  await sql`
    update webhook_endpoints
    set canceled_generation = generation, canceled_at = hub_now()
    where status = 'paused'
      and paused_at <= hub_now() - make_interval(days => ${heldDays})
      and canceled_generation < generation`
}

/**
 * Moves canceled deliveries from the queue into the log, up to `limit` of them,
 * and returns how many. `recentSeconds` null looks at every endpoint that ever
 * canceled anything; else at those which did so lately or are not active, since
 * only a fan-out that was under way at that moment can have been missed.
 */
export async function logCanceled(sql: Sql, c: { limit: number; recentSeconds: number | null }): Promise<number> {
  const rows = await sql`
    with canceled as (
      select q.organization_id, q.endpoint_id, q.id
      from webhook_endpoints e
      cross join lateral (
        select q.organization_id, q.endpoint_id, q.id
        from delivery_queue q
        where q.organization_id = e.organization_id
          and q.endpoint_id = e.id
          and q.claim is null
          and q.generation <= e.canceled_generation
        limit ${c.limit}
        for update skip locked
      ) q
      where e.canceled_generation > 0
        and (${c.recentSeconds}::int is null
          or e.status <> 'active'
          or e.canceled_at > hub_now() - make_interval(secs => ${c.recentSeconds}::int))
      limit ${c.limit}
    ),
    gone as (
      delete from delivery_queue q
      using canceled c
      where q.organization_id = c.organization_id
        and q.endpoint_id = c.endpoint_id
        and q.id = c.id
      returning q.*
    )
    insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, replay_of, status, attempts, due_at,
      last_http_status, last_error_code, created_at)
    select organization_id, endpoint_id, id, event_id, event_kind, replay_of, 'canceled', attempts,
      coalesce(tried_due_at, due_at), last_http_status, last_error_code, created_at
    from gone
    returning id`
  return rows.length
}

/**
 * Removes some of what deleted endpoints have left in the queue and in the log,
 * with the attempts of both, and returns how many deliveries that was. A count
 * of failures is there again where an attempt ended during the deletion.
 */
export async function removeDeleted(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ removed: number }[]>`
    with queued as (
      select q.organization_id, q.endpoint_id, q.id
      from deleted_endpoints e
      join delivery_queue q on q.organization_id = e.organization_id and q.endpoint_id = e.endpoint_id
      limit ${limit}
    ),
    logged as (
      select d.organization_id, d.endpoint_id, d.id
      from deleted_endpoints e
      join deliveries d on d.organization_id = e.organization_id and d.endpoint_id = e.endpoint_id
      limit ${limit}
    ),
    attempts as (
      delete from delivery_attempts a
      using (select * from queued union all select * from logged) r
      where a.organization_id = r.organization_id and a.delivery_id = r.id
    ),
    health as (
      delete from webhook_endpoint_health h
      using deleted_endpoints e
      where h.organization_id = e.organization_id and h.endpoint_id = e.endpoint_id
    ),
    unqueued as (
      delete from delivery_queue q
      using queued r
      where q.organization_id = r.organization_id and q.endpoint_id = r.endpoint_id and q.id = r.id
      returning 1
    ),
    unlogged as (
      delete from deliveries d
      using logged r
      where d.organization_id = r.organization_id and d.endpoint_id = r.endpoint_id and d.id = r.id
      returning 1
    )
    select ((select count(*) from unqueued) + (select count(*) from unlogged))::int as removed`
  return row?.removed ?? 0
}

/** A fan-out that was under way when an endpoint was deleted ends within seconds; after that nothing can be left. */
export async function forgetDeleted(sql: Sql, afterSeconds: number): Promise<void> {
  await sql`
    delete from deleted_endpoints e
    where e.deleted_at < hub_now() - make_interval(secs => ${afterSeconds})
      and not exists (
        select 1 from delivery_queue q where q.organization_id = e.organization_id and q.endpoint_id = e.endpoint_id)
      and not exists (
        select 1 from deliveries d where d.organization_id = e.organization_id and d.endpoint_id = e.endpoint_id)`
}
