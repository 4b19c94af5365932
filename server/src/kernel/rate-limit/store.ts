import type { Fragment, Sql } from '../db/pool.ts'
import type { Limit, Usage } from './limit.ts'

/**
 * Builds the statement that counts `times` requests for each `subject` row of
 * `subjects`, in a window that starts with the first request. It is a part of a
 * larger statement. The row lock serializes concurrent requests, so the count is
 * exact. The order of the subjects prevents deadlocks. The count stops at one past
 * the limit, or the highest of a channel, so a client that does not stop cannot overflow it.
 */
export function buildRequestCount(sql: Sql, limit: Limit, subjects: Fragment): Fragment {
  const countedMax = limit.channelRateMax ?? limit.requests
  return sql`
    insert into rate_limits as r (bucket, subject, used, window_ends_at)
    select ${limit.bucket}, s.subject, s.times, hub_now() + make_interval(secs => ${limit.windowSeconds})
    from (${subjects}) s
    order by s.subject
    on conflict (bucket, subject) do update
    set used = excluded.used + case when r.window_ends_at <= hub_now() then 0 else least(r.used, ${countedMax}) end,
        window_ends_at = case when r.window_ends_at <= hub_now() then excluded.window_ends_at else r.window_ends_at end
    returning subject, used, ceil(extract(epoch from window_ends_at - hub_now()))::int as reset_seconds`
}

export async function countRequest(sql: Sql, limit: Limit, subject: string): Promise<Usage> {
  const [row] = await sql<Usage[]>`
    with counted as (${buildRequestCount(sql, limit, sql`select ${subject}::text as subject, 1 as times`)})
    select used, reset_seconds
    from counted`
  if (!row) throw new Error('An upsert returned no row')
  return row
}

/** Counts one request of each subject. */
export async function countRequests(
  sql: Sql,
  limit: Limit,
  subjects: readonly string[],
): Promise<(Usage & { subject: string })[]> {
  return sql<(Usage & { subject: string })[]>`
    with counted as (${buildRequestCount(sql, limit, sql`select subject, 1 as times from unnest(${subjects}::text[]) as s (subject)`)})
    select subject, used, reset_seconds
    from counted`
}

/** The current window of a subject, if it has one. Writes nothing. */
export async function findWindow(
  sql: Sql,
  limit: Limit,
  subject: string,
): Promise<{ used: number; window_ends_at: string } | undefined> {
  const [row] = await sql<{ used: number; window_ends_at: string }[]>`
    select used, window_ends_at
    from rate_limits
    where bucket = ${limit.bucket}
      and subject = ${subject}
      and window_ends_at > hub_now()`
  return row
}

/** The current window of a subject if a further request is over the limit. Writes nothing. */
export async function findExhaustedWindow(sql: Sql, limit: Limit, subject: string): Promise<Usage | undefined> {
  const [row] = await sql<Usage[]>`
    select used + 1 as used, ceil(extract(epoch from window_ends_at - hub_now()))::int as reset_seconds
    from rate_limits
    where bucket = ${limit.bucket}
      and subject = ${subject}
      and used >= ${limit.requests}
      and window_ends_at > hub_now()`
  return row
}

/** Resets the count, for limits that a success clears. */
export async function deleteWindow(sql: Sql, limit: Limit, subject: string): Promise<void> {
  await sql`
    delete from rate_limits
    where bucket = ${limit.bucket}
      and subject = ${subject}`
}

/** Skips windows whose row is locked: a request is starting them again. */
export async function deleteExpiredWindows(sql: Sql): Promise<void> {
  await sql`
    delete from rate_limits
    where ctid = any(array(
      select ctid
      from rate_limits
      where window_ends_at < hub_now() - interval '1 minute'
      for update skip locked))`
}
