import type { Sql, Tx } from '../../kernel/db/pool.ts'

/** Returns false when the channel was deleted while its file was on the way. */
export async function insertMedia(
  sql: Sql,
  m: {
    organizationId: string
    channelId: string
    mediaId: string
    mimeType: string
    sizeBytes: number
    sha256: string
  },
): Promise<boolean> {
  const rows = await sql`
    insert into channel_media (organization_id, channel_id, media_id, mime_type, size_bytes, sha256)
    select c.organization_id, c.id, ${m.mediaId}, ${m.mimeType}, ${m.sizeBytes}::bigint, ${m.sha256}
    from channels c
    where c.organization_id = ${m.organizationId}
      and c.id = ${m.channelId}
      and c.archived_at is null
    on conflict (organization_id, channel_id, media_id) do update set media_id = excluded.media_id
    returning media_id`
  return rows.length === 1
}

export async function exists(
  sql: Sql,
  m: { organizationId: string; channelId: string; mediaId: string },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from channel_media
    where organization_id = ${m.organizationId}
      and channel_id = ${m.channelId}
      and media_id = ${m.mediaId}`
  return rows.length === 1
}

export type SeenMedia = {
  organizationId: string
  channelId: string
  mediaId: string
  mimeType: string | null
  sha256: string | null
}

/** In the order of the key, so that two batches do not wait for each other. */
export async function insertSeen(tx: Tx, seen: SeenMedia[]): Promise<void> {
  await tx`
    insert into channel_media (organization_id, channel_id, media_id, mime_type, sha256)
    select *
    from unnest(
      ${tx.array(seen.map((s) => s.organizationId))}::uuid[],
      ${tx.array(seen.map((s) => s.channelId))}::uuid[],
      ${tx.array(seen.map((s) => s.mediaId))}::text[],
      ${tx.array(seen.map((s) => s.mimeType))}::text[],
      ${tx.array(seen.map((s) => s.sha256))}::text[]
    ) as s (organization_id, channel_id, media_id, mime_type, sha256)
    order by 1, 2, 3
    on conflict (organization_id, channel_id, media_id) do nothing`
}
