import type { Pool } from '../../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import * as store from './store.ts'

const FOLD_BATCH_SIZE = 20_000
const DELETE_BATCH_SIZE = 5000
const RETENTION_DAYS = 90

/** For the statements of other domains that read counts, or insert them together with their own rows. */
export const { ALL, buildMessageCountInsert, buildAttemptCountInsert } = store

/** Deltas first: the fold moves them into the counts. */
const TABLES = [
  'message_count_deltas',
  'attempt_count_deltas',
  'message_counts',
  'error_counts',
  'channel_activity',
  'attempt_counts',
]

export type Counts = ReturnType<typeof createCounts>

/** Adds up the counts that other domains insert, and forgets old ones. */
export function createCounts({ sql }: { sql: Pool }) {
  return {
    async fold(): Promise<void> {
      while ((await store.foldMessageDeltas(sql, FOLD_BATCH_SIZE)) === FOLD_BATCH_SIZE);
      while ((await store.foldAttemptDeltas(sql, FOLD_BATCH_SIZE)) === FOLD_BATCH_SIZE);
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteOld(): Promise<void> {
      const batch = { days: RETENTION_DAYS, limit: DELETE_BATCH_SIZE }
      for (const table of store.COUNT_TABLES) {
        while ((await store.deleteOld(sql, table, batch)) === DELETE_BATCH_SIZE);
      }
    },
  }
}
