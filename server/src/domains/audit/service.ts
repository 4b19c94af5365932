import type { Clock } from '../../kernel/clock.ts'
import type { Cursors } from '../../kernel/crypto/cursor.ts'
import { readDatabaseTime } from '../../kernel/db/database-time.ts'
import type { Json, Pool, Tx } from '../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../kernel/db/tenant-rows.ts'
import { isUuid, newId, toFirstId } from '../../kernel/ids.ts'
import { refuseReversedPeriod } from '../../kernel/time/period.ts'
import type { AuditAction } from './actions.ts'
import type { Initiator } from './initiator.ts'
import type { AuditQuery } from './schemas.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000
const DELETE_BATCH_SIZE = 500
/** An entry's id has the time of the process, `created_at` that of the database: an id bounds a period only roughly. */
const CLOCK_SKEW_MS = 300_000

type NewEntry = {
  organizationId: string
  initiator: Initiator
  action: AuditAction
  target: { type: string; id: string }
  details?: Record<string, Json>
}

const TABLES = ['audit_entries']

type Dependencies = {
  sql: Pool
  cursors: Cursors
  now: Clock
  retentionDays: number
  /** Called in the transaction of each entry. */
  onEntry: (tx: Tx, entry: NewEntry) => void
}

export type Audit = ReturnType<typeof createAudit>

export function createAudit({ sql, cursors, now, retentionDays, onEntry }: Dependencies) {
  return {
    /** Joins the transaction of the change, so that a change and its entry are committed together. */
    async record(tx: Tx, entry: NewEntry): Promise<void> {
      await store.insertEntry(tx, { details: {}, ...entry, id: newId(now()) })
      onEntry(tx, entry)
    },

    /** Exports of messages are recorded with their filters, of which one may be a person. Returns how many were. */
    erasePerson(tx: Tx, organizationId: string, identifiers: readonly string[]): Promise<number> {
      const actions = ['messages.export_started', 'messages.exported']
      return store.erasePersonFilters(tx, { organizationId, actions, identifiers, replacement: 'erased' })
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteExpired(): Promise<void> {
      const now = await readDatabaseTime(sql)
      const beforeId = toFirstId(new Date(now.getTime() - retentionDays * DAY_MS))
      while ((await store.deleteEntriesBefore(sql, { beforeId, limit: DELETE_BATCH_SIZE })) === DELETE_BATCH_SIZE);
    },

    async page(organizationId: string, query: AuditQuery) {
      refuseReversedPeriod(query)
      const { limit, cursor, action, since, until } = query
      const [actorId, targetId] = [normalizeId(query.actor_id), normalizeId(query.target_id)]
      const filters = [action, actorId, targetId, since, until].map((filter) => filter ?? null)
      const scope = ['audit', organizationId, ...filters]
      const entries = await store.listEntries(sql, {
        organizationId,
        action: action ?? null,
        actorId,
        targetId,
        since: since ?? null,
        until: until ?? null,
        fromId: since === undefined ? null : toFirstId(new Date(Date.parse(since) - CLOCK_SKEW_MS)),
        beforeId: findEarlier(
          cursor === undefined ? null : cursors.decode(cursor, scope),
          until === undefined ? null : toFirstId(new Date(Date.parse(until) + CLOCK_SKEW_MS)),
        ),
        limit: limit + 1,
      })
      const page = entries.slice(0, limit)
      const last = page.at(-1)
      return { entries: page, next_cursor: entries.length > limit && last ? cursors.encode(last.id, scope) : null }
    },
  }
}

function findEarlier(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b < a) ? b : a
}

/** Entries store UUIDs in lower case; a client may send them in upper case. */
function normalizeId(id: string | undefined): string | null {
  return id !== undefined && isUuid(id) ? id.toLowerCase() : (id ?? null)
}
