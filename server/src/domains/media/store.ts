import type { Sql } from '../../kernel/db/pool.ts'

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
): Promise<void> {
  await sql`
    insert into channel_media (organization_id, channel_id, media_id, mime_type, size_bytes, sha256)
    values (${m.organizationId}, ${m.channelId}, ${m.mediaId}, ${m.mimeType}, ${m.sizeBytes}, ${m.sha256})
    on conflict (organization_id, channel_id, media_id) do nothing`
}
