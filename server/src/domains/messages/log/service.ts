import type { Cursors } from '../../../kernel/crypto/cursor.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import { toMessageEntry } from '../message-entry.ts'
import type { MessageEntry, MessageQuery } from '../schemas.ts'
import * as store from './store.ts'

export type MessageLog = ReturnType<typeof createMessageLog>

export function createMessageLog({ sql, cursors }: { sql: Pool; cursors: Cursors }) {
  return {
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
      const list = ['messages', organizationId, channelId, direction ?? null, status ?? null]
      const before = cursor === undefined ? null : cursors.decode(cursor, list)
      const key = { organizationId, channelId }
      if (!(await store.channelExists(sql, key))) throw notFound('Channel')
      const filter = toFilter(direction, status)
      const rows = filter ? await store.listMessages(sql, { ...key, ...filter, before, limit: limit + 1 }) : []
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return {
        messages: rows.slice(0, limit).map(toMessageEntry),
        next_cursor: last ? cursors.encode(last.id, list) : null,
      }
    },
  }
}

/** Inbound messages, and only they, are `received`, so one of the two conditions is enough. Undefined: no message matches. */
function toFilter(direction: MessageQuery['direction'], status = direction === 'inbound' ? 'received' : null) {
  if (direction !== undefined && status !== null && (direction === 'inbound') !== (status === 'received'))
    return undefined
  return { status, direction: direction === 'outbound' && status === null ? ('outbound' as const) : null }
}
