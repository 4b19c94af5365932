import type { Tx } from '../../../kernel/db/pool.ts'

type Key = { organizationId: string; endpointId: string }
export type Failures = { organization_id: string; endpoint_id: string; consecutive_failures: number }

/** The counts of endpoints, locked in the order of their ids: two workers that meet the same ones do not deadlock. */
export async function lockFailures(tx: Tx, keys: Key[]): Promise<Failures[]> {
  return tx<Failures[]>`
    insert into webhook_endpoint_health as h (organization_id, endpoint_id, consecutive_failures)
    select k.organization_id, k.endpoint_id, 0
    from unnest(
      ${tx.array(keys.map((key) => key.organizationId))}::uuid[],
      ${tx.array(keys.map((key) => key.endpointId))}::uuid[]
    ) as k (organization_id, endpoint_id)
    order by 1, 2
    on conflict (organization_id, endpoint_id) do update set consecutive_failures = h.consecutive_failures
    returning organization_id, endpoint_id, consecutive_failures`
}

export async function updateFailures(tx: Tx, counts: (Key & { failures: number })[]): Promise<void> {
  await tx`
    update webhook_endpoint_health h
    set consecutive_failures = c.failures
    from unnest(
      ${tx.array(counts.map((count) => count.organizationId))}::uuid[],
      ${tx.array(counts.map((count) => count.endpointId))}::uuid[],
      ${tx.array(counts.map((count) => count.failures))}::int[]
    ) as c (organization_id, endpoint_id, failures)
    where h.organization_id = c.organization_id
      and h.endpoint_id = c.endpoint_id`
}

/** Pauses those that are active, each once whoever asks, and returns them. */
export async function pauseActive(
  tx: Tx,
  keys: Key[],
): Promise<{ organization_id: string; id: string; name: string }[]> {
  return tx<{ organization_id: string; id: string; name: string }[]>`
    update webhook_endpoints e
    set status = 'paused', paused_at = hub_now(), generation = e.generation + 1, version = e.version + 1,
        updated_at = hub_now()
    from unnest(
      ${tx.array(keys.map((key) => key.organizationId))}::uuid[],
      ${tx.array(keys.map((key) => key.endpointId))}::uuid[]
    ) as k (organization_id, endpoint_id)
    where e.organization_id = k.organization_id
      and e.id = k.endpoint_id
      and e.status = 'active'
    returning e.organization_id, e.id, e.name`
}
