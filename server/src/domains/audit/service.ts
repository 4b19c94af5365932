import type { Clock } from '../../kernel/clock.ts'
import type { Cursors } from '../../kernel/crypto/cursor.ts'
import type { Json, Pool, Tx } from '../../kernel/db/pool.ts'
import { isUuid, newId } from '../../kernel/ids.ts'
import type { Initiator } from './initiator.ts'
import type { AuditQuery } from './schemas.ts'
import * as store from './store.ts'

export type Audit = ReturnType<typeof createAudit>

export function createAudit({ sql, cursors, now }: { sql: Pool; cursors: Cursors; now: Clock }) {
  return {
    /** Joins the transaction of the change, so that a change and its entry are committed together. */
    async record(
      tx: Tx,
      entry: {
        organizationId: string
        initiator: Initiator
        action: string
        target: { type: string; id: string }
        details?: Record<string, Json>
      },
    ): Promise<void> {
      await store.insertEntry(tx, { details: {}, ...entry, id: newId(now()) })
    },

    async page(organizationId: string, query: AuditQuery) {
      const { limit, cursor, action, since, until } = query
      const [actorId, targetId] = [normalizeId(query.actor_id), normalizeId(query.target_id)]
      const filters = [action, actorId, targetId, since, until].map((filter) => filter ?? null)
      const scope = ['audit', organizationId, ...filters]
      const entries = await store.listEntries(sql, {
        organizationId,
        before: cursor === undefined ? null : cursors.decode(cursor, scope),
        action: action ?? null,
        actorId,
        targetId,
        since: since ?? null,
        until: until ?? null,
        limit: limit + 1,
      })
      const page = entries.slice(0, limit)
      const last = page.at(-1)
      return { entries: page, next_cursor: entries.length > limit && last ? cursors.encode(last.id, scope) : null }
    },
  }
}

/** Entries store UUIDs in lower case; a client may send them in upper case. */
function normalizeId(id: string | undefined): string | null {
  return id !== undefined && isUuid(id) ? id.toLowerCase() : (id ?? null)
}
