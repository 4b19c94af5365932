import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import type { ChannelStatus } from '../../channels/status.ts'
import type { RatedVolume } from '../report/cost-sum.ts'
import { CHARGED_TYPE } from '../volumes/priced-message.ts'
import type { Threshold } from './thresholds.ts'

export type ChannelMonth = { organizationId: string; channelId: string; month: string }

const MONTH_KEY = { organizationId: 'uuid', channelId: 'uuid', month: 'text' } as const

/** A part of the statement that folds `deltas`: asks for a check of the budgets that they concern and that are not used up. */
export function buildCheckInsert(sql: Sql, deltas: Fragment): Fragment {
  return sql`
    insert into cost_checks (organization_id, channel_id, month)
    select distinct d.organization_id, d.channel_id, date_trunc('month', d.day)::date
    from ${deltas} d
    join channels c on c.organization_id = d.organization_id and c.id = d.channel_id and c.monthly_budget is not null
    where not exists (
      select
      from cost_alerts a
      where a.organization_id = d.organization_id
        and a.channel_id = d.channel_id
        and a.month = date_trunc('month', d.day)::date
        and a.percent >= 100)`
}

/** Asks for a check of the current month. */
export async function insertCheck(tx: Tx, key: { organizationId: string; channelId: string }): Promise<void> {
  await tx`
    insert into cost_checks (organization_id, channel_id, month)
    values (${key.organizationId}, ${key.channelId}, date_trunc('month', hub_now() at time zone 'UTC')::date)`
}

/** Takes up to `limit` requests for checks, which end with the transaction. Any number of processes may take some at once. */
export async function takeChecks(tx: Tx, limit: number): Promise<{ taken: number; months: ChannelMonth[] }> {
  const taken = await tx<{ organization_id: string; channel_id: string; month: string }[]>`
    delete from cost_checks
    where ctid = any(array(select ctid from cost_checks limit ${limit} for update skip locked))
    returning organization_id, channel_id, month::text`
  const months = new Map(
    taken.map(({ organization_id, channel_id, month }) => [
      `${channel_id} ${month}`,
      { organizationId: organization_id, channelId: channel_id, month },
    ]),
  )
  return { taken: taken.length, months: [...months.values()] }
}

export type BudgetedVolume = RatedVolume & { channel_id: string; month: string }

/** The volumes of these months, folded or not, by all that a rate depends on. */
export async function listVolumes(
  tx: Tx,
  q: { months: readonly ChannelMonth[]; cardDays: readonly string[] },
): Promise<BudgetedVolume[]> {
  const join = (table: string) => tx`
    select t.channel_id, m.month, t.day, t.category, t.country, t.volume
    from (
      select organization_id, channel_id, month::date as month, (month::date + interval '1 month')::date as next_month
      from ${rows(tx, q.months, MONTH_KEY)} as r
    ) m
    join ${tx(table)} t
      on t.organization_id = m.organization_id
      and t.channel_id = m.channel_id
      and t.day >= m.month
      and t.day < m.next_month
    where t.type = ${CHARGED_TYPE}`
  return tx<BudgetedVolume[]>`
    select v.channel_id, v.month::text, v.category, v.country, true as is_charged,
      (select max(d) from unnest(${[...q.cardDays]}::date[]) d where d <= v.day)::text as card_day,
      sum(v.volume)::float8 as volume
    from (${join('cost_totals')} union all ${join('cost_deltas')}) v
    group by 1, 2, 3, 4, 6`
}

/** A channel that exists and has a budget, with what its events show. */
export type BudgetedChannel = {
  organization_id: string
  id: string
  monthly_budget: number
  name: string
  external_id: string | null
  status: ChannelStatus
  phone_number_id: string | null
  waba_id: string | null
  display_phone_number: string | null
  verified_name: string | null
  coexistence: boolean
}

export async function listBudgeted(tx: Tx, months: readonly ChannelMonth[]): Promise<BudgetedChannel[]> {
  return tx<BudgetedChannel[]>`
    select c.organization_id, c.id, c.monthly_budget::float8 as monthly_budget, c.name, c.external_id, c.status,
      c.phone_number_id, c.waba_id, c.display_phone_number, c.verified_name, c.coexistence
    from (select distinct organization_id, channel_id from ${rows(tx, months, MONTH_KEY)} as r) m
    join channels c on c.organization_id = m.organization_id and c.id = m.channel_id
    where c.monthly_budget is not null
      and c.archived_at is null`
}

export type Alert = ChannelMonth & { percent: Threshold }

/** Records what was reached, and returns what no process has recorded before. Two that write the same go in the same order. */
export async function insertAlerts(
  tx: Tx,
  alerts: readonly Alert[],
): Promise<{ channel_id: string; month: string; percent: Threshold }[]> {
  return tx<{ channel_id: string; month: string; percent: Threshold }[]>`
    insert into cost_alerts (organization_id, channel_id, month, percent)
    select organization_id, channel_id, month::date, percent
    from ${rows(tx, alerts, { ...MONTH_KEY, percent: 'int' })} as r
    order by organization_id, channel_id, month::date, percent
    on conflict (organization_id, channel_id, month, percent) do nothing
    returning channel_id, month::text, percent`
}

/** Deletes up to `limit` alerts of months that are over for longer, and returns how many. */
export async function deleteOldAlerts(sql: Sql, d: { days: number; limit: number }): Promise<number> {
  const { count } = await sql`
    delete from cost_alerts
    where ctid = any(array(
      select ctid
      from cost_alerts
      where month < (hub_now() at time zone 'UTC')::date - ${d.days}::int
      limit ${d.limit}))`
  return count
}
