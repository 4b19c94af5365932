import type { Pool } from '../../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import { buildCheckInsert } from '../budgets/service.ts'
import { RETENTION_DAYS } from './retention-days.ts'
import * as store from './store.ts'

const FOLD_BATCH_SIZE = 20_000
const DELETE_BATCH_SIZE = 5000
const READ_BATCH_SIZE = 500

/** Deltas first: the fold moves them into the totals. */
const TABLES = ['cost_deltas', 'cost_totals', 'cost_checks', 'cost_alerts']

/** For the statement of another domain that inserts volumes together with its own rows. */
export const { buildVolumeInsert } = store

export type CostVolumes = ReturnType<typeof createCostVolumes>

/** Adds up the volumes that are inserted with statuses, and forgets old ones. */
export function createCostVolumes({ sql }: { sql: Pool }) {
  return {
    async fold(): Promise<void> {
      while ((await store.foldDeltas(sql, FOLD_BATCH_SIZE, buildCheckInsert)) === FOLD_BATCH_SIZE);
    },

    async deleteOld(): Promise<void> {
      const batch = { days: RETENTION_DAYS, limit: DELETE_BATCH_SIZE }
      while ((await store.deleteOld(sql, batch)) === DELETE_BATCH_SIZE);
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async *readAll(organizationId: string): AsyncGenerator<store.KeptVolume[]> {
      let after: store.KeptVolume | null | undefined = null
      while (after !== undefined) {
        const rows: store.KeptVolume[] = await store.listKept(sql, { organizationId, after, limit: READ_BATCH_SIZE })
        yield rows
        after = rows.at(-1)
      }
    },
  }
}
