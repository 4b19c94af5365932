import type { Sql } from '../../kernel/db/pool.ts'

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
