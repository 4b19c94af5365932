import type { Clock } from '../../../kernel/clock.ts'
import type { Cursors } from '../../../kernel/crypto/cursor.ts'
import { listIdWindows, readWindows } from '../../../kernel/db/id-windows.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import { readIdTime } from '../../../kernel/ids.ts'
import { refuseReversedPeriod } from '../../../kernel/time/period.ts'
import type { Contacts } from '../contacts/service.ts'
import { type MessageRow, toMessageEntry } from '../message-entry.ts'
import type { MessageEntry, MessageQuery } from '../schemas.ts'
import { createLogSearch, readSearch } from './search.ts'
import * as store from './store.ts'

/** Limits the contents in one page. A message may have a megabyte, and a page 100 messages. */
const PAGE_BYTES_MAX = 4 * 1024 * 1024
const BATCH_SIZE = 500

export type MessageLog = ReturnType<typeof createMessageLog>

type Key = { organizationId: string; channelId: string }

type Dependencies = {
  sql: Pool
  cursors: Cursors
  now: Clock
  contacts: Pick<Contacts, 'find'>
  retentionDays: number
}

export function createMessageLog({ sql, cursors, now, contacts, retentionDays }: Dependencies) {
  const logSearch = createLogSearch({ sql, now, contacts, retentionDays })

  /** Reads window after window until there are enough rows: most pages need one. */
  async function list(filter: Omit<store.LogFilter, 'window' | 'bytesMax'>, createdAt: Date) {
    const rows: MessageRow[] = []
    let bytesMax = PAGE_BYTES_MAX
    let isCut = false
    for (const window of listIdWindows({ now: now(), beforeId: filter.before, createdAt, retentionDays })) {
      const page = await store.listMessages(sql, { ...filter, window, limit: filter.limit - rows.length, bytesMax })
      rows.push(...page.messages)
      bytesMax -= page.bytes
      isCut = page.isCut
      if (isCut || rows.length === filter.limit) break
    }
    return { rows, isCut }
  }

  /** Ends before a row that exceeds the bytes of a page, unless it is the first. */
  async function searchPage(key: Key, query: MessageQuery, before: string | null, scope: unknown[]) {
    const { rows, next } = await logSearch.search(key, query, before)
    let bytes = 0
    const cut = rows.findIndex((row, n) => {
      bytes += JSON.stringify(row.content ?? null).length
      return n > 0 && bytes > PAGE_BYTES_MAX
    })
    const shown = cut < 0 ? rows : rows.slice(0, cut)
    const last = cut < 0 ? next : (shown.at(-1)?.id ?? null)
    return { messages: shown.map(toMessageEntry), next_cursor: last && cursors.encode(last, scope) }
  }

  return {
    /** A message by the hub's id. */
    async find(key: Key, messageId: string): Promise<MessageRow> {
      const [row] = await store.listByIds(sql, { ...key, ids: [messageId] })
      if (!row || !(await store.findChannel(sql, key))) throw notFound('message_not_found')
      return row
    },

    /**
     * Newest first, in the order in which the hub received the messages. Messages that arrive while a client reads the
     * pages are above its cursor, so no message is skipped or repeated.
     */
    async page(
      organizationId: string,
      channelId: string,
      query: MessageQuery,
    ): Promise<{ messages: MessageEntry[]; next_cursor: string | null }> {
      const { limit, cursor, direction, status } = query
      refuseReversedPeriod(query)
      const search = readSearch(query)
      const filters = search === null ? [] : [search]
      const scope = ['messages', organizationId, channelId, direction ?? null, status ?? null, ...filters]
      const before = cursor === undefined ? null : cursors.decode(cursor, scope)
      const key = { organizationId, channelId }
      const channel = await store.findChannel(sql, key)
      if (!channel) throw notFound('channel_not_found')
      if (search !== null) return searchPage(key, query, before, scope)
      const filter = toFilter(direction, status)
      const createdAt = new Date(channel.created_at)
      if (!filter) return { messages: [], next_cursor: null }
      const { rows, isCut } = await list({ ...key, ...filter, before, limit: limit + 1 }, createdAt)
      const messages = rows.slice(0, limit)
      const last = isCut || rows.length > limit ? messages.at(-1) : undefined
      return { messages: messages.map(toMessageEntry), next_cursor: last ? cursors.encode(last.id, scope) : null }
    },

    /** All messages of an organization with their contents, newest first. */
    async *readAll(organizationId: string): AsyncGenerator<MessageEntry[]> {
      const createdAt = new Date(readIdTime(organizationId))
      const windows = listIdWindows({ now: now(), beforeId: null, createdAt, retentionDays })
      const all = { organizationId, channelId: null, direction: null, status: null }
      const limits = { limit: BATCH_SIZE, bytesMax: PAGE_BYTES_MAX }
      const batches = readWindows(windows, async (place) => {
        return (await store.listMessages(sql, { ...all, ...limits, ...place })).messages
      })
      for await (const rows of batches) yield rows.map(toMessageEntry)
    },
  }
}

/** Inbound messages, and only they, are `received`, so one of the two conditions is enough. Undefined: no message matches. */
function toFilter(direction: MessageQuery['direction'], status = direction === 'inbound' ? 'received' : null) {
  if (direction !== undefined && status !== null && (direction === 'inbound') !== (status === 'received'))
    return undefined
  return { status, direction: direction === 'outbound' && status === null ? ('outbound' as const) : null }
}
