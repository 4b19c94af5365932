import { type IdWindow, listIdWindows } from '../../../kernel/db/id-windows.ts'
import type { Sql } from '../../../kernel/db/pool.ts'
import { readIdTime } from '../../../kernel/ids.ts'
import { chooseAccess, type LogAccess, type LogFilter } from './filter.ts'
import * as store from './store.ts'

/** The number of messages that one statement looks through for those that match. */
export const SCAN_MAX = 5000

type LogBatch = {
  rows: store.ConsoleRow[]
  /** The position at which the next batch continues; null at the end of the log. */
  next: string | null
}

type BatchRequest = {
  filter: LogFilter
  /** Whom the filter names; null if it names no person. */
  contactIds: readonly string[] | null
  before: string | null
  limit: number
  withContent?: boolean
  now: Date
  retentionDays: number
  /** Tests lower it. */
  scanMax?: number
}

/**
 * Reads the log with two statements at most, so a batch may be short although more follows: where few messages match, the
 * next one continues after those that were looked through.
 */
export async function readBatch(sql: Sql, request: BatchRequest): Promise<LogBatch> {
  const { filter, limit, withContent = false, scanMax = SCAN_MAX } = request
  const access = chooseAccess(filter)
  const [window, following] = listWindows(request)
  if (!window) return { rows: [], next: null }
  const range = { filter, access, window, before: findEarlier(request.before, filter.untilId) ?? window.before }
  if (request.contactIds !== null) return readOfContacts(sql, request.contactIds, { ...request, ...range })
  const rows = await store.listMessages(sql, { ...range, limit: limit + 1, scanMax, withContent })
  if (rows.length > limit) return toFullBatch(rows, limit)
  if (!access.isExact) {
    const end = await store.findScanEnd(sql, { ...range, scanMax })
    return { rows, next: end ?? (following ? window.from : null) }
  }
  if (!following) return { rows, next: null }
  const rest = { ...range, window: following, before: following.before, limit: limit + 1 - rows.length }
  const all = [...rows, ...(await store.listMessages(sql, { ...rest, scanMax, withContent }))]
  return all.length > limit ? toFullBatch(all, limit) : { rows: all, next: hasMore(request) ? following.from : null }
}

/** Reads the newest messages of each contact, which by themselves are in the order of the index. */
async function readOfContacts(
  sql: Sql,
  contactIds: readonly string[],
  request: BatchRequest & { access: LogAccess; window: IdWindow; before: string },
): Promise<LogBatch> {
  const { limit, window, withContent = false, scanMax = SCAN_MAX } = request
  if (contactIds.length === 0) return { rows: [], next: null }
  const range = { ...request, contactIds, limit: limit + 1, scanMax, withContent }
  const { rows, horizon } = await store.listMessagesOfContacts(sql, range)
  if (rows.length > limit) return toFullBatch(rows, limit)
  if (horizon !== null) return { rows, next: horizon }
  const [, following] = listWindows(request)
  if (!following) return { rows, next: null }
  if (!request.access.isExact) return { rows, next: window.from }
  const rest = { ...range, window: following, before: following.before, limit: limit + 1 - rows.length }
  const more = await store.listMessagesOfContacts(sql, rest)
  const all = [...rows, ...more.rows]
  return all.length > limit ? toFullBatch(all, limit) : { rows: all, next: hasMore(request) ? following.from : null }
}

/** True if the log has a third window. */
function hasMore(request: BatchRequest): boolean {
  return listWindows(request).length > 2
}

function toFullBatch(rows: store.ConsoleRow[], limit: number): LogBatch {
  const page = rows.slice(0, limit)
  return { rows: page, next: page.at(-1)?.id ?? null }
}

/** The log of an organization begins with it, and its id has the time. */
function listWindows({ filter, before, now, retentionDays }: BatchRequest): IdWindow[] {
  const beforeId = findEarlier(before, filter.untilId)
  const createdAt = new Date(readIdTime(filter.organizationId))
  const windows = listIdWindows({ now, beforeId, createdAt, retentionDays })
  return windows.filter(({ from, before: end }) => {
    return (filter.fromId === null || end > filter.fromId) && (beforeId === null || from < beforeId)
  })
}

function findEarlier(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b < a) ? b : a
}
