import { type IdWindow, isInWindow } from '../../../kernel/db/id-windows.ts'
import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { unionAll } from '../../../kernel/db/union-all.ts'
import { fromLog } from '../log/store.ts'
import { type Direction, type MessageError, type MessageStatus, OUTBOUND_STATUSES } from '../status.ts'
import type { LogAccess, LogFilter } from './filter.ts'

export type ConsoleRow = {
  id: string
  channel_id: string
  direction: Direction
  type: string
  status: MessageStatus
  sender: string | null
  recipient: string | null
  contact: { name: string | null; user_id: string | null } | null
  error: MessageError | null
  upstream_message_id: string | null
  template_name: string | null
  template_language: string | null
  created_at: string
  updated_at: string
  /** Null unless it was requested. */
  content: string | null
}

type LogRange = { filter: LogFilter; access: LogAccess; window: IdWindow; before: string }

/** PostgreSQL refuses to read a member of JSON with such an escape in any of its strings. */
const UNREADABLE = '\\\\u(0000|[dD][89a-fA-F])'

const readMember = (sql: Sql, column: Fragment, value: Fragment) => sql`
  case when ${column}::text !~ ${sql.unsafe(`'${UNREADABLE}'`)} then ${value} end`

const templateName = (sql: Sql) => sql`
  case when type = 'template' then ${readMember(sql, sql`content`, sql`content ->> 'name'`)} end`

const consoleColumns = (sql: Sql, withContent: boolean) => sql`
  id, channel_id, direction, type, status, sender, recipient, contact, error, upstream_message_id,
  ${templateName(sql)} as template_name,
  case when type = 'template' then ${readMember(sql, sql`content`, sql`content -> 'language' ->> 'code'`)} end
    as template_language,
  created_at, greatest(created_at, sent_at, delivered_at, read_at, failed_at) as updated_at,
  ${withContent ? sql`content::text` : sql`null`} as content`

/** The columns that a page and its conditions read. */
const rangeColumns = (sql: Sql) => sql`
  id, channel_id, direction, type, status, sender, recipient, contact, contact_id, error, upstream_message_id, content,
  created_at, sent_at, delivered_at, read_at, failed_at`

/**
 * Messages of one window, newest first. Rows are compared and sorted by the columns of the chosen index, so that no other
 * index gives the order. Where conditions remain, at most `scanMax` rows of the index are looked through.
 */
export async function listMessages(
  sql: Sql,
  r: LogRange & { limit: number; scanMax: number; withContent: boolean },
): Promise<ConsoleRow[]> {
  return sql<ConsoleRow[]>`
    select ${consoleColumns(sql, r.withContent)}
    from (${selectRange(sql, rangeColumns(sql), { ...r, limit: r.access.isExact ? r.limit : r.scanMax })}) m
    where true ${r.access.isExact ? sql`` : buildConditions(sql, r.filter)}
    order by id desc
    limit ${r.limit}`
}

/**
 * The newest messages of contacts: `scanMax` rows of the index are looked through, as many of each contact. `horizon` is the
 * id down to which the rows are complete; null if they are all.
 */
export async function listMessagesOfContacts(
  sql: Sql,
  r: LogRange & { contactIds: readonly string[]; limit: number; scanMax: number; withContent: boolean },
): Promise<{ rows: ConsoleRow[]; horizon: string | null }> {
  const { filter, window } = r
  const share = r.access.isExact ? r.limit : Math.max(r.limit, Math.floor(r.scanMax / r.contactIds.length))
  const ofContact = fromLog(
    sql,
    (table) => sql`
      select ${rangeColumns(sql)}
      from ${table}
      where (organization_id, contact_id, id) >= (${filter.organizationId}, c.id, ${filter.fromId ?? window.from})
        and (organization_id, contact_id, id) < (${filter.organizationId}, c.id, ${r.before})
        and ${isInWindow(sql, window)}
      order by organization_id desc, contact_id desc, id desc
      limit ${share}`,
    { withSending: canBeSending(filter) },
  )
  const rows = await sql<(ConsoleRow & { horizon: string | null })[]>`
    with found as materialized (
      select m.*, row_number() over (partition by m.contact_id order by m.id desc) as place
      from unnest(${r.contactIds}::uuid[]) as c (id)
      cross join lateral (${merge(sql, ofContact, share)}) m
    ),
    horizon as (
      select (select id from found where place = ${share} order by id desc limit 1) as id
    )
    select ${consoleColumns(sql, r.withContent)}, h.horizon
    from (select id as horizon from horizon) h
    left join lateral (
      select *
      from found
      where (h.horizon is null or id >= h.horizon)
        ${buildConditions(sql, filter)}
      order by id desc
      limit ${r.limit}
    ) m on true
    order by id desc`
  return { rows: rows.filter(({ id }) => id !== null), horizon: rows[0]?.horizon ?? null }
}

/** The last row that a statement with `scanMax` looked at; undefined if the window has fewer rows. */
export async function findScanEnd(sql: Sql, r: LogRange & { scanMax: number }): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from (${selectRange(sql, sql`id`, { ...r, limit: r.scanMax })}) m
    order by id desc
    offset ${r.scanMax - 1}
    limit 1`
  return row?.id
}

/** Selects the given ids that exist and match, newest first. */
export async function findMessages(
  sql: Sql,
  f: { filter: LogFilter; contactIds: readonly string[] | null; ids: readonly string[]; withContent: boolean },
): Promise<ConsoleRow[]> {
  const { organizationId, channelId, fromId, untilId } = f.filter
  const matching = fromLog(
    sql,
    (table) => sql`
      select ${rangeColumns(sql)}
      from ${table}
      where organization_id = ${organizationId}
        and id = any(${f.ids}::uuid[])
        ${channelId === null ? sql`` : sql`and channel_id = ${channelId}`}
        ${fromId === null ? sql`` : sql`and id >= ${fromId}`}
        ${untilId === null ? sql`` : sql`and id < ${untilId}`}
        ${f.contactIds === null ? sql`` : sql`and contact_id = any(${f.contactIds}::uuid[])`}
        ${buildConditions(sql, f.filter)}`,
  )
  return sql<ConsoleRow[]>`
    select ${consoleColumns(sql, f.withContent)}
    from (${unionAll(sql, matching)}) m
    order by id desc`
}

/** The people of messages of one window. */
export async function listContactIds(
  sql: Sql,
  m: { organizationId: string; ids: readonly string[]; window: IdWindow },
): Promise<{ id: string; contact_id: string | null }[]> {
  const found = fromLog(
    sql,
    (table) => sql`
      select id, contact_id
      from ${table}
      where organization_id = ${m.organizationId}
        and id = any(${m.ids}::uuid[])
        and ${isInWindow(sql, m.window)}`,
  )
  return sql`${unionAll(sql, found)}`
}

/** The directory of upstream ids is by channel: one lookup for each channel of the organization. */
export async function findIdsByWamid(sql: Sql, organizationId: string, wamid: string): Promise<string[]> {
  const rows = await sql<{ message_id: string }[]>`
    select w.message_id
    from channels c
    cross join lateral (
      select message_id
      from message_wamids
      where organization_id = ${organizationId}
        and channel_id = c.id
        and wamid = ${wamid}
      limit 1
    ) w
    where c.organization_id = ${organizationId}`
  return rows.map(({ message_id }) => message_id)
}

export type DetailRow = ConsoleRow & {
  pricing: object | null
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
  has_content: boolean
}

type MessagePlace = { organizationId: string; id: string; window: IdWindow }

export async function findMessage(sql: Sql, place: MessagePlace): Promise<DetailRow | undefined> {
  const columns = sql`${consoleColumns(sql, true)}, pricing, sent_at, delivered_at, read_at, failed_at, content is not null as has_content`
  const [row] = await sql<DetailRow[]>`${selectOne(sql, columns, place)}`
  return row
}

export async function findContext(sql: Sql, place: MessagePlace): Promise<object | null> {
  const [row] = await sql<{ context: object | null }[]>`${selectOne(sql, sql`context`, place)}`
  return row?.context ?? null
}

function selectOne(sql: Sql, columns: Fragment, { organizationId, id, window }: MessagePlace): Fragment {
  const found = fromLog(
    sql,
    (table) => sql`
      select ${columns}
      from ${table}
      where organization_id = ${organizationId}
        and id = ${id}
        and ${isInWindow(sql, window)}`,
  )
  return unionAll(sql, found)
}

export async function findIdempotencyKey(
  sql: Sql,
  key: { organizationId: string; channelId: string; messageId: string },
): Promise<string | undefined> {
  const [row] = await sql<{ key: string }[]>`
    select key
    from message_keys
    where message_id = ${key.messageId}
      and organization_id = ${key.organizationId}
      and channel_id = ${key.channelId}`
  return row?.key
}

/**
 * The rows of an index from its end: the part and the columns of the access, and the ids of the filter and the window. Those
 * of several statuses, as the outbound messages are, are merged, and sends under way are merged with the messages.
 */
function selectRange(sql: Sql, selected: Fragment, r: LogRange & { limit: number }): Fragment {
  const statuses = r.access.part === 'outbound' ? OUTBOUND_STATUSES : (r.filter.statuses ?? [])
  if (r.access.part === 'outbound' || r.access.columns.includes('status')) {
    const ranges = statuses.flatMap((status) =>
      selectIndexRange(sql, selected, { ...r, status }, { withSending: status === 'sending' }),
    )
    return merge(sql, ranges, r.limit)
  }
  const withSending = canBeSending(r.filter) && r.access.part !== 'problems'
  return merge(sql, selectIndexRange(sql, selected, { ...r, status: null }, { withSending }), r.limit)
}

function merge(sql: Sql, ranges: Fragment[], limit: number): Fragment {
  return sql`
    select *
    from (${unionAll(sql, ranges)}) r
    order by id desc
    limit ${limit}`
}

function canBeSending({ direction, statuses }: LogFilter): boolean {
  return direction !== 'inbound' && (statuses === null || statuses.includes('sending'))
}

function selectIndexRange(
  sql: Sql,
  selected: Fragment,
  r: LogRange & { status: MessageStatus | null; limit: number },
  options: { withSending: boolean },
): Fragment[] {
  const { filter, access, status, window, before, limit } = r
  const given = [
    { column: sql`organization_id`, value: filter.organizationId },
    ...(access.columns.includes('channel_id') ? [{ column: sql`channel_id`, value: filter.channelId }] : []),
    ...(status === null ? [] : [{ column: sql`status`, value: status }]),
  ]
  const columns = given.map(({ column }) => sql`${column}, `)
  const values = given.map(({ value }) => sql`${value}, `)
  const order = given.map(({ column }) => sql`${column} desc, `)
  return fromLog(
    sql,
    (table) => sql`
      select ${selected}
      from ${table}
      where (${columns} id) >= (${values} ${filter.fromId ?? window.from})
        and (${columns} id) < (${values} ${before})
        and ${isInWindow(sql, window)}
        ${access.part === 'problems' ? sql`and (error is not null or status in ('failed', 'unknown'))` : sql``}
      order by ${order} id desc
      limit ${limit}`,
    options,
  )
}

function buildConditions(sql: Sql, f: LogFilter): Fragment[] {
  const code = readMember(sql, sql`error`, sql`error ->> 'code'`)
  return [
    f.direction === null ? sql`` : sql`and direction = ${f.direction}`,
    f.statuses === null ? sql`` : sql`and status = any(${f.statuses}::text[])`,
    f.type === null ? sql`` : sql`and type = ${f.type}`,
    f.template === null ? sql`` : sql`and ${templateName(sql)} = ${f.template}`,
    f.errorCode === null ? sql`` : sql`and ${code} = ${String(f.errorCode)}`,
  ]
}
