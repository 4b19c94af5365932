import type { Sql } from '../../../kernel/db/pool.ts'
import { logDequeued } from '../canceled-store.ts'
import type { EndpointKey } from '../wake-ups.ts'

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
    ${logDequeued(sql)}`
  return rows.length
}

export async function listDeletedEndpoints(sql: Sql): Promise<EndpointKey[]> {
  return sql<EndpointKey[]>`
    select organization_id as "organizationId", endpoint_id as "endpointId"
    from deleted_endpoints`
}

/**
 * Deletes up to `limit` queued and `limit` final deliveries of an endpoint, with their attempts, and returns how many.
 * Keys are looked up by arrays: for a join of the log with itself the planner may read all of it.
 */
export async function deleteDeliveries(sql: Sql, key: EndpointKey, limit: number): Promise<number> {
  const ofEndpoint = sql`organization_id = ${key.organizationId} and endpoint_id = ${key.endpointId}`
  const [row] = await sql<{ deleted: number }[]>`
    with batch as (
      (select id from delivery_queue where ${ofEndpoint} limit ${limit})
      union all
      (select id from deliveries where ${ofEndpoint} limit ${limit})
    ),
    attempts as (
      delete from delivery_attempts
      where organization_id = ${key.organizationId} and delivery_id = any(array(select id from batch))
    ),
    dequeued as (
      delete from delivery_queue
      where ${ofEndpoint} and id = any(array(select id from batch))
    ),
    unlogged as (
      delete from deliveries
      where ${ofEndpoint} and id = any(array(select id from batch))
    )
    select count(*)::int as deleted
    from batch`
  return row?.deleted ?? 0
}
