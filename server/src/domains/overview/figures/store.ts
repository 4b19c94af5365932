import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { buildOpenChannels } from '../../channels/service.ts'
import type { LATENCY_COLUMNS } from '../../statistics/counts/latency-bounds.ts'
import type { MessageCounter } from '../../statistics/counts/message-count.ts'
import { ALL } from '../../statistics/counts/service.ts'

/** `since` is the beginning of bucket 0. Counts from `from` on are read, and those before `since` have negative buckets. */
type BucketQuery = { organizationId: string; from: Date; since: Date; bucketSeconds: number }

type Bucketed = { bucket: number }

const selectBucket = (sql: Sql, { since, bucketSeconds }: BucketQuery) =>
  sql`floor(extract(epoch from c.at - ${since}::timestamptz) / ${bucketSeconds}::int)::int`

/** Counts and the deltas that are not folded yet: in every snapshot each delta is in exactly one of the two tables. */
export async function listMessageCounts(
  sql: Sql,
  q: BucketQuery & { channelId: string | null },
): Promise<(Bucketed & Record<MessageCounter, number>)[]> {
  return sql<(Bucketed & Record<MessageCounter, number>)[]>`
    select ${selectBucket(sql, q)} as bucket, ${sumMessages(sql)}
    from (${selectMessages(sql, q)}) c
    group by 1`
}

function selectMessages(
  sql: Sql,
  q: Pick<BucketQuery, 'organizationId' | 'from'> & { channelId: string | null },
): Fragment {
  return sql`
    select since as at, sent, delivered, read, failed, refused, received
    from message_counts
    where organization_id = ${q.organizationId}
      and channel_id = coalesce(${q.channelId}::uuid, ${ALL}::uuid)
      and since >= ${q.from}
    union all
    select at, sent, delivered, read, failed, refused, received
    from message_count_deltas
    where organization_id = ${q.organizationId}
      and (${q.channelId}::uuid is null or channel_id = ${q.channelId})
      and at >= ${q.from}`
}

function sumMessages(sql: Sql): Fragment {
  return sql`
    sum(sent)::float8 as sent, sum(delivered)::float8 as delivered, sum(read)::float8 as read,
    sum(failed)::float8 as failed, sum(refused)::float8 as refused, sum(received)::float8 as received`
}

/** Counts by the position of their day, from 1 on. A count is that of a half hour, and belongs to the day in which it begins. */
export async function listDailyCounts(
  sql: Sql,
  q: { organizationId: string; dayStarts: readonly Date[] },
): Promise<({ day: number } & Record<MessageCounter, number>)[]> {
  const [first] = q.dayStarts
  if (!first) return []
  return sql<({ day: number } & Record<MessageCounter, number>)[]>`
    select width_bucket(at, ${q.dayStarts.map((start) => start.toISOString())}::timestamptz[]) as day,
      ${sumMessages(sql)}
    from (${selectMessages(sql, { organizationId: q.organizationId, channelId: null, from: first })}) c
    group by 1`
}

export type ErrorRow = Bucketed & {
  error_code: string
  channel_id: string
  channel_name: string | null
  failed: number
  last_at: string
}

export async function listErrorCounts(sql: Sql, q: BucketQuery & { channelId: string | null }): Promise<ErrorRow[]> {
  return sql<ErrorRow[]>`
    select c.*, n.name as channel_name
    from (
      select error_code, channel_id, ${selectBucket(sql, q)} as bucket, sum(failed)::float8 as failed,
        max(last_at) as last_at
      from (
        select error_code, channel_id, since as at, failed, last_at
        from error_counts
        where organization_id = ${q.organizationId}
          and since >= ${q.from}
        union all
        select error_code, channel_id, at, failed, at
        from message_count_deltas
        where organization_id = ${q.organizationId}
          and error_code <> ''
          and at >= ${q.from}
      ) c
      where ${q.channelId}::uuid is null
        or channel_id = ${q.channelId}
      group by 1, 2, 3
    ) c
    left join lateral (
      select name
      from channels
      where organization_id = ${q.organizationId}
        and id = c.channel_id
    ) n on true`
}

export type AttemptRow = Bucketed & { succeeded: number; failed: number } & Record<
    (typeof LATENCY_COLUMNS)[number],
    number
  >

/** The attempts of all endpoints together. */
export async function listAttemptCounts(sql: Sql, q: BucketQuery): Promise<AttemptRow[]> {
  return sql<AttemptRow[]>`
    select ${selectBucket(sql, q)} as bucket, ${sumAttempts(sql)}
    from (
      select since as at, ${selectAttempts(sql)}
      from attempt_counts
      where organization_id = ${q.organizationId}
        and endpoint_id = ${ALL}
        and since >= ${q.from}
      union all
      select at, ${selectAttempts(sql)}
      from attempt_count_deltas
      where organization_id = ${q.organizationId}
        and at >= ${q.from}
    ) c
    group by 1`
}

/** The attempts of each endpoint that exists. `offset 0` keeps the planner from reading the counts of all organizations by time. */
export async function listEndpointCounts(sql: Sql, q: BucketQuery): Promise<(AttemptRow & { endpoint_id: string })[]> {
  return sql<(AttemptRow & { endpoint_id: string })[]>`
    select c.endpoint_id, ${selectBucket(sql, q)} as bucket, ${sumAttempts(sql)}
    from (
      select n.*
      from webhook_endpoints e
      cross join lateral (
        select endpoint_id, since as at, ${selectAttempts(sql)}
        from attempt_counts
        where organization_id = e.organization_id
          and endpoint_id = e.id
          and since >= ${q.from}
        offset 0
      ) n
      where e.organization_id = ${q.organizationId}
      union all
      select d.endpoint_id, d.at, ${selectAttempts(sql)}
      from attempt_count_deltas d
      join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id
      where d.organization_id = ${q.organizationId}
        and d.at >= ${q.from}
    ) c
    group by 1, 2`
}

function selectAttempts(sql: Sql): Fragment {
  return sql`succeeded, failed, ms_50, ms_100, ms_200, ms_400, ms_800, ms_1600, ms_3200, ms_6400, ms_more`
}

function sumAttempts(sql: Sql): Fragment {
  return sql`
    sum(succeeded)::float8 as succeeded, sum(failed)::float8 as failed, sum(ms_50)::float8 as ms_50,
    sum(ms_100)::float8 as ms_100, sum(ms_200)::float8 as ms_200, sum(ms_400)::float8 as ms_400,
    sum(ms_800)::float8 as ms_800, sum(ms_1600)::float8 as ms_1600, sum(ms_3200)::float8 as ms_3200,
    sum(ms_6400)::float8 as ms_6400, sum(ms_more)::float8 as ms_more`
}

/**
 * Counts the queued deliveries of an organization up to `limit`, and returns for how long the one that is overdue longest has
 * waited. The recursion skips along the index, and reads one row for each endpoint.
 */
export async function measureQueue(
  sql: Sql,
  q: { organizationId: string; limit: number },
): Promise<{ queued: number; oldest_seconds: number }> {
  const [row] = await sql<{ queued: number; oldest_seconds: number }[]>`
    with recursive first_rows as (
      (select endpoint_id, claim_order_at, due_at
       from delivery_queue
       where organization_id = ${q.organizationId}
         and claim is null
       order by endpoint_id, claim_order_at
       limit 1)
      union all
      select n.endpoint_id, n.claim_order_at, n.due_at
      from first_rows f
      cross join lateral (
        select q.endpoint_id, q.claim_order_at, q.due_at
        from delivery_queue q
        where q.organization_id = ${q.organizationId}
          and q.endpoint_id > f.endpoint_id
          and q.claim is null
        order by q.endpoint_id, q.claim_order_at
        limit 1
      ) n
    )
    select (
        select count(*)::int
        from (select 1 from delivery_queue where organization_id = ${q.organizationId} limit ${q.limit}) q
      ) as queued,
      floor(coalesce(extract(epoch from hub_now() - min(f.due_at)), 0))::int as oldest_seconds
    from first_rows f
    join webhook_endpoints e on e.organization_id = ${q.organizationId} and e.id = f.endpoint_id and e.status = 'active'
    where f.claim_order_at <= hub_now()`
  return row ?? { queued: 0, oldest_seconds: 0 }
}

export async function channelExists(sql: Sql, key: { organizationId: string; id: string }): Promise<boolean> {
  const rows = await sql`
    select 1
    from (${buildOpenChannels(sql)}) c
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
  return rows.length === 1
}
