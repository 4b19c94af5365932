import type { PendingQuery, Row } from 'postgres'
import type { Sql } from '../db/pool.ts'
import type { Limit, Usage } from './limit.ts'

/**
 * The statement that counts a request for each `subject` row of `subjects`,
 * against a window that opens with its first request. The row's lock puts
 * concurrent requests, of any process, one after another, so the count is
 * exact. It stops at one past the limit, so that a client that insists cannot
 * overflow it. Made to be one part of a larger statement.
 */
export function counting(sql: Sql, limit: Limit, subjects: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`
    insert into rate_limits as r (bucket, subject, used, window_ends_at)
    select ${limit.bucket}, s.subject, 1, hub_now() + make_interval(secs => ${limit.windowSeconds})
    from (${subjects}) s
    on conflict (bucket, subject) do update
    set used = case when r.window_ends_at <= hub_now() then 1 else least(r.used + 1, ${limit.requests}::int + 1) end,
        window_ends_at = case when r.window_ends_at <= hub_now() then excluded.window_ends_at else r.window_ends_at end
    returning used, ceil(extract(epoch from window_ends_at - hub_now()))::int as reset_seconds`
}

export async function countRequest(sql: Sql, limit: Limit, subject: string): Promise<Usage> {
  const [row] = await sql<Usage[]>`${counting(sql, limit, sql`select ${subject}::text as subject`)}`
  if (!row) throw new Error('An upsert returned no row')
  return row
}

/** Forgets what was counted, for limits that a success makes good. */
export async function deleteWindow(sql: Sql, limit: Limit, subject: string): Promise<void> {
  await sql`
    delete from rate_limits
    where bucket = ${limit.bucket}
      and subject = ${subject}`
}

export async function deleteExpiredWindows(sql: Sql): Promise<void> {
  await sql`
    delete from rate_limits
    where window_ends_at < hub_now() - interval '1 minute'`
}
