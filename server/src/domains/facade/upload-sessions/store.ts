import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** A session is found only with the channel token that opened it. */
export type SessionKey = { organizationId: string; channelId: string; credentialId: string; id: string }

export type UploadSession = { file_name: string; file_bytes: number }

/** Serializes the openings of a channel until the transaction ends, so that each counts what the previous one inserted. */
export async function lockOpenings(tx: Tx, channelId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`upload-sessions:${channelId}`}, 0))`
}

/**
 * The open sessions of a channel, and in how many seconds the first of them expires. A channel has one token at a time, so
 * those of another token have ended with it.
 */
export async function countOpen(tx: Tx, s: Omit<SessionKey, 'id'>): Promise<{ count: number; seconds: number }> {
  const [row] = await tx<{ count: number; seconds: number }[]>`
    select count(*)::int as count,
      coalesce(ceil(extract(epoch from min(expires_at) - hub_now())), 0)::int as seconds
    from upload_sessions
    where organization_id = ${s.organizationId}
      and channel_id = ${s.channelId}
      and credential_id = ${s.credentialId}
      and expires_at > hub_now()`
  return row ?? { count: 0, seconds: 0 }
}

export async function insertSession(
  tx: Tx,
  s: SessionKey & { fileName: string; fileBytes: number; lifeSeconds: number },
): Promise<void> {
  await tx`
    insert into upload_sessions (organization_id, channel_id, id, credential_id, file_name, file_bytes, expires_at)
    values (${s.organizationId}, ${s.channelId}, ${s.id}, ${s.credentialId}, ${s.fileName}, ${s.fileBytes}::bigint,
      hub_now() + make_interval(secs => ${s.lifeSeconds}))`
}

export async function findSession(sql: Sql, s: SessionKey): Promise<UploadSession | undefined> {
  const [row] = await sql<UploadSession[]>`
    select file_name, file_bytes::int as file_bytes
    from upload_sessions
    where organization_id = ${s.organizationId}
      and channel_id = ${s.channelId}
      and id = ${s.id}
      and credential_id = ${s.credentialId}
      and expires_at > hub_now()`
  return row
}

export async function deleteSession(sql: Sql, s: SessionKey): Promise<void> {
  await sql`
    delete from upload_sessions
    where organization_id = ${s.organizationId}
      and channel_id = ${s.channelId}
      and id = ${s.id}
      and credential_id = ${s.credentialId}`
}

/** Deletes up to `limit` expired sessions, and returns how many. */
export async function deleteExpired(sql: Sql, limit: number): Promise<number> {
  const result = await sql`
    delete from upload_sessions
    where ctid = any(array(
      select ctid
      from upload_sessions
      where expires_at <= hub_now()
      order by expires_at
      limit ${limit}))`
  return result.count
}
