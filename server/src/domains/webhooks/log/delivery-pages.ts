import type { Clock } from '../../../kernel/clock.ts'
import type { Cursors } from '../../../kernel/crypto/cursor.ts'
import { type IdWindow, listIdWindows } from '../../../kernel/db/id-windows.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import { toFirstId } from '../../../kernel/ids.ts'
import { refuseReversedPeriod } from '../../../kernel/time/period.ts'
import { createTurns } from '../../../kernel/turns.ts'
import type { EndpointKey } from '../wake-ups.ts'
import { readPerson } from './event-person.ts'
import { parseHttpFilter } from './http-filter.ts'
import * as pages from './page-store.ts'
import type { ConsoleDelivery, ConsoleDeliveryQuery } from './schemas.ts'
import * as store from './store.ts'

/** The deliveries that one statement looks through for those that match: no index is kept for a filter. */
const SCAN_MAX = 2000
/** The same where the event of each is looked up. */
const SCAN_OF_CHANNEL_MAX = 500
const SEARCHES = { runningMax: 2, waitMs: 2000 }
const BODY_BYTES_MAX = 32 * 1024
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

type Dependencies = { sql: Pool; now: Clock; cursors: Cursors; retentionDays: number; payloadDays: number }

type Request = EndpointKey & {
  filter: pages.PageFilter
  channelId: string | null
  fromId: string | null
  /** The ids before this one. */
  before: string
  limit: number
  createdAt: Date
}

type Batch = {
  rows: (pages.FoundDelivery & { subject: pages.EventSubject | undefined })[]
  next: string | null
}

export type DeliveryPages = ReturnType<typeof createDeliveryPages>

/** All deliveries that are kept of an endpoint, newest first, page by page. */
export function createDeliveryPages({ sql, now, cursors, retentionDays, payloadDays }: Dependencies) {
  const searches = createTurns(SEARCHES)

  /**
   * Reads the queue and at most two windows of the log, in this order: a delivery that ends in between is in both, and never in
   * neither. A batch may be short although more follows.
   */
  async function readBatch(request: Request): Promise<Batch> {
    const { filter, channelId, limit, fromId } = request
    const isExact = channelId === null && Object.values(filter).every((value) => value === null)
    const scanMax = isExact ? limit + 1 : channelId === null ? SCAN_MAX : SCAN_OF_CHANNEL_MAX
    const range = { ...request, fromId: fromId ?? FIRST_ID, scanMax, limit: channelId === null ? limit + 1 : scanMax }
    const [window, following, ...others] = listWindows(request)
    const queued = await pages.listQueuedPage(sql, range)
    const parts = [queued]
    if (window) parts.push(await pages.listFinalPage(sql, { ...range, window }))
    const found = parts.reduce((sum, { rows }) => sum + rows.length, 0)
    const isNextRead = following !== undefined && found <= limit && parts.every(({ end }) => end === null)
    if (isNextRead) parts.push(await pages.listFinalPage(sql, { ...range, window: following }))
    const unread = isNextRead ? (others.length > 0 ? following.from : null) : following && window ? window.from : null

    // Before the last row that was looked at in one part, another part has rows that were not.
    const horizon = [...parts.map(({ end }) => end), unread].reduce(findLater, null)
    const byId = new Map(parts.flatMap(({ rows }) => rows).map((row) => [row.id, row]))
    const complete = [...byId.values()].filter(({ id }) => horizon === null || id >= horizon)
    const subjects = await listSubjects(
      request.organizationId,
      complete.map(({ event_id }) => event_id),
    )
    const rows = complete
      .map((row) => ({ ...row, subject: subjects.get(row.event_id) }))
      .filter(({ subject }) => channelId === null || subject?.channel_id === channelId)
      .sort((a, b) => (a.id < b.id ? 1 : -1))
    return rows.length > limit
      ? { rows: rows.slice(0, limit), next: rows[limit - 1]?.id ?? null }
      : { rows, next: horizon }
  }

  /** Events are looked up in the windows of their time, which for a replay is long before that of its delivery. */
  async function listSubjects(
    organizationId: string,
    eventIds: readonly string[],
  ): Promise<Map<string, pages.EventSubject>> {
    const ids = [...new Set(eventIds)]
    const createdAt = new Date(0)
    const windows = ids.flatMap((id) => {
      const [window] = listIdWindows({ now: now(), beforeId: id, createdAt, retentionDays: payloadDays })
      return window ?? []
    })
    const different = [...new Map(windows.map((window) => [window.from, window])).values()]
    const found = different.map((window) =>
      pages.listEvents(sql, { organizationId, ids, window, bodyBytesMax: BODY_BYTES_MAX }),
    )
    return new Map((await Promise.all(found)).flat().map((subject) => [subject.id, subject]))
  }

  function listWindows({ before, fromId, createdAt }: Request): IdWindow[] {
    const beforeId = before === LAST_ID ? null : before
    const windows = listIdWindows({ now: now(), beforeId, createdAt, retentionDays })
    return windows.filter((window) => (fromId === null || window.before > fromId) && window.from < before)
  }

  return {
    /** Each cursor belongs to its filters. A page may be short, or empty, and have a cursor all the same. */
    async page(
      organizationId: string,
      endpointId: string,
      query: ConsoleDeliveryQuery,
    ): Promise<{ deliveries: ConsoleDelivery[]; next_cursor: string | null }> {
      const key = { organizationId, endpointId: endpointId.toLowerCase() }
      refuseReversedPeriod(query)
      const { limit, cursor, status = null, event = null, http_status, channel_id, since, until } = query
      const http = http_status === undefined ? null : parseHttpFilter(http_status)
      const endpoint = await store.findEndpoint(sql, key)
      if (!endpoint) throw notFound('webhook_not_found')
      const filter = { status, event, http }
      const channelId = channel_id?.toLowerCase() ?? null
      const scope = ['console-deliveries', key, filter, channelId, since ?? null, until ?? null]
      const untilId = until === undefined ? LAST_ID : toFirstId(new Date(until))
      const request = {
        ...key,
        filter,
        channelId,
        fromId: since === undefined ? null : toFirstId(new Date(since)),
        before: cursor === undefined ? untilId : cursors.decode(cursor, scope),
        limit,
        createdAt: new Date(endpoint.created_at),
      }
      const isFiltered = channelId !== null || [status, event, http].some((value) => value !== null)
      const read = () => readBatch(request)
      const { rows, next } = isFiltered ? await searches.run(organizationId, read) : await read()
      return {
        deliveries: rows.map(({ subject, ...delivery }) => ({
          ...delivery,
          channel_id: subject?.channel_id ?? null,
          person: readPerson(subject?.body ?? null),
        })),
        next_cursor: next && cursors.encode(next, scope),
      }
    },
  }
}

function findLater(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a
}
