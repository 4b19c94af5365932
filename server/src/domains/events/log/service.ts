import type { Clock } from '../../../kernel/clock.ts'
import { listIdWindows, readWindows, type WindowPlace } from '../../../kernel/db/id-windows.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import { readIdTime } from '../../../kernel/ids.ts'
import * as store from './store.ts'

const BATCH_SIZE = 500
const BATCH_BYTES_MAX = 4 * 1024 * 1024

export type KeptEvent = store.KeptEvent
export type ReplacedPayload = store.ReplacedPayload
export type StoredPayload = { id: string; kind: string; body: Buffer }
export type EventLog = ReturnType<typeof createEventLog>

/** Events after they were published. */
export function createEventLog({ sql, now, retentionDays }: { sql: Pool; now: Clock; retentionDays: number }) {
  return {
    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, ['events'], organizationId),

    /** All events of an organization, newest first. */
    readAll(organizationId: string): AsyncGenerator<KeptEvent[]> {
      const createdAt = new Date(readIdTime(organizationId))
      const windows = listIdWindows({ now: now(), beforeId: null, createdAt, retentionDays })
      const batch = { organizationId, limit: BATCH_SIZE, bytesMax: BATCH_BYTES_MAX }
      return readWindows(windows, (place) => store.listEvents(sql, { ...place, ...batch }))
    },

    /** Events whose payloads have one of these texts, and the id up to which they were searched: null at the end of the window. */
    async scan(place: WindowPlace & { organizationId: string; identifiers: readonly string[] }) {
      const found = await store.scanEvents(sql, { ...place, limit: BATCH_SIZE, bytesMax: BATCH_BYTES_MAX })
      const events = found.flatMap(({ id, kind, body }): StoredPayload[] => {
        return id === null || kind === null || body === null ? [] : [{ id, kind, body }]
      })
      return { end: found[0]?.scan_end ?? null, events }
    },

    /** Selects those of these events whose payloads have one of these texts. */
    findWith: (search: Parameters<typeof store.findEventsWith>[1]) => store.findEventsWith(sql, search),

    /**
     * Deletes events, and replaces the payloads of others. Deliveries keep the ids of both. Returns how many payloads it
     * replaced: those that have changed since they were read are left.
     */
    async erase(
      tx: Tx,
      organizationId: string,
      e: { deleted: readonly string[]; replaced: readonly store.ReplacedPayload[] },
    ): Promise<number> {
      if (e.deleted.length > 0) await store.deleteEvents(tx, organizationId, e.deleted)
      return e.replaced.length > 0 ? store.replaceBodies(tx, organizationId, e.replaced) : 0
    },
  }
}
