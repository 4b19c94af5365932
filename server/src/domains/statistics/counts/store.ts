import type { Fragment, Sql } from '../../../kernel/db/pool.ts'

/** The channel and the endpoint of rows that count all of an organization. */
export const ALL = '00000000-0000-0000-0000-000000000000'

/**
 * A part of a larger statement that inserts a delta for each row of `counts`: `organization_id`, `channel_id`,
 * `error_code` and the counters. It only inserts, and waits for no other transaction.
 */
export function buildMessageCountInsert(sql: Sql, counts: Fragment): Fragment {
  return sql`
    insert into message_count_deltas (organization_id, channel_id, error_code, sent, delivered, read, failed, refused,
      received)
    select c.organization_id, c.channel_id, c.error_code, c.sent, c.delivered, c.read, c.failed, c.refused, c.received
    from (${counts}) c`
}

/**
 * The same for attempts, which have `organization_id`, `endpoint_id`, `is_success` and `latency_ms`. The bounds are those of
 * `LATENCY_BOUNDS_MS`.
 */
export function buildAttemptCountInsert(sql: Sql, attempts: Fragment): Fragment {
  return sql`
    insert into attempt_count_deltas (organization_id, endpoint_id, succeeded, failed,
      ms_50, ms_100, ms_200, ms_400, ms_800, ms_1600, ms_3200, ms_6400, ms_more)
    select a.organization_id, a.endpoint_id, count(*) filter (where a.is_success),
      count(*) filter (where not a.is_success),
      count(*) filter (where a.latency_ms <= 50),
      count(*) filter (where a.latency_ms > 50 and a.latency_ms <= 100),
      count(*) filter (where a.latency_ms > 100 and a.latency_ms <= 200),
      count(*) filter (where a.latency_ms > 200 and a.latency_ms <= 400),
      count(*) filter (where a.latency_ms > 400 and a.latency_ms <= 800),
      count(*) filter (where a.latency_ms > 800 and a.latency_ms <= 1600),
      count(*) filter (where a.latency_ms > 1600 and a.latency_ms <= 3200),
      count(*) filter (where a.latency_ms > 3200 and a.latency_ms <= 6400),
      count(*) filter (where a.latency_ms > 6400)
    from (${attempts}) a
    group by a.organization_id, a.endpoint_id`
}

/**
 * Moves one batch of deltas into the counts, and returns how many. The order of the rows prevents deadlocks of two
 * processes, and in every snapshot each delta is in exactly one of the tables.
 */
export async function foldMessageDeltas(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with folded as (
      delete from message_count_deltas
      where ctid = any(array(select ctid from message_count_deltas limit ${limit} for update skip locked))
      returning organization_id, channel_id, at, error_code, sent, delivered, read, failed, refused, received
    ),
    by_channel as (
      select organization_id, channel_id, date_bin('30 minutes', at, 'epoch') as since, sum(sent) as sent,
        sum(delivered) as delivered, sum(read) as read, sum(failed) as failed, sum(refused) as refused,
        sum(received) as received
      from folded
      group by 1, 2, 3
    ),
    counted as (
      insert into message_counts as t (organization_id, channel_id, since, sent, delivered, read, failed, refused,
        received)
      select organization_id, channel_id, since, sent, delivered, read, failed, refused, received
      from (
        select * from by_channel
        union all
        select organization_id, ${ALL}::uuid as channel_id, since, sum(sent), sum(delivered), sum(read), sum(failed),
          sum(refused), sum(received)
        from by_channel
        group by organization_id, since
      ) c
      order by 1, 2, 3
      on conflict (organization_id, channel_id, since) do update
      set sent = t.sent + excluded.sent, delivered = t.delivered + excluded.delivered, read = t.read + excluded.read,
          failed = t.failed + excluded.failed, refused = t.refused + excluded.refused,
          received = t.received + excluded.received
    ),
    errors as (
      insert into error_counts as t (organization_id, since, channel_id, error_code, failed, last_at)
      select organization_id, date_bin('30 minutes', at, 'epoch'), channel_id, error_code, sum(failed), max(at)
      from folded
      where error_code <> ''
      group by 1, 2, 3, 4
      order by 1, 2, 3, 4
      on conflict (organization_id, since, channel_id, error_code) do update
      set failed = t.failed + excluded.failed, last_at = greatest(t.last_at, excluded.last_at)
    ),
    activity as (
      insert into channel_activity as t (organization_id, channel_id, last_inbound_at, last_outbound_at)
      select organization_id, channel_id, max(at) filter (where received > 0), max(at) filter (where sent > 0)
      from folded
      where received > 0 or sent > 0
      group by 1, 2
      order by 1, 2
      on conflict (organization_id, channel_id) do update
      set last_inbound_at = greatest(t.last_inbound_at, excluded.last_inbound_at),
          last_outbound_at = greatest(t.last_outbound_at, excluded.last_outbound_at)
    )
    select count(*)::int as count from folded`
  return row?.count ?? 0
}

/** The same for the deltas of attempts. */
export async function foldAttemptDeltas(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with folded as (
      delete from attempt_count_deltas
      where ctid = any(array(select ctid from attempt_count_deltas limit ${limit} for update skip locked))
      returning organization_id, endpoint_id, at, succeeded, failed, ${selectHistogram(sql)}
    ),
    counted as (
      insert into attempt_counts as t (organization_id, endpoint_id, since, succeeded, failed, ${selectHistogram(sql)})
      select organization_id, endpoint_id, since, sum(succeeded), sum(failed), sum(ms_50), sum(ms_100), sum(ms_200),
        sum(ms_400), sum(ms_800), sum(ms_1600), sum(ms_3200), sum(ms_6400), sum(ms_more)
      from (
        select f.*, date_bin('30 minutes', at, 'epoch') as since from folded f
        union all
        select organization_id, ${ALL}::uuid, at, succeeded, failed, ${selectHistogram(sql)},
          date_bin('30 minutes', at, 'epoch')
        from folded
      ) c
      group by 1, 2, 3
      order by 1, 2, 3
      on conflict (organization_id, endpoint_id, since) do update
      set succeeded = t.succeeded + excluded.succeeded, failed = t.failed + excluded.failed,
          ms_50 = t.ms_50 + excluded.ms_50, ms_100 = t.ms_100 + excluded.ms_100, ms_200 = t.ms_200 + excluded.ms_200,
          ms_400 = t.ms_400 + excluded.ms_400, ms_800 = t.ms_800 + excluded.ms_800,
          ms_1600 = t.ms_1600 + excluded.ms_1600, ms_3200 = t.ms_3200 + excluded.ms_3200,
          ms_6400 = t.ms_6400 + excluded.ms_6400, ms_more = t.ms_more + excluded.ms_more
    )
    select count(*)::int as count from folded`
  return row?.count ?? 0
}

function selectHistogram(sql: Sql): Fragment {
  return sql`ms_50, ms_100, ms_200, ms_400, ms_800, ms_1600, ms_3200, ms_6400, ms_more`
}

export const COUNT_TABLES = ['message_counts', 'error_counts', 'attempt_counts'] as const
export type CountTable = (typeof COUNT_TABLES)[number]

/** Deletes up to `limit` rows of a table that are older than its retention, and returns how many. */
export async function deleteOld(sql: Sql, table: CountTable, d: { days: number; limit: number }): Promise<number> {
  const { count } = await sql`
    delete from ${sql(table)}
    where ctid = any(array(
      select ctid
      from ${sql(table)}
      where since < hub_now() - make_interval(days => ${d.days})
      limit ${d.limit}))`
  return count
}
