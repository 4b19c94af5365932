import type { Fragment, Sql, Tx } from '../../kernel/db/pool.ts'
import { defineRecord, records } from '../../kernel/db/records.ts'
import { rows } from '../../kernel/db/rows.ts'
import { buildOpenChannels } from '../channels/service.ts'

/** Returns false if the channel was deleted during the upload. */
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
  const inserted = await sql`
    insert into channel_media (organization_id, channel_id, media_id, mime_type, size_bytes, sha256)
    select c.organization_id, c.id, ${m.mediaId}, ${m.mimeType}, ${m.sizeBytes}::bigint, ${m.sha256}
    from (${buildOpenChannels(sql)}) c
    where c.organization_id = ${m.organizationId}
      and c.id = ${m.channelId}
    on conflict (organization_id, channel_id, media_id) do update set media_id = excluded.media_id
    returning media_id`
  return inserted.length === 1
}

export async function exists(
  sql: Sql,
  m: { organizationId: string; channelId: string; mediaId: string },
): Promise<boolean> {
  const found = await sql`
    select 1
    from channel_media
    where organization_id = ${m.organizationId}
      and channel_id = ${m.channelId}
      and media_id = ${m.mediaId}`
  return found.length === 1
}

export type ReceivedMedia = {
  organizationId: string
  channelId: string
  mediaId: string
  mimeType: string | null
  sha256: string | null
}

const RECEIVED_COLUMNS = {
  organizationId: 'uuid',
  channelId: 'uuid',
  mediaId: 'text',
  mimeType: 'text',
  sha256: 'text',
} as const

const RECEIVED_MEDIA = defineRecord<ReceivedMedia & { callback: number }>('received_media_1', {
  callback: 'int',
  ...RECEIVED_COLUMNS,
})

/** An argument of a function that takes callbacks: the files of each. */
export function buildReceivedMedia(sql: Sql, media: readonly (ReceivedMedia & { callback: number })[]): Fragment {
  return records(sql, RECEIVED_MEDIA, media)
}

/** Ordered by the key, so that two concurrent batches do not deadlock. */
export async function insertReceived(tx: Tx, media: ReceivedMedia[]): Promise<void> {
  const values = rows(tx, media, RECEIVED_COLUMNS)
  await tx`
    insert into channel_media (organization_id, channel_id, media_id, mime_type, sha256)
    select m.organization_id, m.channel_id, m.media_id, m.mime_type, m.sha256
    from ${values} as m
    order by m.organization_id, m.channel_id, m.media_id
    on conflict (organization_id, channel_id, media_id) do nothing`
}

/** Deletes up to `limit` ids of that age, and returns how many. */
export async function deleteMedia(sql: Sql, d: { olderDays: number; limit: number }): Promise<number> {
  const result = await sql`
    delete from channel_media
    where ctid = any(array(
      select ctid
      from channel_media
      where created_at < hub_now() - make_interval(days => ${d.olderDays})
      order by created_at
      limit ${d.limit}))`
  return result.count
}

export async function deleteIds(
  tx: Tx,
  organizationId: string,
  media: readonly { channelId: string; mediaId: string }[],
): Promise<void> {
  await tx`
    delete from channel_media m
    using ${rows(tx, media, { channelId: 'uuid', mediaId: 'text' })} as r
    where m.organization_id = ${organizationId}
      and m.channel_id = r.channel_id
      and m.media_id = r.media_id`
}
