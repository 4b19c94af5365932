import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { CHARGED_TYPE } from '../volumes/priced-message.ts'
import { ALL } from '../volumes/store.ts'
import type { CostPeriod } from './period.ts'
import type { CostGrouping } from './schemas.ts'

export type CostQuery = CostPeriod & { organizationId: string; channelId: string | null; groupBy: CostGrouping }

/** `card_day` is the day from which the rate card of the row is valid; null before the first one. */
export type VolumeRow = {
  key: string
  name: string | null
  category: string
  country: string
  is_charged: boolean
  card_day: string | null
  volume: number
}

/** Volumes by all that a rate depends on. `cardDays` are the days from which rate cards are valid. */
export async function sumVolumes(sql: Sql, q: CostQuery & { cardDays: readonly string[] }): Promise<VolumeRow[]> {
  const isByChannel = q.groupBy === 'channel'
  const channel = sql`left join channels c on c.organization_id = ${q.organizationId} and c.id = s.key::uuid`
  return sql<VolumeRow[]>`
    select s.key, ${isByChannel ? sql`c.name` : sql`null`} as name, s.category, s.country, s.is_charged, s.card_day, s.volume
    from (
      select v.${sql(COLUMNS[q.groupBy])}::text as key, v.category, v.country, v.type = ${CHARGED_TYPE} as is_charged,
        (select max(d) from unnest(${[...q.cardDays]}::date[]) d where d <= v.day)::text as card_day,
        sum(v.volume)::float8 as volume
      from (${isByChannel && q.channelId === null ? selectOfChannels(sql, q) : selectOfOne(sql, q)}) v
      group by 1, 2, 3, 4, 5
    ) s
    ${isByChannel ? channel : sql``}`
}

const COLUMNS = { channel: 'channel_id', category: 'category', country: 'country', day: 'day' } as const

/** Totals and the deltas that are not folded yet: in every snapshot each delta is in exactly one of the two tables. */
function selectOfOne(sql: Sql, q: CostQuery): Fragment {
  return sql`
    select channel_id, day, category, type, country, volume
    from cost_totals
    where organization_id = ${q.organizationId}
      and channel_id = coalesce(${q.channelId}::uuid, ${ALL}::uuid)
      and day >= ${q.since}
      and day < ${q.until}
    union all
    ${selectDeltas(sql, q)}`
}

/** By channel, so that only the days of the period are read, and not all that the organization has. */
function selectOfChannels(sql: Sql, q: CostQuery): Fragment {
  return sql`
    select t.channel_id, t.day, t.category, t.type, t.country, t.volume
    from channels n
    join cost_totals t
      on t.organization_id = n.organization_id
      and t.channel_id = n.id
      and t.day >= ${q.since}
      and t.day < ${q.until}
    where n.organization_id = ${q.organizationId}
    union all
    ${selectDeltas(sql, q)}`
}

function selectDeltas(sql: Sql, q: CostQuery): Fragment {
  return sql`
    select channel_id, day, category, type, country, volume
    from cost_deltas
    where organization_id = ${q.organizationId}
      and (${q.channelId}::uuid is null or channel_id = ${q.channelId})
      and day >= ${q.since}
      and day < ${q.until}`
}

/** Deleted channels too: what they cost stays. */
export async function channelExists(sql: Sql, key: { organizationId: string; id: string }): Promise<boolean> {
  const rows = await sql`select from channels where organization_id = ${key.organizationId} and id = ${key.id}`
  return rows.length > 0
}
