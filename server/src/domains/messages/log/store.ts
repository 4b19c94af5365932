import { type IdWindow, isInWindow } from '../../../kernel/db/id-windows.ts'
import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { unionAll } from '../../../kernel/db/union-all.ts'
import { buildOpenChannels } from '../../channels/service.ts'
import { type MessageRow, parseContent, type StoredMessage } from '../message-entry.ts'
import { OUTBOUND_STATUSES } from '../status.ts'

type Key = { organizationId: string; channelId: string }

/** All but the content, which is read as text: the driver would round large numbers in it. */
export const messageColumns = (sql: Sql) => sql`
  id, channel_id, direction, type, status, sender, recipient, contact, contact_id, upstream_message_id, context, error,
  pricing, statuses_seen, created_at, sent_at, delivered_at, read_at, failed_at`

/** The members of an unsettled send that the log needs. */
export const underWayColumns = (sql: Sql) =>
  sql`organization_id, channel_id, message_id, type, sender, recipient, contact, contact_id, content, context, created_at`

/**
 * Part of a statement: the sends that are under way and that the log does not have yet, with the columns of `messages`. What
 * reads the log reads them too, in the same statement: a send is in one of the two.
 */
export const buildSendsUnderWay = (sql: Sql): Fragment => sql`
  select organization_id, channel_id, message_id as id, 'outbound'::text as direction, type, 'sending'::text as status, sender,
    recipient, contact, contact_id, null::text as upstream_message_id, content, context, null::json as error,
    null::json as pricing, 0::smallint as statuses_seen, created_at, null::timestamptz as sent_at,
    null::timestamptz as delivered_at, null::timestamptz as read_at, null::timestamptz as failed_at
  from unsettled_sends
  where sending_until is not null
    and type is not null`

/** Part of a statement: writes sends under way to the log. */
export function buildLogOfUnderWay(
  sql: Sql,
  { from, status }: { from: Fragment; status: 'sending' | 'unknown' },
): Fragment {
  return sql`
    insert into messages
      (organization_id, channel_id, id, direction, type, status, sender, recipient, contact, contact_id, content, context,
        created_at)
    select organization_id, channel_id, message_id, 'outbound', type, ${status}, sender, recipient, contact, contact_id, content,
      context, created_at
    from ${from}
    where type is not null`
}

/** Rows of the log: of `messages` and, if `select` may find one of those, of sends under way. */
export function fromLog(sql: Sql, select: (table: Fragment) => Fragment, { withSending = true } = {}): Fragment[] {
  return [select(sql`messages`), ...(withSending ? [select(sql`(${buildSendsUnderWay(sql)}) as messages`)] : [])]
}

export type LogFilter = {
  organizationId: string
  /** Null for all channels. */
  channelId: string | null
  window: IdWindow
  before: string | null
  direction: 'outbound' | null
  status: string | null
  limit: number
  /** Limits the contents: the page ends before a row that exceeds it, unless it is the first. */
  bytesMax: number
}

/** `bytes` is the size of the contents, and `isCut` tells that the page ended because of it. */
type LogPage = { messages: MessageRow[]; bytes: number; isCut: boolean }

/**
 * Messages of a page, newest first. Each filter reads an index in the order of the ids, so every page costs the same. The
 * outbound ones are merged from those of their statuses.
 */
export async function listMessages(sql: Sql, f: LogFilter): Promise<LogPage> {
  const selectNewest = (status: string | null) => (table: Fragment) =>
    sql`
    select ${messageColumns(sql)}, content::text
    from ${table}
    where organization_id = ${f.organizationId}
      ${f.channelId === null ? sql`` : sql`and channel_id = ${f.channelId}`}
      and ${isInWindow(sql, f.window)}
      ${f.before === null ? sql`` : sql`and id < ${f.before}`}
      ${status === null ? sql`` : sql`and status = ${status}`}
    order by id desc
    limit ${f.limit}`
  const statuses = f.direction === 'outbound' ? OUTBOUND_STATUSES : [f.status]
  const ranges = statuses.flatMap((status) => {
    return fromLog(sql, selectNewest(status), { withSending: status === null || status === 'sending' })
  })
  const rows = await sql<(StoredMessage<MessageRow> & { bytes: number; found: number })[]>`
    select *
    from (
      select *, row_number() over (order by id desc) as place, count(*) over ()::int as found,
        (sum(coalesce(octet_length(content), 0)) over (order by id desc))::int as bytes
      from (
        select *
        from (${unionAll(sql, ranges)}) r
        order by id desc
        limit ${f.limit}
      ) m
    ) p
    where place = 1
      or bytes <= ${f.bytesMax}
    order by id desc`
  const last = rows.at(-1)
  return {
    messages: rows.map(parseContent),
    bytes: last?.bytes ?? 0,
    isCut: last !== undefined && rows.length < last.found,
  }
}

/** Messages of a channel by their ids, newest first. Each is looked up by its key, as callbacks do it. */
export async function listByIds(
  sql: Sql,
  { organizationId, channelId, ids }: Key & { ids: readonly string[] },
): Promise<MessageRow[]> {
  const found = await sql<StoredMessage<MessageRow>[]>`
    select m.*
    from unnest(${ids}::uuid[]) as k (id)
    cross join lateral (
      ${unionAll(
        sql,
        fromLog(sql, (table) => {
          return sql`
            select ${messageColumns(sql)}, content::text
            from ${table}
            where organization_id = ${organizationId}
              and channel_id = ${channelId}
              and id = k.id
            limit 1`
        }),
      )}
    ) m
    order by m.id desc`
  return found.map(parseContent)
}

/** The message that has the upstream's id or the Idempotency-Key in a channel, if both are given the one that has both. */
export async function findId(
  sql: Sql,
  { organizationId, channelId, wamid, key }: Key & { wamid: string | null; key: string | null },
): Promise<string | undefined> {
  const byWamid = sql`
    select message_id
    from message_wamids
    where organization_id = ${organizationId}
      and channel_id = ${channelId}
      and wamid = ${wamid}`
  const byKey = sql`
    select message_id
    from message_keys
    where organization_id = ${organizationId}
      and channel_id = ${channelId}
      and key = ${key}`
  const [row] = await sql<{ message_id: string }[]>`
    ${wamid === null ? byKey : key === null ? byWamid : sql`${byWamid} intersect ${byKey}`}`
  return row?.message_id
}

export async function findChannel(sql: Sql, key: Key): Promise<{ created_at: string } | undefined> {
  const [row] = await sql<{ created_at: string }[]>`
    select created_at
    from (${buildOpenChannels(sql)}) c
    where organization_id = ${key.organizationId}
      and id = ${key.channelId}`
  return row
}
