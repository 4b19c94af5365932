import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { toFirstId } from '../../../kernel/ids.ts'
import { createTurns } from '../../../kernel/turns.ts'
import { chooseAccess, toLogFilter } from '../console/filter.ts'
import { readBatch } from '../console/reading.ts'
import type { Contacts } from '../contacts/service.ts'
import type { MessageRow } from '../message-entry.ts'
import type { MessageQuery } from '../schemas.ts'
import { MESSAGE_STATUSES } from '../status.ts'
import * as store from './store.ts'

/** For reads that look through rows which do not match: no index is kept for every filter. */
const SEARCHES = { runningMax: 2, waitMs: 2000 }

type Key = { organizationId: string; channelId: string }
type Found = { rows: MessageRow[]; next: string | null }

type Dependencies = { sql: Pool; now: Clock; contacts: Pick<Contacts, 'find'>; retentionDays: number }

/** The filters of a query beside those that have an index in the order of the log; null if it has none. */
export function readSearch({ person, type, since, until, upstream_message_id, idempotency_key }: MessageQuery) {
  const search = { person, type, since, until, upstream_message_id, idempotency_key }
  return Object.values(search).every((value) => value === undefined) ? null : search
}

/** Searches the log of a channel as the console does it, and reads the messages that it finds with their contents. */
export function createLogSearch({ sql, now, contacts, retentionDays }: Dependencies) {
  const searches = createTurns(SEARCHES)

  async function findOne(key: Key, query: MessageQuery, id: string | undefined): Promise<Found> {
    const [row] = id === undefined ? [] : await store.listByIds(sql, { ...key, ids: [id] })
    const contactIds = query.person === undefined ? null : await contacts.find(key, { person: query.person })
    const isFound = row !== undefined && matches(row, query, contactIds)
    return { rows: isFound ? [row] : [], next: null }
  }

  return {
    /** `next` is the id before which the search goes on; null at its end. */
    async search(key: Key, query: MessageQuery, before: string | null): Promise<Found> {
      const { limit, direction, status: given, person, type, since, until } = query
      const { upstream_message_id: wamid = null, idempotency_key = null } = query
      if (wamid !== null || idempotency_key !== null) {
        return findOne(key, query, await store.findId(sql, { ...key, wamid, key: idempotency_key }))
      }
      const status = MESSAGE_STATUSES.find((known) => known === given)
      const filter = toLogFilter(key.organizationId, {
        channel_id: key.channelId,
        ...(direction !== undefined && { direction }),
        ...(status !== undefined && { status }),
        ...(person !== undefined && { person }),
        ...(type !== undefined && { type }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
      })
      if (!filter || (given !== undefined && status === undefined)) return { rows: [], next: null }
      const contactIds = filter.people ? await contacts.find(filter, filter.people) : null
      const read = () => readBatch(sql, { filter, contactIds, before, limit, now: now(), retentionDays })
      const found = chooseAccess(filter).isExact ? await read() : await searches.run(key.organizationId, read)
      const rows = await store.listByIds(sql, { ...key, ids: found.rows.map(({ id }) => id) })
      return { rows, next: found.next }
    },
  }
}

function matches(row: MessageRow, query: MessageQuery, contactIds: readonly string[] | null): boolean {
  const { direction, status, type, since, until } = query
  return (
    (direction === undefined || row.direction === direction) &&
    (status === undefined || row.status === status) &&
    (type === undefined || row.type === type) &&
    (since === undefined || row.id >= toFirstId(new Date(since))) &&
    (until === undefined || row.id < toFirstId(new Date(until))) &&
    (contactIds === null || (row.contact_id !== null && contactIds.includes(row.contact_id)))
  )
}
