import { type IdWindow, isInWindow } from '../../../kernel/db/id-windows.ts'
import type { Sql } from '../../../kernel/db/pool.ts'
import { type MessageRow, parseContent, type StoredMessage } from '../message-entry.ts'

type Key = { organizationId: string; channelId: string }

/** All but the content, which is read as text: the driver would round large numbers in it. */
export const messageColumns = (sql: Sql) => sql`
  id, channel_id, direction, type, status, sender, recipient, contact, upstream_message_id, context, error, pricing,
  statuses_seen, created_at, sent_at, delivered_at, read_at, failed_at`

export type LogFilter = Key & {
  window: IdWindow
  before: string | null
  direction: 'outbound' | null
  status: string | null
  limit: number
}

/** Messages of a page, newest first. Each filter has its own index in the order of the ids, so every page costs the same. */
export async function listMessages(sql: Sql, f: LogFilter): Promise<MessageRow[]> {
  const rows = await sql<StoredMessage<MessageRow>[]>`
    select ${messageColumns(sql)}, content::text
    from messages
    where organization_id = ${f.organizationId}
      and channel_id = ${f.channelId}
      and ${isInWindow(sql, f.window)}
      ${f.before === null ? sql`` : sql`and id < ${f.before}`}
      ${f.direction === null ? sql`` : sql`and direction = 'outbound'`}
      ${f.status === null ? sql`` : sql`and status = ${f.status}`}
    order by id desc
    limit ${f.limit}`
  return rows.map(parseContent)
}

export async function findChannel(sql: Sql, key: Key): Promise<{ created_at: string } | undefined> {
  const [row] = await sql<{ created_at: string }[]>`
    select created_at
    from channels
    where organization_id = ${key.organizationId}
      and id = ${key.channelId}
      and archived_at is null`
  return row
}
