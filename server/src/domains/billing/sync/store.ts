import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Entitlement } from '../plans/entitlement.ts'
import type { Plan } from '../plans/plans.ts'

type StartedFetch = { fetch_number: string; customer_id: string; plan: Plan }

/** Numbers the fetches of a customer in the order in which they start. Undefined if there is no customer to fetch. */
export async function startFetch(sql: Sql, organizationId: string): Promise<StartedFetch | undefined> {
  const [row] = await sql<StartedFetch[]>`
    update subscriptions
    set fetch_number = fetch_number + 1
    where organization_id = ${organizationId}
      and customer_id is not null
    returning fetch_number::text, customer_id, plan`
  return row
}

type StoredEntitlement = Pick<Entitlement, 'plan' | 'status' | 'addons'> & { cancels_at: string | null }

/**
 * Writes a fetched entitlement and returns the one before it. Writes nothing, and returns undefined, if a fetch with a
 * higher number has already written. While a change is in progress the caps stay, and the next reconciliation comes at
 * the end of its lease.
 */
export async function updateEntitlement(
  tx: Tx,
  u: { organizationId: string; fetchNumber: string; entitlement: Entitlement; reconcileSeconds: number },
): Promise<StoredEntitlement | undefined> {
  const { plan, status, addons, periodStart, periodEnd, cancelsAt } = u.entitlement
  const [row] = await tx<StoredEntitlement[]>`
    with before as (
      select organization_id, plan, status, addons, cancels_at,
        case when operation_until > hub_now() then operation_until end as changing_until
      from subscriptions
      where organization_id = ${u.organizationId}
        and written_fetch_number < ${u.fetchNumber}::bigint
      for update
    )
    update subscriptions s
    set plan = ${plan}, status = ${status}, addons = ${addons}, period_start = ${periodStart}::timestamptz,
        current_period_end = ${periodEnd}::timestamptz, cancels_at = ${cancelsAt}::timestamptz,
        written_fetch_number = ${u.fetchNumber}::bigint, fetched_at = hub_now(),
        reconcile_at = least(hub_now() + make_interval(secs => ${u.reconcileSeconds}), b.changing_until),
        channels_cap = case when b.changing_until is not null then s.channels_cap end,
        webhook_endpoints_cap = case when b.changing_until is not null then s.webhook_endpoints_cap end
    from before b
    where s.organization_id = b.organization_id
    returning b.plan, b.status, b.addons, b.cancels_at`
  return row
}

/** Claims due subscriptions by postponing them, so that no two processes reconcile the same one. */
export async function claimDue(
  sql: Sql,
  c: { limit: number; retrySeconds: number },
): Promise<{ organization_id: string }[]> {
  return sql<{ organization_id: string }[]>`
    with due as (
      select organization_id
      from subscriptions
      where customer_id is not null
        and reconcile_at <= hub_now()
      order by reconcile_at
      limit ${c.limit}
      for update skip locked
    )
    update subscriptions s
    set reconcile_at = hub_now() + make_interval(secs => ${c.retrySeconds})
    from due d
    where s.organization_id = d.organization_id
    returning s.organization_id`
}
