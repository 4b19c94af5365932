import type { Sql } from '../../../kernel/db/pool.ts'

/**
 * Moves canceled deliveries from the queue into the log, up to `limit` of them,
 * and returns how many. `recentSeconds` null searches every endpoint with a
 * cancellation; else those that are not active or canceled within that time,
 * because only a fan-out that runs during a cancellation can add to it later.
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
          and is_canceled(q.generation, q.event_kind, e.canceled_generation, e.mode_canceled_generation)
        limit ${c.limit}
        for update skip locked
      ) q
      where greatest(e.canceled_generation, e.mode_canceled_generation) > 0
        and (${c.recentSeconds}::int is null
          or e.status <> 'active'
          or e.canceled_at > hub_now() - make_interval(secs => ${c.recentSeconds}::int))
      limit ${c.limit}
    ),
    dequeued as (
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
      coalesce(last_attempt_due_at, due_at), last_http_status, last_error_code, created_at
    from dequeued
    returning id`
  return rows.length
}

/** Deletes deliveries of deleted endpoints from the queue and the log, with their attempts. Returns how many. */
export async function deleteOfDeletedEndpoints(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ deleted: number }[]>`
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
    dequeued as (
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
    select ((select count(*) from dequeued) + (select count(*) from unlogged))::int as deleted`
  return row?.deleted ?? 0
}
