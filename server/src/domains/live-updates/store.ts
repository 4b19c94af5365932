import type { Sql, Tx } from '../../kernel/db/pool.ts'

export type StreamKey = { organizationId: string; id: string }

/** Counts the streams of one session, and of all sessions of its person. */
export async function countStreams(
  tx: Tx,
  c: { sessionId: string; sessionIds: readonly string[] },
): Promise<{ session: number; person: number }> {
  const [row] = await tx<{ session: number; person: number }[]>`
    select count(*) filter (where session_id = ${c.sessionId})::int as session, count(*)::int as person
    from live_update_streams
    where session_id = any(${c.sessionIds}::uuid[])
      and expires_at > hub_now()`
  return row ?? { session: 0, person: 0 }
}

export async function insertStream(tx: Tx, s: StreamKey & { sessionId: string; leaseSeconds: number }): Promise<void> {
  await tx`
    insert into live_update_streams (organization_id, id, session_id, expires_at)
    values (${s.organizationId}, ${s.id}, ${s.sessionId}, hub_now() + make_interval(secs => ${s.leaseSeconds}))`
}

export async function renewStream(sql: Sql, s: StreamKey & { leaseSeconds: number }): Promise<void> {
  await sql`
    update live_update_streams
    set expires_at = hub_now() + make_interval(secs => ${s.leaseSeconds})
    where organization_id = ${s.organizationId}
      and id = ${s.id}`
}

export async function deleteStream(sql: Sql, key: StreamKey): Promise<void> {
  await sql`
    delete from live_update_streams
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
}

export async function deleteExpired(sql: Sql): Promise<void> {
  await sql`
    delete from live_update_streams
    where expires_at <= hub_now()`
}

/** The organizations of all open streams, in any process. */
export async function listWatched(sql: Sql): Promise<string[]> {
  const rows = await sql<{ organization_id: string }[]>`
    select distinct organization_id
    from live_update_streams
    where expires_at > hub_now()`
  return rows.map(({ organization_id }) => organization_id)
}

/** One statement, outside of any transaction of a change: each NOTIFY slows the commits that follow it. */
export async function notify(sql: Sql, channel: string, payloads: readonly string[]): Promise<void> {
  await sql`select pg_notify(${channel}, p) from unnest(${payloads}::text[]) p`
}
