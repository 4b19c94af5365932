import type { Clock } from '../../../kernel/clock.ts'
import type { Cursors } from '../../../kernel/crypto/cursor.ts'
import { type IdWindow, listIdWindows } from '../../../kernel/db/id-windows.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import { readIdTime } from '../../../kernel/ids.ts'
import { createTurns } from '../../../kernel/turns.ts'
import type { Audit } from '../../audit/service.ts'
import { type Principal, requireScope } from '../../auth/principal.ts'
import type { DeliveryLog } from '../../webhooks/log/service.ts'
import type { Contacts } from '../contacts/service.ts'
import { parseContent } from '../message-entry.ts'
import { toDetail } from './detail.ts'
import { toConsoleMessage } from './entry.ts'
import { chooseAccess, type LogFilter, parseMessageId, toLogFilter } from './filter.ts'
import { readBatch } from './reading.ts'
import type { ConsoleMessage, ConsoleMessageDetail, ConsoleMessageQuery } from './schemas.ts'
import * as store from './store.ts'

/** For reads that look through rows which do not match: no index is kept for every filter. */
const SEARCHES = { runningMax: 2, waitMs: 2000, what: 'Searches of an organization' }

type Dependencies = {
  sql: Pool
  cursors: Cursors
  now: Clock
  audit: Audit
  contacts: Pick<Contacts, 'find' | 'listNames'>
  deliveryLog: DeliveryLog
  retentionDays: number
}

export type ConsoleLog = ReturnType<typeof createConsoleLog>

/** The message log as the console shows it: over all channels of the organization, and without content until it is revealed. */
export function createConsoleLog({ sql, cursors, now, audit, contacts, deliveryLog, retentionDays }: Dependencies) {
  const searches = createTurns(SEARCHES)

  function findWindow(id: string): IdWindow | undefined {
    const [window] = listIdWindows({ now: now(), beforeId: id, createdAt: new Date(readIdTime(id)), retentionDays })
    return window
  }

  function toWindow(id: string): IdWindow {
    const window = findWindow(id)
    if (!window) throw notFound('message_not_found')
    return window
  }

  async function listContactIds(organizationId: string, ids: readonly string[]) {
    const windows = ids.flatMap((id) => findWindow(id) ?? [])
    const different = [...new Map(windows.map((window) => [window.from, window])).values()]
    const found = different.map((window) => store.listContactIds(sql, { organizationId, ids, window }))
    return (await Promise.all(found)).flat()
  }

  async function find(organizationId: string, id: string): Promise<store.DetailRow> {
    const row = await store.findMessage(sql, { organizationId, id, window: toWindow(id) })
    if (!row) throw notFound('message_not_found')
    return row
  }

  /** One lookup for each channel of the organization. */
  function findIdsByWamid(organizationId: string, wamid: string): Promise<string[]> {
    return searches.run(organizationId, () => store.findIdsByWamid(sql, organizationId, wamid))
  }

  const findContacts = async (filter: LogFilter) => filter.people && contacts.find(filter, filter.people)

  return {
    find,

    /** Each cursor belongs to its filters. A page may be short, or empty, and have a cursor all the same. */
    async page(
      organizationId: string,
      query: ConsoleMessageQuery,
    ): Promise<{ messages: ConsoleMessage[]; next_cursor: string | null }> {
      const { limit, cursor, id, ...filters } = query
      const filter = toLogFilter(organizationId, filters)
      if (!filter) return { messages: [], next_cursor: null }
      const scope = ['console-messages', id ?? null, filter]
      const before = cursor === undefined ? null : cursors.decode(cursor, scope)
      if (id !== undefined) {
        const given = parseMessageId(id)
        const ids = 'id' in given ? [given.id] : await findIdsByWamid(organizationId, given.wamid)
        const contactIds = await findContacts(filter)
        const rows = await store.findMessages(sql, { filter, contactIds, ids, withContent: false })
        return { messages: rows.map(toConsoleMessage), next_cursor: null }
      }
      const contactIds = await findContacts(filter)
      const read = () => readBatch(sql, { filter, contactIds, before, limit, now: now(), retentionDays })
      const { rows, next } = chooseAccess(filter).isExact ? await read() : await searches.run(organizationId, read)
      return { messages: rows.map(toConsoleMessage), next_cursor: next && cursors.encode(next, scope) }
    },

    async show(organizationId: string, id: string): Promise<ConsoleMessageDetail> {
      const row = await find(organizationId, id)
      const channelId = row.channel_id
      const times = [row.sent_at, row.delivered_at, row.read_at, row.failed_at].filter((time) => time !== null)
      const [key, { deliveries, beingQueued, pausedEndpoints }] = await Promise.all([
        store.findIdempotencyKey(sql, { organizationId, channelId, messageId: row.id }),
        deliveryLog.listForMessage({ organizationId, channelId, messageId: row.id, times }),
      ])
      return {
        ...toDetail(row, key),
        deliveries,
        deliveries_being_queued: beingQueued,
        paused_endpoints: pausedEndpoints,
      }
    },

    /** The entry in the audit log is committed before the content leaves the hub. */
    async reveal(principal: Principal, id: string) {
      requireScope(principal, 'messages:read')
      const { organizationId } = principal
      const row = await find(organizationId, id)
      const context = await store.findContext(sql, { organizationId, id: row.id, window: toWindow(row.id) })
      await sql.begin((tx) => this.recordReveal(tx, principal, row))
      const { content } = parseContent({ ...row, context, contact_id: null, statuses_seen: 0 })
      return { content: content ?? null, context, contact_name: row.contact?.name ?? null }
    },

    /** The people of messages by name. One entry in the audit log names the messages, and is committed before a name leaves the hub. */
    async revealNames(principal: Principal, messageIds: readonly string[]) {
      requireScope(principal, 'messages:read')
      const { organizationId, initiator } = principal
      const rows = await listContactIds(organizationId, [...new Set(messageIds.map((id) => id.toLowerCase()))])
      if (rows.length === 0) return { names: [] }
      const known = rows.flatMap(({ contact_id }) => (contact_id === null ? [] : [contact_id]))
      const names = await contacts.listNames(organizationId, [...new Set(known)])
      await sql.begin(async (tx) => {
        const target = { type: 'message_log', id: organizationId }
        const details = { message_ids: rows.map(({ id }) => id) }
        await audit.record(tx, { organizationId, initiator, action: 'messages.names_revealed', target, details })
      })
      return {
        names: rows.map(({ id, contact_id }) => ({ message_id: id, name: names.get(contact_id ?? '') ?? null })),
      }
    },

    async recordReveal(
      tx: Tx,
      { organizationId, initiator }: Principal,
      row: { id: string; channel_id: string },
      part: 'content' | 'media' = 'content',
    ): Promise<void> {
      const target = { type: 'message', id: row.id }
      const details = { channel_id: row.channel_id, part }
      await audit.record(tx, { organizationId, initiator, action: 'message.revealed', target, details })
    },
  }
}
