import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Quota } from '../plans/plans.ts'

type Operation = { organizationId: string; operation: string }

/**
 * Takes the organization's subscription for one change. Of any number at once
 * the row's lock lets one through; one whose process dies gives it back by
 * itself. When its time is up the provider is asked what became of it.
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

/** Lets the lower limit hold before it is asked for, so that nothing is created above it meanwhile. */
export async function updateCaps(tx: Tx, o: Operation & Record<Quota, number>): Promise<void> {
  await tx`
    update subscriptions
    set channels_cap = ${o.channels}, webhook_endpoints_cap = ${o.webhook_endpoints}
    where organization_id = ${o.organizationId}
      and operation = ${o.operation}`
}

/** `isSettled`: it is known what became of the change, and nothing needs to be held back any more. */
export async function endOperation(sql: Sql, o: Operation & { isSettled: boolean }): Promise<void> {
  await sql`
    update subscriptions
    set operation = null, operation_until = null,
        channels_cap = case when ${o.isSettled} then null else channels_cap end,
        webhook_endpoints_cap = case when ${o.isSettled} then null else webhook_endpoints_cap end
    where organization_id = ${o.organizationId}
      and operation = ${o.operation}`
}
