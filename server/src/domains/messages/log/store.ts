import type { Sql } from '../../../kernel/db/pool.ts'
import type { MessageRow } from '../message-entry.ts'

type Key = { organizationId: string; channelId: string }

export const messageColumns = (sql: Sql) => sql`
  id, channel_id, direction, type, status, sender, recipient, contact, upstream_message_id, content, context, error,
  pricing, statuses_seen, created_at, sent_at, delivered_at, read_at, failed_at`

export type LogFilter = Key & {
  before: string | null
  direction: 'outbound' | null
  status: string | null
  limit: number
}

/** A page of the log, newest first. Each filter has its own index in the order of the ids, so every page costs the same. */
export async function listMessages(sql: Sql, f: LogFilter): Promise<MessageRow[]> {
  return sql<MessageRow[]>`
    select ${messageColumns(sql)}
    from messages
    where organization_id = ${f.organizationId}
      and channel_id = ${f.channelId}
      ${f.before === null ? sql`` : sql`and id < ${f.before}`}
      ${f.direction === null ? sql`` : sql`and direction = 'outbound'`}
      ${f.status === null ? sql`` : sql`and status = ${f.status}`}
    order by id desc
    limit ${f.limit}`
}

export async function channelExists(sql: Sql, key: Key): Promise<boolean> {
  const rows = await sql`
    select 1
    from channels
    where organization_id = ${key.organizationId}
      and id = ${key.channelId}
      and archived_at is null`
  return rows.length === 1
}
