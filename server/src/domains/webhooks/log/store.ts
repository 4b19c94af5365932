import { type IdWindow, isInWindow } from '../../../kernel/db/id-windows.ts'
import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import type { MediaUrls } from '../attempts/media-urls.ts'
import type { DeliveryPlace } from '../delivery-place.ts'
import type { EndpointKey } from '../wake-ups.ts'
import type { AttemptRecord, Delivery } from './schemas.ts'

/** True if the queued delivery `q` of the endpoint `e` is canceled. */
export const isCanceled = (sql: Sql) => sql`
  is_canceled(q.generation, q.event_kind, e.canceled_generation, e.mode_canceled_generation)`

type Columns = Fragment

/** Queued deliveries. Canceled ones stay in the queue until retention moves them, but already show as canceled. */
export const queuedColumns = (sql: Sql) => sql`
  q.id, q.event_kind as event,
    case
      when q.claim is not null then 'processing'
      when ${isCanceled(sql)} then 'canceled'
      when q.attempts = 0 then 'pending'
      else 'retry' end as status,
    q.attempts,
    case
      when q.claim is null and ${isCanceled(sql)} then coalesce(q.last_attempt_due_at, q.due_at)
      else q.due_at end as next_attempt_at,
    q.last_http_status, q.last_error_code, null::timestamptz as delivered_at, q.created_at`

const selectQueued = (sql: Sql, more: Columns = sql``) => sql`
  select ${more} ${queuedColumns(sql)}
  from delivery_queue q
  join webhook_endpoints e on e.organization_id = q.organization_id and e.id = q.endpoint_id`

export const finalColumns = (sql: Sql) => sql`
  d.id, d.event_kind as event, d.status, d.attempts, d.due_at as next_attempt_at, d.last_http_status, d.last_error_code,
  d.delivered_at, d.created_at`

const selectFinal = (sql: Sql, more: Columns = sql``) => sql`
  select ${more} ${finalColumns(sql)}
  from deliveries d`

export async function listQueued(sql: Sql, key: EndpointKey, limit: number): Promise<Delivery[]> {
  return sql<Delivery[]>`
    ${selectQueued(sql)}
    where q.organization_id = ${key.organizationId} and q.endpoint_id = ${key.endpointId}
    order by q.id desc
    limit ${limit}`
}

export async function listFinal(sql: Sql, key: EndpointKey & { window: IdWindow; limit: number }): Promise<Delivery[]> {
  return sql<Delivery[]>`
    ${selectFinal(sql)}
    where d.organization_id = ${key.organizationId} and d.endpoint_id = ${key.endpointId}
      and ${isInWindow(sql, key.window)}
    order by d.id desc
    limit ${key.limit}`
}

/** A delivery of any endpoint of an organization. */
export type KeptDelivery = Delivery & { webhook_id: string; event_id: string; replay_of_delivery_id: string | null }

type KeptPage = { organizationId: string; after: DeliveryPlace; limit: number }

/** A page of all queued deliveries of an organization, in the order of their key. */
export async function listAllQueued(sql: Sql, p: KeptPage): Promise<KeptDelivery[]> {
  return sql<KeptDelivery[]>`
    ${selectQueued(sql, sql`q.endpoint_id as webhook_id, q.event_id, q.replay_of as replay_of_delivery_id,`)}
    where q.organization_id = ${p.organizationId}
      and (q.endpoint_id, q.id) > (${p.after.endpointId}, ${p.after.id})
    order by q.organization_id, q.endpoint_id, q.id
    limit ${p.limit}`
}

/** A page of all final deliveries of a window, in the order of their key. */
export async function listAllFinal(sql: Sql, p: KeptPage & { window: IdWindow }): Promise<KeptDelivery[]> {
  return sql<KeptDelivery[]>`
    ${selectFinal(sql, sql`d.endpoint_id as webhook_id, d.event_id, d.replay_of as replay_of_delivery_id,`)}
    where d.organization_id = ${p.organizationId}
      and (d.endpoint_id, d.id) > (${p.after.endpointId}, ${p.after.id})
      and ${isInWindow(sql, p.window)}
    order by d.organization_id, d.endpoint_id, d.id
    limit ${p.limit}`
}

export async function findDelivery(sql: Sql, key: EndpointKey & { id: string }): Promise<Delivery | undefined> {
  const [row] = await sql<Delivery[]>`
    ${selectQueued(sql)}
    where q.organization_id = ${key.organizationId} and q.endpoint_id = ${key.endpointId} and q.id = ${key.id}
    union all
    ${selectFinal(sql)}
    where d.organization_id = ${key.organizationId} and d.endpoint_id = ${key.endpointId} and d.id = ${key.id}`
  return row
}

type LocatedDelivery = { id: string; event: string; endpoint_id: string; endpoint_name: string }

/** A delivery by its id alone, at any endpoint of the organization. */
export async function locateDelivery(
  sql: Sql,
  key: { organizationId: string; id: string },
): Promise<LocatedDelivery | undefined> {
  const [row] = await sql<LocatedDelivery[]>`
    select s.id, s.event, e.id as endpoint_id, e.name as endpoint_name
    from webhook_endpoints e
    cross join lateral (
      select q.id, q.event_kind as event
      from delivery_queue q
      where q.organization_id = e.organization_id and q.endpoint_id = e.id and q.id = ${key.id}
      union all
      select d.id, d.event_kind
      from deliveries d
      where d.organization_id = e.organization_id and d.endpoint_id = e.id and d.id = ${key.id}
    ) s
    where e.organization_id = ${key.organizationId}
      and e.inspector_answer is null
    limit 1`
  return row
}

/** Only in partitions of the window: an attempt's id has its time. */
export async function listAttempts(
  sql: Sql,
  key: { organizationId: string; deliveryId: string; window: IdWindow; hasBodies: boolean },
): Promise<AttemptRecord[]> {
  return sql<AttemptRecord[]>`
    select number, http_status, error_code, request_headers, response_headers,
      case when ${key.hasBodies} then encode(response_body, 'base64') end as response_body_base64,
      not ${key.hasBodies} and response_body is not null as response_body_withheld, address, timings, ended_at
    from delivery_attempts
    where organization_id = ${key.organizationId}
      and delivery_id = ${key.deliveryId}
      and id >= ${key.window.from}
      and id < ${key.window.before}
    order by id`
}

export type StoredPayload = {
  event_id: string
  event_kind: string
  replay_of_delivery_id: string | null
  channel_id: string | null
  media_urls: MediaUrls
  body: Buffer | null
}

/** The payload of a delivery, and which addresses its endpoint gets now. The body is null once the event is erased or past its retention. */
export async function findPayload(sql: Sql, key: EndpointKey & { id: string }): Promise<StoredPayload | undefined> {
  const [row] = await sql<StoredPayload[]>`
    select s.event_id, s.event_kind, s.replay_of as replay_of_delivery_id, v.channel_id, e.media_urls,
      case e.delivery_format when 'compat' then coalesce(v.compat_body, v.body) else v.body end as body
    from webhook_endpoints e
    cross join lateral (
      select q.event_id, q.event_kind, q.replay_of
      from delivery_queue q
      where q.organization_id = e.organization_id and q.endpoint_id = e.id and q.id = ${key.id}
      union all
      select d.event_id, d.event_kind, d.replay_of
      from deliveries d
      where d.organization_id = e.organization_id and d.endpoint_id = e.id and d.id = ${key.id}
    ) s
    left join events v on v.organization_id = e.organization_id and v.id = s.event_id
    where e.organization_id = ${key.organizationId}
      and e.id = ${key.endpointId}`
  return row
}

export async function findEndpoint(sql: Sql, key: EndpointKey): Promise<{ created_at: string } | undefined> {
  const [row] = await sql<{ created_at: string }[]>`
    select created_at
    from webhook_endpoints
    where organization_id = ${key.organizationId}
      and id = ${key.endpointId}
      and inspector_answer is null`
  return row
}

/**
 * The claim order of a delivery that a person waits for: before every first attempt, whose order is a century back.
 */
const firstInOrder = (sql: Sql) => sql`hub_now() - interval '200 years'`

/**
 * Queues the event of a final delivery again. Returns no row for a delivery that
 * is absent, of another organization or not final, for an endpoint that is not
 * active or whose payload mode excludes the event, and for a payload past its
 * retention.
 */
export async function insertReplay(
  tx: Tx,
  key: EndpointKey & { deliveryId: string },
): Promise<{ id: string; event_id: string } | undefined> {
  const [row] = await tx<{ id: string; event_id: string }[]>`
    insert into delivery_queue
      (organization_id, endpoint_id, id, event_id, event_kind, generation, replay_of, claim_order_at)
    select e.organization_id, e.id, hub_id(), s.event_id, s.event_kind, e.generation, s.id, ${firstInOrder(tx)}
    from webhook_endpoints e
    cross join lateral (
      select d.id, d.event_id, d.event_kind
      from deliveries d
      where d.organization_id = e.organization_id and d.endpoint_id = e.id and d.id = ${key.deliveryId}
      union all
      select q.id, q.event_id, q.event_kind
      from delivery_queue q
      where q.organization_id = e.organization_id and q.endpoint_id = e.id and q.id = ${key.deliveryId}
        and q.claim is null
        and ${isCanceled(tx)}
    ) s
    join events v on v.organization_id = e.organization_id and v.id = s.event_id
    where e.organization_id = ${key.organizationId}
      and e.id = ${key.endpointId}
      and e.status = 'active'
      and e.inspector_answer is null
      and mode_includes(e.payload_mode, s.event_kind)
    returning id, event_id`
  return row
}

/**
 * Makes the next attempt of a delivery in retry due at once. Returns no row for a delivery in any other state, and for an
 * endpoint that is not active. A claim that commits meanwhile takes the delivery out of retry, so there is no row then.
 */
export async function markDueNow(
  tx: Tx,
  key: EndpointKey & { deliveryId: string },
): Promise<{ event_id: string } | undefined> {
  const [row] = await tx<{ event_id: string }[]>`
    update delivery_queue q
    set due_at = hub_now(), claim_order_at = ${firstInOrder(tx)}
    from webhook_endpoints e
    where e.organization_id = ${key.organizationId}
      and e.id = ${key.endpointId}
      and e.status = 'active'
      and e.inspector_answer is null
      and q.organization_id = e.organization_id
      and q.endpoint_id = e.id
      and q.id = ${key.deliveryId}
      and q.claim is null
      and q.attempts > 0
      and not ${isCanceled(tx)}
    returning q.event_id`
  return row
}

/** Queues one event for one endpoint, regardless of its subscriptions. */
export async function insertTest(tx: Tx, key: EndpointKey & { eventId: string }): Promise<{ id: string } | undefined> {
  const [row] = await tx<{ id: string }[]>`
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation, claim_order_at)
    select organization_id, id, hub_id(), ${key.eventId}, 'webhook.test', generation, ${firstInOrder(tx)}
    from webhook_endpoints
    where organization_id = ${key.organizationId}
      and id = ${key.endpointId}
      and status = 'active'
    returning id`
  return row
}

export async function isActive(sql: Sql, key: EndpointKey): Promise<boolean> {
  const rows = await sql`
    select 1
    from webhook_endpoints
    where organization_id = ${key.organizationId}
      and id = ${key.endpointId}
      and inspector_answer is null
      and status = 'active'`
  return rows.length === 1
}

/**
 * Replays the dead and canceled deliveries of a period: oldest first, each once,
 * without tests and what the endpoint's payload mode excludes. `except` removes
 * those that have a replay (a replay carries the event of its original), and a
 * scalar subquery looks payloads up: the planner may turn joins in their place
 * into nested loops over the whole log.
 */
export async function insertRecovered(tx: Tx, r: EndpointKey & Recovered & { limit: number }): Promise<number> {
  const result = await tx`
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation, replay_of)
    select e.organization_id, e.id, hub_id(), s.event_id, s.event_kind, e.generation, s.id
    from webhook_endpoints e
    cross join lateral (${selectRecovered(tx, r)}) s
    where e.organization_id = ${r.organizationId}
      and e.id = ${r.endpointId}
      and e.status = 'active'`
  return result.count
}

/** Counts the deliveries that a recovery would replay now, or once the endpoint is active. */
export async function countRecoverable(sql: Sql, r: EndpointKey & Recovered & { limit: number }): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from webhook_endpoints e
    cross join lateral (${selectRecovered(sql, r)}) s
    where e.organization_id = ${r.organizationId}
      and e.id = ${r.endpointId}`
  return row?.count ?? 0
}

/** Selects the deliveries of the endpoint `e` that a recovery replays. */
const selectRecovered = (sql: Sql, r: Recovered & { limit: number }) => sql`
  select c.id, c.event_id, c.event_kind
  from (${selectRecoverable(sql, r)} except ${selectReplayed(sql, r)}) c
  where mode_includes(e.payload_mode, c.event_kind)
    and (select true from events v where v.organization_id = e.organization_id and v.id = c.event_id)
  order by c.id
  limit ${r.limit}`

/** Deliveries of these statuses that were created from `sinceId` on, and before `untilId`. */
type Recovered = { sinceId: string; untilId: string | null; statuses: readonly string[] }

/** Selects final deliveries of the endpoint `e`, and canceled ones that are still in the queue. */
const selectRecoverable = (sql: Sql, r: Recovered) => sql`
  (select o.id, o.event_id, o.event_kind
   from (
     select d.id, d.event_id, d.event_kind, d.status
     from deliveries d
     where d.organization_id = e.organization_id and d.endpoint_id = e.id and d.status <> 'succeeded'
       and d.id >= ${r.sinceId}
       ${r.untilId === null ? sql`` : sql`and d.id < ${r.untilId}`}
     union all
     select q.id, q.event_id, q.event_kind, 'canceled'
     from delivery_queue q
     where q.organization_id = e.organization_id and q.endpoint_id = e.id
       and q.claim is null
       and ${isCanceled(sql)}
       and q.id >= ${r.sinceId}
       ${r.untilId === null ? sql`` : sql`and q.id < ${r.untilId}`}
   ) o
   where o.status = any(${r.statuses}::text[])
     and o.event_kind <> 'webhook.test')`

/** Selects the originals of the replays of the endpoint `e`, queued and final. A replay is younger than its original. */
const selectReplayed = (sql: Sql, { sinceId }: Recovered) => sql`
  (select d.replay_of, d.event_id, d.event_kind
   from deliveries d
   where d.organization_id = e.organization_id and d.endpoint_id = e.id and d.replay_of is not null
     and d.id >= ${sinceId}
   union all
   select q.replay_of, q.event_id, q.event_kind
   from delivery_queue q
   where q.organization_id = e.organization_id and q.endpoint_id = e.id and q.replay_of is not null
     and q.id >= ${sinceId})`
