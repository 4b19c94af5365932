import type { PendingQuery, Row } from 'postgres'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Claimed, ClaimKey, Ended, Ending, Want } from './claims.ts'

/**
 * Hands due deliveries of the wanted endpoints to one worker, a few of each, and
 * counts the attempt. `skip locked` lets any number of workers ask at once; the
 * lease, not the row's lock, keeps a delivery ours while the request runs. Each
 * endpoint is a walk along its own turns, so one with a million of them costs as
 * much as one with a few. Address and secret are those of this moment.
 *
 * Here and below, what is looked up by given keys is looked up key by key
 * (`lateral … limit 1`), and what is locked is changed in its place (`ctid`): the
 * planner knows little of a queue that fills and empties, and has nothing to guess.
 * A claim is compared with `is not distinct from`, which rules the index of the
 * leases out: to whom it was empty when last analyzed it is the shortest way, and
 * every lease would be read for each key.
 */
export async function claim(sql: Sql, c: { wants: Want[]; token: string; leaseSeconds: number }): Promise<Claimed[]> {
  return sql<Claimed[]>`
    with picked as materialized (
      select q.place, e.version,
        case when e.version <> w.known_version then e.url end as url,
        case when e.version <> w.known_version then e.secret end as secret,
        case when e.version <> w.known_version then e.delivery_format end as delivery_format
      from unnest(
        ${listed(c.wants.map((want) => want.organizationId))}::uuid[],
        ${listed(c.wants.map((want) => want.endpointId))}::uuid[],
        ${listed(c.wants.map((want) => want.count))}::int[],
        ${listed(c.wants.map((want) => want.knownVersion))}::int[]
      ) as w (organization_id, endpoint_id, count, known_version)
      cross join lateral (
        select e.version, e.url, e.secret, e.delivery_format, e.canceled_generation
        from webhook_endpoints e
        where e.organization_id = w.organization_id
          and e.id = w.endpoint_id
          and e.status = 'active'
        limit 1
      ) e
      cross join lateral (
        select q.ctid as place
        from delivery_queue q
        where q.organization_id = w.organization_id
          and q.endpoint_id = w.endpoint_id
          and q.claim is null
          and q.turn_at <= hub_now()
          and q.generation > e.canceled_generation
        order by q.turn_at
        limit w.count
        for update skip locked
      ) q
    )
    update delivery_queue q
    set claim = ${c.token}, leased_until = hub_now() + make_interval(secs => ${c.leaseSeconds}), attempts = q.attempts + 1
    from picked p
    where q.ctid = p.place
    returning q.organization_id, q.endpoint_id, q.id, q.event_id, q.event_kind, q.attempts, p.version, p.url, p.secret,
      p.delivery_format`
}

/** Endpoints with something due, found by leaping from one endpoint's first turn to the next one's. */
export async function listDueEndpoints(sql: Sql): Promise<{ organization_id: string; endpoint_id: string }[]> {
  return sql<{ organization_id: string; endpoint_id: string }[]>`
    with recursive first_turns as (
      (select organization_id, endpoint_id, turn_at
       from delivery_queue
       where claim is null
       order by organization_id, endpoint_id, turn_at
       limit 1)
      union all
      select n.organization_id, n.endpoint_id, n.turn_at
      from first_turns f
      cross join lateral (
        select q.organization_id, q.endpoint_id, q.turn_at
        from delivery_queue q
        where q.claim is null
          and (q.organization_id, q.endpoint_id) > (f.organization_id, f.endpoint_id)
        order by q.organization_id, q.endpoint_id, q.turn_at
        limit 1
      ) n
    )
    select organization_id, endpoint_id
    from first_turns
    where turn_at <= hub_now()`
}

export async function loadBodies(
  sql: Sql,
  events: { organizationId: string; id: string }[],
): Promise<{ id: string; body: Buffer; compatBody: Buffer | null }[]> {
  return sql<{ id: string; body: Buffer; compatBody: Buffer | null }[]>`
    select e.id, e.body, e.compat_body as "compatBody"
    from unnest(
      ${listed(events.map((event) => event.organizationId))}::uuid[],
      ${listed(events.map((event) => event.id))}::uuid[]
    ) as w (organization_id, id)
    cross join lateral (
      select e.id, e.body, e.compat_body
      from events e
      where e.organization_id = w.organization_id
        and e.id = w.id
      limit 1
    ) e`
}

/** Gives claims back as if they had not been taken. */
export async function release(sql: Sql, keys: ClaimKey[], afterSeconds: number): Promise<void> {
  await sql`
    update delivery_queue q
    set claim = null, leased_until = null, attempts = q.attempts - 1,
        turn_at = case when ${afterSeconds} = 0 then q.turn_at else hub_now() + make_interval(secs => ${afterSeconds}) end
    from unnest(
      ${listed(keys.map((key) => key.organizationId))}::uuid[],
      ${listed(keys.map((key) => key.endpointId))}::uuid[],
      ${listed(keys.map((key) => key.id))}::uuid[],
      ${listed(keys.map((key) => key.claim))}::uuid[]
    ) as k (organization_id, endpoint_id, id, claim)
    cross join lateral (
      select h.ctid as place
      from delivery_queue h
      where h.organization_id = k.organization_id
        and h.endpoint_id = k.endpoint_id
        and h.id = k.id
        and h.claim is not distinct from k.claim
      limit 1
    ) h
    where q.ctid = h.place
      and q.claim is not distinct from k.claim`
}

/**
 * Writes attempts down and moves their deliveries on: into the log when they are
 * over, back into the queue when another attempt follows. Only a worker that
 * still holds the claim can do it; the others' endings return no row. What was
 * canceled meanwhile has no further attempt. What belongs to an endpoint that is
 * gone stays in the queue, where it is removed with the rest, and returns no row.
 * `counting` is the part of the statement that counts the successes.
 */
export async function finish(
  tx: Sql,
  endings: Ending[],
  counting: (tx: Sql, amounts: PendingQuery<Row[]>) => PendingQuery<Row[]>,
): Promise<Ended[]> {
  const succeeded = tx`
    select organization_id, 'deliveries' as counter, count(*) as amount
    from ours
    where status = 'succeeded'
    group by organization_id`
  return tx<Ended[]>`
    with ours as materialized (
      select o.organization_id, o.endpoint_id, o.id, o.claim, o.attempt_id, o.is_success, o.http_status, o.error_code,
        o.wait_ms, o.request_headers, o.response_headers, o.response_body, o.address, o.timings, q.place, q.event_id,
        q.event_kind, q.replay_of, q.attempts, q.due_at, q.created_at, e.canceled_generation is null as is_gone,
        case
          when e.canceled_generation is null then 'retry'
          when o.is_success then 'succeeded'
          when o.wait_ms is null then 'dead'
          when q.generation <= e.canceled_generation then 'canceled'
          else 'retry' end as status
      from unnest(
        ${listed(endings.map((e) => e.organizationId))}::uuid[],
        ${listed(endings.map((e) => e.endpointId))}::uuid[],
        ${listed(endings.map((e) => e.id))}::uuid[],
        ${listed(endings.map((e) => e.claim))}::uuid[],
        ${listed(endings.map((e) => e.attemptId))}::uuid[],
        ${listed(endings.map((e) => e.isSuccess))}::boolean[],
        ${listed(endings.map((e) => e.httpStatus))}::int[],
        ${tx.array(endings.map((e) => e.errorCode))}::text[],
        ${listed(endings.map((e) => e.waitMs))}::bigint[],
        string_to_array(${lines(endings.map((e) => e.requestHeaders))}, chr(10), ''),
        string_to_array(${lines(endings.map((e) => e.responseHeaders))}, chr(10), ''),
        ${listed(endings.map((e) => e.responseBody?.toString('hex') ?? null))}::text[],
        ${tx.array(endings.map((e) => e.address))}::text[],
        string_to_array(${lines(endings.map((e) => e.timings))}, chr(10), '')
      ) as o (organization_id, endpoint_id, id, claim, attempt_id, is_success, http_status, error_code, wait_ms,
        request_headers, response_headers, response_body, address, timings)
      cross join lateral (
        select q.ctid as place, q.event_id, q.event_kind, q.generation, q.replay_of, q.attempts, q.due_at, q.created_at
        from delivery_queue q
        where q.organization_id = o.organization_id
          and q.endpoint_id = o.endpoint_id
          and q.id = o.id
          and q.claim is not distinct from o.claim
        limit 1
        for update
      ) q
      left join lateral (
        select e.canceled_generation
        from webhook_endpoints e
        where e.organization_id = o.organization_id
          and e.id = o.endpoint_id
        limit 1
      ) e on true
    ),
    over as (
      delete from delivery_queue q
      using ours o
      where q.ctid = o.place
        and o.status <> 'retry'
    ),
    again as (
      update delivery_queue q
      set claim = null, leased_until = null, last_http_status = o.http_status, last_error_code = o.error_code,
          tried_due_at = q.due_at,
          due_at = coalesce(hub_now() + o.wait_ms * interval '1 millisecond', q.due_at),
          turn_at = coalesce(hub_now() + o.wait_ms * interval '1 millisecond', q.turn_at)
      from ours o
      where q.ctid = o.place
        and o.status = 'retry'
    ),
    counted as (${counting(tx, succeeded)}),
    logged as (
      insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, replay_of, status, attempts, due_at,
        last_http_status, last_error_code, delivered_at, created_at)
      select organization_id, endpoint_id, id, event_id, event_kind, replay_of, status, attempts, due_at, http_status,
        error_code, case when is_success then hub_now() end, created_at
      from ours
      where status <> 'retry'
    ),
    noted as (
      insert into delivery_attempts (organization_id, delivery_id, id, number, http_status, error_code, request_headers,
        response_headers, response_body, address, timings)
      select organization_id, id, attempt_id, attempts, http_status, error_code, request_headers::json,
        response_headers::json, decode(response_body, 'hex'), address, timings::json
      from ours
      where not is_gone
    ),
    healed as (
      delete from webhook_endpoint_health h
      using (
        select k.organization_id, k.endpoint_id
        from webhook_endpoint_health k
        join (
          select organization_id, endpoint_id
          from ours
          group by organization_id, endpoint_id
          having bool_and(is_success)
        ) g using (organization_id, endpoint_id)
        order by organization_id, endpoint_id
        for update of k
      ) g
      where h.organization_id = g.organization_id
        and h.endpoint_id = g.endpoint_id
    )
    select organization_id, endpoint_id, id
    from ours
    where not is_gone`
}

/** Claims whose worker did not come back. The rows stay locked for the statement that ends them. */
export async function lockExpired(tx: Tx, limit: number): Promise<(Ended & { claim: string; attempts: number })[]> {
  return tx<(Ended & { claim: string; attempts: number })[]>`
    select organization_id, endpoint_id, id, claim, attempts
    from delivery_queue
    where claim is not null
      and leased_until <= hub_now()
    order by leased_until
    limit ${limit}
    for update skip locked`
}

/** An array as PostgreSQL reads it, of values in which nothing needs quotes. */
function listed(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}

/** Documents, each on a line of its own: JSON has no line break in it, and needs no quotes this way. */
function lines(documents: readonly (object | null)[]): string {
  return documents.map((document) => (document === null ? '' : JSON.stringify(document))).join('\n')
}
