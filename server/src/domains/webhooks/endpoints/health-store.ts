import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import type { EndpointKey } from '../wake-ups.ts'
import { PAUSE_AT, RUN_SECONDS_MIN, SPACED_FROM } from './failure-count.ts'

/** `pausing_claim` is the claim whose failure can be the twentieth. */
type Failures = {
  organization_id: string
  endpoint_id: string
  consecutive_failures: number
  pausing_claim: string | null
}

/** The counts of endpoints, locked in the order of their ids, so that two writers of the same ones do not deadlock. */
export async function lockFailures(tx: Tx, keys: EndpointKey[]): Promise<Failures[]> {
  return tx<Failures[]>`
    insert into webhook_endpoint_health as h (organization_id, endpoint_id, consecutive_failures)
    select k.organization_id, k.endpoint_id, 0
    from ${rows(tx, keys, { organizationId: 'uuid', endpointId: 'uuid' })} as k
    order by 1, 2
    on conflict (organization_id, endpoint_id) do update set consecutive_failures = h.consecutive_failures
    returning organization_id, endpoint_id, consecutive_failures,
      case when turn_started_at >= run_started_at + ${RUN_SECONDS_MIN} * interval '1 second' then turn_claim end
        as pausing_claim`
}

/**
 * From the fifth failure on, the time that is left of the run's twenty seconds is shared out evenly among the failures that
 * are left until the pause.
 */
export async function updateFailures(
  tx: Tx,
  counts: (EndpointKey & { failures: number; isNewRun: boolean })[],
): Promise<void> {
  const columns = { organizationId: 'uuid', endpointId: 'uuid', failures: 'int', isNewRun: 'boolean' } as const
  const startedAt = tx`case when c.is_new_run then hub_now() else h.run_started_at end`
  const left = tx`${startedAt} + ${RUN_SECONDS_MIN} * interval '1 second' - hub_now()`
  await tx`
    update webhook_endpoint_health h
    set consecutive_failures = c.failures,
        run_started_at = ${startedAt},
        next_attempt_at = case
          when c.failures >= ${SPACED_FROM} and c.failures < ${PAUSE_AT}
          then hub_now() + greatest(${left}, interval '0') / (${PAUSE_AT} - c.failures) end
    from ${rows(tx, counts, columns)} as c
    where h.organization_id = c.organization_id
      and h.endpoint_id = c.endpoint_id`
}

/**
 * Must run before the endpoint itself is locked: a writer of failures locks the
 * count first and then the endpoint, to pause it.
 */
export async function clearFailures(tx: Tx, key: EndpointKey): Promise<void> {
  await tx`
    delete from webhook_endpoint_health
    where organization_id = ${key.organizationId}
      and endpoint_id = ${key.endpointId}`
}

/**
 * The same as a part of another statement, for the endpoints of a query, locked in the order of their ids. Each count is
 * looked up by its key: a plan from when no endpoint failed would join all counts to all endpoints, row by row.
 */
export function buildFailureReset(tx: Sql, endpoints: Fragment): Fragment {
  return tx`
    with locked as materialized (
      select h.organization_id, h.endpoint_id
      from (select organization_id, endpoint_id from (${endpoints}) e order by 1, 2) e
      cross join lateral (
        select k.organization_id, k.endpoint_id
        from webhook_endpoint_health k
        where k.organization_id = e.organization_id
          and k.endpoint_id = e.endpoint_id
        limit 1
        for update
      ) h
    )
    delete from webhook_endpoint_health h
    where h.organization_id = any(array(select organization_id from locked))
      and h.endpoint_id = any(array(select endpoint_id from locked))`
}

/** `since` is when the run of failures began. */
export type PausedEndpoint = EndpointKey & { name: string; since: string; isInspector: boolean }

/** Pauses the active ones and returns them, so that concurrent writers pause each endpoint once. */
export async function pauseActive(tx: Tx, keys: EndpointKey[]): Promise<PausedEndpoint[]> {
  return tx<PausedEndpoint[]>`
    update webhook_endpoints e
    set status = 'paused', paused_at = hub_now(), generation = e.generation + 1, version = e.version + 1,
        updated_at = hub_now()
    from ${rows(tx, keys, { organizationId: 'uuid', endpointId: 'uuid' })} as k
    where e.organization_id = k.organization_id
      and e.id = k.endpoint_id
      and e.status = 'active'
    returning e.organization_id as "organizationId", e.id as "endpointId", e.name,
      e.inspector_answer is not null as "isInspector",
      (select coalesce(h.run_started_at, hub_now())
       from webhook_endpoint_health h
       where h.organization_id = e.organization_id
         and h.endpoint_id = e.id) as since`
}

/** An attempt that ends while its endpoint is deleted inserts a count again. */
export async function deleteFailuresOfDeleted(sql: Sql): Promise<void> {
  await sql`
    delete from webhook_endpoint_health h
    using deleted_endpoints e
    where h.organization_id = e.organization_id
      and h.endpoint_id = e.endpoint_id`
}
