import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Quota } from '../plans/plans.ts'

type Operation = { organizationId: string; operation: string }

/**
 * Claims the organization's subscription for one change; of concurrent calls the row's lock lets one succeed. The claim
 * of a process that died expires, and the customer is then fetched to learn the outcome.
 */
export async function claimOperation(sql: Sql, o: Operation & { seconds: number }): Promise<boolean> {
  const rows = await sql`
    insert into subscriptions as s (organization_id, operation, operation_until)
    values (${o.organizationId}, ${o.operation}, hub_now() + make_interval(secs => ${o.seconds}))
    on conflict (organization_id) do update
    set operation = excluded.operation, operation_until = excluded.operation_until,
        reconcile_at = least(s.reconcile_at, excluded.operation_until)
    where s.operation_until is null or s.operation_until <= hub_now()
    returning organization_id`
  return rows.length === 1
}

/** Enforces the lower limit before the provider is called, so that nothing is created above it in the meantime. */
export async function updateCaps(tx: Tx, o: Operation & Record<Quota, number>): Promise<void> {
  await tx`
    update subscriptions
    set channels_cap = ${o.channels}, webhook_endpoints_cap = ${o.webhook_endpoints}
    where organization_id = ${o.organizationId}
      and operation = ${o.operation}`
}

/** `isSettled`: the outcome of the change is known, so the caps are removed. */
export async function endOperation(sql: Sql, o: Operation & { isSettled: boolean }): Promise<void> {
  await sql`
    update subscriptions
    set operation = null, operation_until = null,
        channels_cap = case when ${o.isSettled} then null else channels_cap end,
        webhook_endpoints_cap = case when ${o.isSettled} then null else webhook_endpoints_cap end
    where organization_id = ${o.organizationId}
      and operation = ${o.operation}`
}
