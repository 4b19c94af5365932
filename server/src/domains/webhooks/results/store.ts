import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import { type Columns, rows } from '../../../kernel/db/rows.ts'
import { buildHeldKeys, PROCESS_LOCKS } from '../../../kernel/db/session-lock.ts'
import type { ExpiredClaim } from '../engine/delivery.ts'
import type { AttemptResult } from './attempt-result.ts'

const RESULT_COLUMNS: Columns<AttemptResult> = {
  organizationId: 'uuid',
  endpointId: 'uuid',
  id: 'uuid',
  claimToken: 'uuid',
  attemptId: 'uuid',
  isSuccess: 'boolean',
  httpStatus: 'int',
  errorCode: 'text',
  waitMs: 'bigint',
  requestHeaders: 'json',
  responseHeaders: 'json',
  responseBody: 'bytea',
  address: 'text',
  timings: 'json',
  latencyMs: 'int',
}

/** Parts of the statement that write the tables of other modules. Each gets the rows it needs as a query. */
type OtherWrites = {
  /** Counts usage: `(organization_id, counter, amount)`. */
  buildUsageInsert: WriteFrom
  /** Counts attempts by endpoint: `(organization_id, endpoint_id, is_success, latency_ms)`. */
  buildAttemptCountInsert: WriteFrom
  /** Clears the failure counts of endpoints: `(organization_id, endpoint_id)`. */
  buildFailureReset: WriteFrom
}
type WriteFrom = (tx: Sql, rows: Fragment) => Fragment

/**
 * Writes attempts and moves their deliveries on: into the log when they are
 * final, back into the queue when another attempt follows. A result whose worker
 * has lost the claim changes nothing and returns no row. After a cancellation no
 * further attempt follows. A delivery of a deleted endpoint stays in the queue,
 * where retention deletes it, and returns no row.
 */
export async function finishAttempts(
  tx: Sql,
  results: AttemptResult[],
  { buildUsageInsert, buildAttemptCountInsert, buildFailureReset }: OtherWrites,
): Promise<{ attempt_id: string }[]> {
  const succeeded = tx`
    select organization_id, 'deliveries' as counter, count(*) as amount
    from claimed
    where status = 'succeeded'
    group by organization_id`
  const attempts = tx`
    select organization_id, endpoint_id, is_success, latency_ms
    from claimed
    where latency_ms is not null
      and not is_deleted`
  const healthy = tx`
    select organization_id, endpoint_id
    from claimed
    group by organization_id, endpoint_id
    having bool_and(is_success)`
  return tx<{ attempt_id: string }[]>`
    with claimed as materialized (
      select r.organization_id, r.endpoint_id, r.id, r.claim_token, r.attempt_id, r.is_success, r.http_status,
        r.error_code, r.wait_ms, r.request_headers, r.response_headers, r.response_body, r.address, r.timings, r.latency_ms, q.place, q.event_id,
        q.event_kind, q.replay_of, q.attempts, q.due_at, q.created_at, e.canceled_generation is null as is_deleted,
        case
          when e.canceled_generation is null then 'retry'
          when r.is_success then 'succeeded'
          when r.wait_ms is null then 'dead'
          when is_canceled(q.generation, q.event_kind, e.canceled_generation, e.mode_canceled_generation) then 'canceled'
          else 'retry' end as status
      from ${rows(tx, results, RESULT_COLUMNS)} as r
      cross join lateral (
        select q.ctid as place, q.event_id, q.event_kind, q.generation, q.replay_of, q.attempts, q.due_at, q.created_at
        from delivery_queue q
        where q.organization_id = r.organization_id
          and q.endpoint_id = r.endpoint_id
          and q.id = r.id
          and q.claim is not distinct from r.claim_token
        limit 1
        for update
      ) q
      left join lateral (
        select e.canceled_generation, e.mode_canceled_generation
        from webhook_endpoints e
        where e.organization_id = r.organization_id
          and e.id = r.endpoint_id
        limit 1
      ) e on true
    ),
    dequeued as (
      delete from delivery_queue q
      using claimed r
      where q.ctid = r.place
        and r.status <> 'retry'
    ),
    requeued as (
      update delivery_queue q
      set claim = null, leased_until = null, last_http_status = r.http_status, last_error_code = r.error_code,
          last_attempt_due_at = q.due_at,
          due_at = coalesce(hub_now() + r.wait_ms * interval '1 millisecond', q.due_at),
          claim_order_at = coalesce(hub_now() + r.wait_ms * interval '1 millisecond', q.claim_order_at)
      from claimed r
      where q.ctid = r.place
        and r.status = 'retry'
    ),
    counted as (${buildUsageInsert(tx, succeeded)}),
    measured as (${buildAttemptCountInsert(tx, attempts)}),
    logged as (
      insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, replay_of, status, attempts, due_at,
        last_http_status, last_error_code, delivered_at, created_at)
      select organization_id, endpoint_id, id, event_id, event_kind, replay_of, status, attempts, due_at, http_status,
        error_code, case when is_success then hub_now() end, created_at
      from claimed
      where status <> 'retry'
    ),
    recorded as (
      insert into delivery_attempts (organization_id, delivery_id, id, number, http_status, error_code, request_headers,
        response_headers, response_body, address, timings)
      select organization_id, id, attempt_id, attempts, http_status, error_code, request_headers,
        response_headers, response_body, address, timings
      from claimed
      where not is_deleted
    ),
    cleared as (${buildFailureReset(tx, healthy)})
    select attempt_id
    from claimed
    where not is_deleted`
}

/** Up to `limit` claims, but not those of the deliveries `except`. */
export type LockOptions = { except: string[]; limit: number }

/** Claims whose lease has expired. The rows stay locked for the statement that finishes their attempts. */
export async function lockExpiredClaims(tx: Tx, { except, limit }: LockOptions): Promise<ExpiredClaim[]> {
  return tx<ExpiredClaim[]>`
    select organization_id, endpoint_id, id, claim, attempts
    from delivery_queue
    where claim is not null
      and leased_until <= hub_now()
      and id <> all(${except}::uuid[])
    order by leased_until
    limit ${limit}
    for update skip locked`
}

/** The worker that a claim token names: its first eight digits, in a UUID of version 8. */
const readWorker = (sql: Sql) => sql`case when substr(claim::text, 15, 1) = '8' then left(claim::text, 8) end`

/** Workers that have claims but do not hold their lock. */
export async function listUnlockedWorkers(sql: Sql): Promise<string[]> {
  const workers = await sql<{ worker: string }[]>`
    select worker
    from (
      select distinct ${readWorker(sql)} as worker
      from delivery_queue
      where claim is not null
        and leased_until > hub_now()
    ) c
    where worker is not null
    except
    select lpad(to_hex(key), 8, '0')
    from (${buildHeldKeys(sql, PROCESS_LOCKS)}) h`
  return workers.map(({ worker }) => worker)
}

/** The claims of workers, like those whose lease has expired. */
export async function lockClaimsOfWorkers(
  tx: Tx,
  workers: string[],
  { except, limit }: LockOptions,
): Promise<ExpiredClaim[]> {
  return tx<ExpiredClaim[]>`
    select organization_id, endpoint_id, id, claim, attempts
    from delivery_queue
    where claim is not null
      and leased_until > hub_now()
      and ${readWorker(tx)} = any(${workers}::text[])
      and id <> all(${except}::uuid[])
    limit ${limit}
    for update skip locked`
}
