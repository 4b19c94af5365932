import type { PendingQuery, Row } from 'postgres'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

export type Counter = 'messages_sent' | 'messages_received' | 'deliveries'

/**
 * The statement that adds the `organization_id`, `counter` and `amount` rows of
 * `amounts`. It only ever inserts, so nobody waits for anybody. Made to be one
 * part of a larger statement.
 */
export function adding(sql: Sql, amounts: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`
    insert into usage_deltas (organization_id, counter, amount)
    select a.organization_id, a.counter, a.amount
    from (${amounts}) a`
}

export async function insertDeltas(
  tx: Tx,
  deltas: { organizationId: string; counter: Counter; amount: number }[],
): Promise<void> {
  await tx`
    insert into usage_deltas (organization_id, counter, amount)
    select *
    from unnest(
      ${tx.array(deltas.map((delta) => delta.organizationId))}::uuid[],
      ${tx.array(deltas.map((delta) => delta.counter))}::text[],
      ${tx.array(deltas.map((delta) => delta.amount))}::int[])`
}

/**
 * Adds deltas up by day, a batch at a time, and returns how many went. A period
 * that begins within a day splits it: what came before it is kept apart. Deltas
 * wait for a while, so that the beginning of a new period is known by then.
 */
export async function foldDeltas(sql: Sql, f: { olderSeconds: number; limit: number }): Promise<number> {
  const [row] = await sql<{ folded: number }[]>`
    with gone as (
      delete from usage_deltas
      where ctid = any(array(
        select ctid
        from usage_deltas
        where at <= hub_now() - make_interval(secs => ${f.olderSeconds})
        limit ${f.limit}
        for update skip locked))
      returning organization_id, counter, at, amount
    ),
    sums as (
      select g.organization_id, g.counter, sum(g.amount) as amount,
        greatest(date_trunc('day', g.at, 'UTC'), case when s.period_start <= g.at then s.period_start end) as since
      from gone g
      left join subscriptions s on s.organization_id = g.organization_id
      group by 1, 2, 4
    ),
    added as (
      insert into usage_totals as t (organization_id, counter, since, amount)
      select organization_id, counter, since, amount
      from sums
      order by 1, 2, 3
      on conflict (organization_id, counter, since) do update set amount = t.amount + excluded.amount
    )
    select count(*)::int as folded from gone`
  return row?.folded ?? 0
}

/**
 * What was used since a moment, folded or not. It is exact where the moment is
 * the beginning of a day or of the subscription's period. A delta is either in
 * one table or in the other, in every snapshot.
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

export async function deleteOldTotals(sql: Sql, days: number): Promise<void> {
  await sql`
    delete from usage_totals
    where since < hub_now() - make_interval(days => ${days})`
}
