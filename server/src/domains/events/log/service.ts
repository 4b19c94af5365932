import type { Clock } from '../../../kernel/clock.ts'
import { listIdWindows, readWindows } from '../../../kernel/db/id-windows.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { readIdTime } from '../../../kernel/ids.ts'
import * as store from './store.ts'

const BATCH_SIZE = 500
const BATCH_BYTES_MAX = 4 * 1024 * 1024

export type KeptEvent = store.KeptEvent
export type EventLog = ReturnType<typeof createEventLog>

/** Events after they were published. */
export function createEventLog({ sql, now, retentionDays }: { sql: Pool; now: Clock; retentionDays: number }) {
  return {
    /** All events of an organization, newest first. */
    readAll(organizationId: string): AsyncGenerator<KeptEvent[]> {
      const createdAt = new Date(readIdTime(organizationId))
      const windows = listIdWindows({ now: now(), beforeId: null, createdAt, retentionDays })
      const batch = { organizationId, limit: BATCH_SIZE, bytesMax: BATCH_BYTES_MAX }
      return readWindows(windows, (place) => store.listEvents(sql, { ...place, ...batch }))
    },
  }
}
