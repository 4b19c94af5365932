import type { Fragment, Sql } from '../../../kernel/db/pool.ts'

/** The channel of the totals of all channels of an organization. */
export const ALL = '00000000-0000-0000-0000-000000000000'

/**
 * A part of a larger statement that inserts a delta for each row of `volumes`. It only inserts, and waits for no other
 * transaction.
 */
export function buildVolumeInsert(sql: Sql, volumes: Fragment): Fragment {
  return sql`
    insert into cost_deltas (organization_id, channel_id, day, category, type, country, volume)
    select v.organization_id, v.channel_id, v.day::date, v.category, v.type, v.country, v.volume
    from (${volumes}) v`
}

/**
 * Moves one batch of deltas into the totals, and returns how many. The order of the rows prevents deadlocks of two
 * processes, and in every snapshot each delta is in exactly one of the tables.
 */
export async function foldDeltas(
  sql: Sql,
  limit: number,
  buildCheckInsert: (sql: Sql, deltas: Fragment) => Fragment,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with folded as (
      delete from cost_deltas
      where ctid = any(array(select ctid from cost_deltas limit ${limit} for update skip locked))
      returning organization_id, channel_id, day, category, type, country, volume
    ),
    totaled as (
      insert into cost_totals as t (organization_id, channel_id, day, category, type, country, volume)
      select organization_id, channel_id, day, category, type, country, sum(volume)
      from (
        select * from folded
        union all
        select organization_id, ${ALL}::uuid, day, category, type, country, volume from folded
      ) f
      group by 1, 2, 3, 4, 5, 6
      order by 1, 2, 3, 4, 5, 6
      on conflict (organization_id, channel_id, day, category, type, country) do update
      set volume = t.volume + excluded.volume
    ),
    checked as (${buildCheckInsert(sql, sql`folded`)})
    select count(*)::int as count from folded`
  return row?.count ?? 0
}

/** Deletes up to `limit` totals of days that are over for longer, and returns how many. */
export async function deleteOld(sql: Sql, d: { days: number; limit: number }): Promise<number> {
  const { count } = await sql`
    delete from cost_totals
    where ctid = any(array(
      select ctid
      from cost_totals
      where day < (hub_now() at time zone 'UTC')::date - ${d.days}::int
      limit ${d.limit}))`
  return count
}

export type KeptVolume = {
  channel_id: string
  day: string
  category: string
  type: string
  country: string
  messages: number
}

/** The volumes of channels after the one given, in the order of their keys: of totals and of deltas together. */
export async function listKept(
  sql: Sql,
  k: { organizationId: string; after: KeptVolume | null; limit: number },
): Promise<KeptVolume[]> {
  const { channel_id, day, category, type, country } = k.after ?? FIRST
  const isAfter = sql`
    (channel_id, day, category, type, country) > (${channel_id}::uuid, ${day}::date, ${category}, ${type}, ${country})`
  return sql<KeptVolume[]>`
    select channel_id, day::text, category, type, country, sum(volume)::float8 as messages
    from (
      (
        select channel_id, day, category, type, country, volume
        from cost_totals
        where organization_id = ${k.organizationId}
          and channel_id <> ${ALL}
          and ${isAfter}
        order by channel_id, day, category, type, country
        limit ${k.limit}
      )
      union all
      select channel_id, day, category, type, country, volume
      from cost_deltas
      where organization_id = ${k.organizationId}
        and ${isAfter}
    ) v
    group by v.channel_id, v.day, v.category, v.type, v.country
    order by v.channel_id, v.day, v.category, v.type, v.country
    limit ${k.limit}`
}

const FIRST = { channel_id: ALL, day: '0001-01-01', category: '', type: '', country: '' }
