import type { Fragment, Sql } from '../../../kernel/db/pool.ts'

export type Counter = 'messages_sent' | 'messages_received' | 'deliveries'

/**
 * A statement that inserts a delta for each row of `amounts`: `organization_id`, `counter`, `amount`. It is
 * a part of a larger statement, and waits for no other transaction because it only inserts.
 */
export function buildUsageInsert(sql: Sql, amounts: Fragment): Fragment {
  return sql`
    insert into usage_deltas (organization_id, counter, amount)
    select a.organization_id, a.counter, a.amount
    from (${amounts}) a`
}

/**
 * Folds one batch of deltas into daily totals and returns how many. A subscription period that begins within a day
 * splits that day's total in two. Deltas are folded only after some minutes: by then the start of a new period is known.
 */
export async function foldDeltas(sql: Sql, b: { olderSeconds: number; limit: number }): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with folded as (
      delete from usage_deltas
      where ctid = any(array(
        select ctid
        from usage_deltas
        where at <= hub_now() - make_interval(secs => ${b.olderSeconds})
        limit ${b.limit}
        for update skip locked))
      returning organization_id, counter, at, amount
    ),
    sums as (
      select f.organization_id, f.counter, sum(f.amount) as amount,
        greatest(date_trunc('day', f.at, 'UTC'), case when s.period_start <= f.at then s.period_start end) as since
      from folded f
      left join subscriptions s on s.organization_id = f.organization_id
      group by 1, 2, 4
    ),
    added as (
      insert into usage_totals as t (organization_id, counter, since, amount)
      select organization_id, counter, since, amount
      from sums
      order by 1, 2, 3
      on conflict (organization_id, counter, since) do update set amount = t.amount + excluded.amount
    )
    select count(*)::int as count from folded`
  return row?.count ?? 0
}

/**
 * Sums totals and unfolded deltas. It is exact if `since` is the start of a day or of the subscription's period: in every
 * snapshot each delta is in exactly one of the two tables.
 */
export async function sumUsage(
  sql: Sql,
  s: { organizationId: string; since: string },
): Promise<{ counter: Counter; amount: number }[]> {
  return sql<{ counter: Counter; amount: number }[]>`
    select counter, sum(amount)::float8 as amount
    from (
      select counter, amount
      from usage_totals
      where organization_id = ${s.organizationId}
        and since >= ${s.since}
      union all
      select counter, amount
      from usage_deltas
      where organization_id = ${s.organizationId}
        and at >= ${s.since}
    ) u
    group by counter`
}

/** Returns the usage of each day, oldest first. Totals are kept for little more than a year, so the list is short. */
export async function listDailyUsage(
  sql: Sql,
  organizationId: string,
): Promise<{ day: string; counter: Counter; amount: number }[]> {
  return sql<{ day: string; counter: Counter; amount: number }[]>`
    select date_trunc('day', at, 'UTC') as day, counter, sum(amount)::float8 as amount
    from (
      select since as at, counter, amount
      from usage_totals
      where organization_id = ${organizationId}
      union all
      select at, counter, amount
      from usage_deltas
      where organization_id = ${organizationId}
    ) u
    group by 1, 2
    order by 1, 2`
}

export async function deleteOldTotals(sql: Sql, days: number): Promise<void> {
  await sql`
    delete from usage_totals
    where since < hub_now() - make_interval(days => ${days})`
}
