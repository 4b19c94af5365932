import { type IdWindow, isInWindow } from '../../../kernel/db/id-windows.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { logDequeued } from '../canceled-store.ts'
import { DEFERRED, type DeliveryPlace } from '../delivery-place.ts'

/** A delivery and what became of its event; or the deliveries of an event that are not made yet, which are several. */
export type DeliveryOfEvent = {
  endpoint_id: string
  id: string
  event_id: string
  count: number
  is_claimed: boolean
  /** A person was erased from the event, or it is gone. Events are kept longer than their deliveries. */
  is_erased: boolean
  is_gone: boolean
}

const selectEvent = (sql: Sql, organizationId: string) => sql`
  left join lateral (
    select true as is_found, erased_at
    from events
    where organization_id = ${organizationId}
      and id = d.event_id
    limit 1
  ) e on true`

type Page = { organizationId: string; after: DeliveryPlace; limit: number }

/** A page of the deliveries that are not final, in the order of their key. Those that are not made yet come first. */
export async function listOpen(sql: Sql, p: Page): Promise<DeliveryOfEvent[]> {
  return sql<DeliveryOfEvent[]>`
    select d.endpoint_id, d.id, d.event_id, d.count, d.is_claimed,
      e.is_found is null or e.erased_at is not null as is_erased, e.is_found is null as is_gone
    from (
      (select ${DEFERRED}::uuid as endpoint_id, event_id as id, event_id, cardinality(endpoint_ids) - made as count,
        false as is_claimed
      from deferred_fan_outs
      where organization_id = ${p.organizationId}
        and ${p.after.endpointId}::uuid = ${DEFERRED}::uuid
        and event_id > ${p.after.id}
      order by organization_id, event_id
      limit ${p.limit})
      union all
      (select endpoint_id, id, event_id, 1 as count, claim is not null as is_claimed
      from delivery_queue
      where organization_id = ${p.organizationId}
        and (endpoint_id, id) > (${p.after.endpointId}, ${p.after.id})
      order by organization_id, endpoint_id, id
      limit ${p.limit})
      order by endpoint_id, id
      limit ${p.limit}
    ) d
    ${selectEvent(sql, p.organizationId)}
    order by d.endpoint_id, d.id`
}

/** A page of the final deliveries of a window, in the order of their key. */
export async function listFinal(sql: Sql, p: Page & { window: IdWindow }): Promise<DeliveryOfEvent[]> {
  return sql<DeliveryOfEvent[]>`
    select d.endpoint_id, d.id, d.event_id, 1 as count, false as is_claimed,
      e.is_found is null or e.erased_at is not null as is_erased, e.is_found is null as is_gone
    from (
      select endpoint_id, id, event_id
      from deliveries
      where organization_id = ${p.organizationId}
        and (endpoint_id, id) > (${p.after.endpointId}, ${p.after.id})
        and ${isInWindow(sql, p.window)}
      order by organization_id, endpoint_id, id
      limit ${p.limit}
    ) d
    ${selectEvent(sql, p.organizationId)}
    order by d.endpoint_id, d.id`
}

/** Deletes deferred fan-outs, so that what they have not made yet is never made, and returns how many deliveries that are. */
export async function deleteDeferred(tx: Tx, organizationId: string, eventIds: readonly string[]): Promise<number> {
  const deleted = await tx<{ count: number }[]>`
    delete from deferred_fan_outs
    where organization_id = ${organizationId}
      and event_id = any(${eventIds}::uuid[])
    returning cardinality(endpoint_ids) - made as count`
  return deleted.reduce((sum, { count }) => sum + count, 0)
}

/** Moves deliveries that no worker has claimed into the log as canceled, and returns how many. */
export async function cancelOpen(
  tx: Tx,
  organizationId: string,
  deliveries: readonly DeliveryPlace[],
): Promise<number> {
  const moved = await tx`
    with canceled as materialized (
      select q.place
      from ${rows(tx, deliveries, { endpointId: 'uuid', id: 'uuid' })} as k
      cross join lateral (
        select q.ctid as place
        from delivery_queue q
        where q.organization_id = ${organizationId}
          and q.endpoint_id = k.endpoint_id
          and q.id = k.id
          and q.claim is null
        limit 1
        for update skip locked
      ) q
    ),
    dequeued as (
      delete from delivery_queue q
      using canceled c
      where q.ctid = c.place
      returning q.*
    )
    ${logDequeued(tx)}`
  return moved.length
}

/** Erases what receivers answered to deliveries, and returns to how many attempts. */
export async function eraseResponses(tx: Tx, organizationId: string, deliveryIds: readonly string[]): Promise<number> {
  const result = await tx`
    update delivery_attempts
    set response_headers = null, response_body = null
    where organization_id = ${organizationId}
      and delivery_id = any(${deliveryIds}::uuid[])
      and (response_body is not null or response_headers is not null)`
  return result.count
}
