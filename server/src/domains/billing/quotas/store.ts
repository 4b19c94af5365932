import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Standing, Status } from '../plans/entitlement.ts'
import type { Plan, Quota } from '../plans/plans.ts'

/**
 * Makes the creations of one organization's quota wait for one another until
 * they commit, so that each counts what the one before it made.
 */
export async function lockQuota(tx: Tx, organizationId: string, quota: Quota): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`quota:${quota}:${organizationId}`}, 0))`
}

export type Room = {
  plan: Plan
  status: Status
  addons: number
  channels_cap: number | null
  webhook_endpoints_cap: number | null
  channels: number
  webhook_endpoints: number
}

/** What an organization may have, and what it has. Exact for a quota that the caller has locked. */
export async function findRoom(sql: Sql, organizationId: string): Promise<Room> {
  const [row] = await sql<Room[]>`
    select coalesce(s.plan, 'free') as plan, coalesce(s.status, 'none') as status, coalesce(s.addons, 0) as addons,
      s.channels_cap, s.webhook_endpoints_cap, c.used as channels, e.used as webhook_endpoints
    from (
      select count(*)::int as used
      from channels
      where organization_id = ${organizationId}
        and archived_at is null
    ) c
    cross join (
      select count(*)::int as used
      from webhook_endpoints
      where organization_id = ${organizationId}
    ) e
    left join subscriptions s on s.organization_id = ${organizationId}`
  if (!row) throw new Error('A count returned no row')
  return row
}

export type SubscriptionRow = {
  customer_id: string | null
  /** How many customers of the provider's this organization has been before. */
  generation: number
  plan: Plan
  status: Status
  addons: number
  period_start: string | null
  current_period_end: string | null
  cancels_at: string | null
}

export async function findSubscription(sql: Sql, organizationId: string): Promise<SubscriptionRow | undefined> {
  const [row] = await sql<SubscriptionRow[]>`
    select customer_id, generation, plan, status, addons, period_start, current_period_end, cancels_at
    from subscriptions
    where organization_id = ${organizationId}`
  return row
}

export async function findOrganizationName(sql: Sql, organizationId: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`select name from organizations where id = ${organizationId}`
  return row?.name
}

/** Returns the customer that counts: the one that was there before, where somebody else was faster. */
export async function insertCustomer(sql: Sql, c: { organizationId: string; customerId: string }): Promise<string> {
  const [row] = await sql<{ customer_id: string }[]>`
    insert into subscriptions as s (organization_id, customer_id)
    values (${c.organizationId}, ${c.customerId})
    on conflict (organization_id) do update set customer_id = coalesce(s.customer_id, excluded.customer_id)
    returning customer_id`
  if (!row) throw new Error('An upsert returned no row')
  return row.customer_id
}

/** For a customer that the provider does not have any more. */
export async function forgetCustomer(sql: Sql, c: { organizationId: string; customerId: string }): Promise<void> {
  await sql`
    update subscriptions
    set customer_id = null, generation = generation + 1
    where organization_id = ${c.organizationId}
      and customer_id = ${c.customerId}`
}

/** Nothing here names a tenant: the provider's name of a customer is what leads to one. */
export async function findOrganizationOf(sql: Sql, customerId: string): Promise<string | undefined> {
  const [row] = await sql<{ organization_id: string }[]>`
    select organization_id from subscriptions where customer_id = ${customerId}`
  return row?.organization_id
}

/** Locks the row for as long as the statement takes, and hands out the next ticket to whoever is about to fetch. */
export async function takeTicket(
  sql: Sql,
  organizationId: string,
): Promise<{ ticket: string; customer_id: string } | undefined> {
  const [row] = await sql<{ ticket: string; customer_id: string }[]>`
    update subscriptions
    set ticket = ticket + 1
    where organization_id = ${organizationId}
      and customer_id is not null
    returning ticket::text, customer_id`
  return row
}

export type Before = { plan: Plan; status: Status; addons: number }

/**
 * Writes what was fetched, and returns what was there before. Nothing is
 * written, and undefined returned, where a later ticket has written already: it
 * knows better. What a change that is under way holds back stays held back, and
 * what becomes of the change is asked for when its time is up.
 */
export async function updateStanding(
  tx: Tx,
  u: { organizationId: string; ticket: string; standing: Standing; reconcileSeconds: number },
): Promise<Before | undefined> {
  const { plan, status, addons, periodStart, periodEnd, cancelsAt } = u.standing
  const [row] = await tx<Before[]>`
    with before as (
      select organization_id, plan, status, addons,
        case when operation_until > hub_now() then operation_until end as changing_until
      from subscriptions
      where organization_id = ${u.organizationId}
        and written_ticket < ${u.ticket}::bigint
      for update
    )
    update subscriptions s
    set plan = ${plan}, status = ${status}, addons = ${addons}, period_start = ${periodStart}::timestamptz,
        current_period_end = ${periodEnd}::timestamptz, cancels_at = ${cancelsAt}::timestamptz,
        written_ticket = ${u.ticket}::bigint, fetched_at = hub_now(),
        reconcile_at = least(hub_now() + make_interval(secs => ${u.reconcileSeconds}), b.changing_until),
        channels_cap = case when b.changing_until is not null then s.channels_cap end,
        webhook_endpoints_cap = case when b.changing_until is not null then s.webhook_endpoints_cap end
    from before b
    where s.organization_id = b.organization_id
    returning b.plan, b.status, b.addons`
  return row
}

/** Takes those whose time has come, and puts them off, so that no two processes look after the same ones. */
export async function claimToReconcile(
  sql: Sql,
  c: { limit: number; againSeconds: number },
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
    set reconcile_at = hub_now() + make_interval(secs => ${c.againSeconds})
    from due d
    where s.organization_id = d.organization_id
    returning s.organization_id`
}
