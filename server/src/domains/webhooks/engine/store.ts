import type { Sql } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import type { EndpointKey } from '../wake-ups.ts'
import type { ClaimedDelivery, ClaimKey, ClaimRequest } from './delivery.ts'

/** The exact depth of a longer queue tells an operator nothing more, and costs too much to count. */
const DEPTH_MAX = 100_000

const REQUEST_COLUMNS = { organizationId: 'uuid', endpointId: 'uuid', count: 'int', knownVersion: 'int' } as const

/**
 * Claims due deliveries of the requested endpoints and counts the attempt.
 * `skip locked` lets any number of workers claim at once; the lease, not the row
 * lock, protects a delivery while its request runs. Each endpoint is one walk
 * along its own claim order, so a million queued rows cost as much as a few.
 *
 * An endpoint whose attempts are spaced yields one delivery, and only to the
 * worker that gets its turn: the time of the next attempt has come, and the claim
 * that had the turn last is no longer in the queue. So the turn returns with every
 * claim, however that ends. `s` is the health row as this statement sees it, and
 * a delivery is claimed only if that very version was locked and changed: after
 * any later change, such as a turn that another worker took meanwhile, the claim
 * yields nothing.
 *
 * Here and below, rows are looked up key by key (`lateral … limit 1`), and locked
 * rows are changed by `ctid`: the planner's statistics of a queue that fills and
 * empties are always wrong. A claim is compared with `is not distinct from`, which
 * keeps the planner off the index of leases: where that was empty when last
 * analyzed, the planner would read every lease for each key.
 */
export async function claimDue(
  sql: Sql,
  c: { requests: ClaimRequest[]; claimToken: string; leaseSeconds: number },
): Promise<ClaimedDelivery[]> {
  return sql<ClaimedDelivery[]>`
    with requested as materialized (
      select r.organization_id, r.endpoint_id, r.count, r.known_version, s.next_attempt_at, t.place as turn_place
      from ${rows(sql, c.requests, REQUEST_COLUMNS)} as r
      left join lateral (
        select s.ctid as version, s.next_attempt_at, s.turn_delivery_id, s.turn_claim
        from webhook_endpoint_health s
        where s.organization_id = r.organization_id
          and s.endpoint_id = r.endpoint_id
          and s.next_attempt_at is not null
        limit 1
      ) s on true
      left join lateral (
        select h.ctid as place
        from webhook_endpoint_health h
        where h.ctid = s.version
          and s.next_attempt_at <= hub_now()
          and not exists (
            select 1
            from delivery_queue q
            where q.organization_id = r.organization_id
              and q.endpoint_id = r.endpoint_id
              and q.id = s.turn_delivery_id
              and q.claim is not distinct from s.turn_claim)
        limit 1
        for update skip locked
      ) t on true
    ),
    picked as materialized (
      select q.place, q.id, r.endpoint_id, r.turn_place, e.version,
        case when e.version <> r.known_version then e.url end as url,
        case when e.version <> r.known_version then e.secret end as secret,
        case when e.version <> r.known_version then e.previous_secret end as previous_secret,
        case when e.version <> r.known_version then e.previous_secret_until end as previous_secret_until,
        case when e.version <> r.known_version then e.delivery_format end as delivery_format,
        case when e.version <> r.known_version then e.media_urls end as media_urls,
        case when e.version <> r.known_version then e.inspector_answer end as inspector_answer
      from requested r
      cross join lateral (
        select e.version, e.url, e.secret, e.previous_secret, e.previous_secret_until, e.delivery_format,
          e.media_urls, e.inspector_answer, e.canceled_generation, e.mode_canceled_generation
        from webhook_endpoints e
        where e.organization_id = r.organization_id
          and e.id = r.endpoint_id
          and e.status = 'active'
          and (r.next_attempt_at is null or r.turn_place is not null)
        limit 1
      ) e
      cross join lateral (
        select q.ctid as place, q.id
        from delivery_queue q
        where q.organization_id = r.organization_id
          and q.endpoint_id = r.endpoint_id
          and q.claim is null
          and q.claim_order_at <= hub_now()
          and not is_canceled(q.generation, q.event_kind, e.canceled_generation, e.mode_canceled_generation)
        order by q.claim_order_at
        limit case when r.turn_place is null then r.count else 1 end
        for update skip locked
      ) q
    ),
    turns as (
      update webhook_endpoint_health h
      set turn_delivery_id = p.id, turn_claim = ${c.claimToken}, turn_started_at = hub_now()
      from picked p
      where h.ctid = p.turn_place
      returning h.endpoint_id
    )
    update delivery_queue q
    set claim = ${c.claimToken}, leased_until = hub_now() + make_interval(secs => ${c.leaseSeconds}), attempts = q.attempts + 1
    from picked p
    where q.ctid = p.place
      and (p.turn_place is null or exists (select 1 from turns t where t.endpoint_id = p.endpoint_id))
    returning q.organization_id, q.endpoint_id, q.id, q.event_id, q.event_kind, q.attempts, p.version, p.url, p.secret,
      p.previous_secret, p.previous_secret_until, p.delivery_format, p.media_urls, p.inspector_answer`
}

/**
 * The first unclaimed row of every endpoint. The recursion skips along the index
 * from one endpoint to the next, so it reads one row for each endpoint.
 */
const firstRows = (sql: Sql) => sql`
  recursive first_rows as (
    (select organization_id, endpoint_id, claim_order_at, due_at
     from delivery_queue
     where claim is null
     order by organization_id, endpoint_id, claim_order_at
     limit 1)
    union all
    select n.organization_id, n.endpoint_id, n.claim_order_at, n.due_at
    from first_rows f
    cross join lateral (
      select q.organization_id, q.endpoint_id, q.claim_order_at, q.due_at
      from delivery_queue q
      where q.claim is null
        and (q.organization_id, q.endpoint_id) > (f.organization_id, f.endpoint_id)
      order by q.organization_id, q.endpoint_id, q.claim_order_at
      limit 1
    ) n
  )`

export async function listDueEndpoints(sql: Sql): Promise<EndpointKey[]> {
  return sql<EndpointKey[]>`
    with ${firstRows(sql)}
    select organization_id as "organizationId", endpoint_id as "endpointId"
    from first_rows
    where claim_order_at <= hub_now()`
}

type QueueMeasurement = { depth: number; oldest_due_seconds: number; spaced_endpoints: number }

/**
 * Counts the queued deliveries up to 100,000, and returns for how long the one that is overdue longest has waited, and how many
 * active endpoints have their attempts spaced.
 */
export async function measureQueue(sql: Sql): Promise<QueueMeasurement> {
  const [row] = await sql<QueueMeasurement[]>`
    with ${firstRows(sql)}
    select (select count(*)::int from (select 1 from delivery_queue limit ${DEPTH_MAX}) q) as depth,
      coalesce(extract(epoch from hub_now() - min(f.due_at)), 0)::float8 as oldest_due_seconds,
      (
        select count(*)::int
        from webhook_endpoint_health h
        join webhook_endpoints e on e.organization_id = h.organization_id and e.id = h.endpoint_id
        where h.next_attempt_at is not null
          and e.status = 'active'
      ) as spaced_endpoints
    from first_rows f
    join webhook_endpoints e on e.organization_id = f.organization_id and e.id = f.endpoint_id and e.status = 'active'
    where f.claim_order_at <= hub_now()`
  return row ?? { depth: 0, oldest_due_seconds: 0, spaced_endpoints: 0 }
}

/** An event's payload and its size. A null body was not read, because it exceeds the limit. */
type LoadedPayload = { id: string; body: Buffer | null; compatBody: Buffer | null; bytes: number }

/**
 * The payloads of events, small ones first, up to a total of bytes; the first one in any case. PostgreSQL knows the
 * length of a large value without reading it.
 */
export async function loadPayloads(
  sql: Sql,
  events: { organizationId: string; id: string }[],
  bytesMax: number,
): Promise<LoadedPayload[]> {
  return sql<LoadedPayload[]>`
    select id, bytes, case when is_read then body end as body, case when is_read then compat_body end as "compatBody"
    from (
      select e.id, e.bytes, e.body, e.compat_body,
        row_number() over small_first = 1 or sum(e.bytes) over small_first <= ${bytesMax}::bigint as is_read
      from ${rows(sql, events, { organizationId: 'uuid', id: 'uuid' })} as k
      cross join lateral (
        select e.id, length(e.body) + coalesce(length(e.compat_body), 0) as bytes, e.body, e.compat_body
        from events e
        where e.organization_id = k.organization_id
          and e.id = k.id
        limit 1
      ) e
      window small_first as (order by e.bytes, e.id)
    ) p`
}

/** Undoes all claims with a token, as if they had never been made. */
export async function releaseToken(sql: Sql, claimToken: string): Promise<void> {
  await sql`
    update delivery_queue
    set claim = null, leased_until = null, attempts = attempts - 1
    where claim = ${claimToken}
      and leased_until is not null`
}

/** Undoes claims, as if they had never been made. */
export async function releaseClaims(sql: Sql, keys: ClaimKey[], afterSeconds: number): Promise<void> {
  await sql`
    update delivery_queue q
    set claim = null, leased_until = null, attempts = q.attempts - 1,
        claim_order_at = case
          when ${afterSeconds} = 0 then q.claim_order_at
          else hub_now() + make_interval(secs => ${afterSeconds}) end
    from ${rows(sql, keys, { organizationId: 'uuid', endpointId: 'uuid', id: 'uuid', claimToken: 'uuid' })} as k
    cross join lateral (
      select h.ctid as place
      from delivery_queue h
      where h.organization_id = k.organization_id
        and h.endpoint_id = k.endpoint_id
        and h.id = k.id
        and h.claim is not distinct from k.claim_token
      limit 1
    ) h
    where q.ctid = h.place
      and q.claim is not distinct from k.claim_token`
}
