import type { Pool } from '../../../kernel/db/pool.ts'
import * as store from './store.ts'

const FOLD_AFTER_SECONDS = 600
const FOLD_BATCH_SIZE = 20_000
const RETENTION_DAYS = 400

/** For another domain's statement that inserts usage together with its own rows. */
export const { buildUsageInsert } = store

export type Usage = ReturnType<typeof createUsage>

/** Counts what organizations use, in the transactions in which they use it. */
export function createUsage({ sql }: { sql: Pool }) {
  return {
    async readCounters(organizationId: string, since: string): Promise<Record<store.Counter, number>> {
      const sums = await store.sumUsage(sql, { organizationId, since })
      const amounts = Object.fromEntries(sums.map(({ counter, amount }) => [counter, amount]))
      return { messages_sent: 0, messages_received: 0, deliveries: 0, ...amounts }
    },

    listDaily: (organizationId: string) => store.listDailyUsage(sql, organizationId),

    async fold(): Promise<void> {
      const batch = { olderSeconds: FOLD_AFTER_SECONDS, limit: FOLD_BATCH_SIZE }
      while ((await store.foldDeltas(sql, batch)) === FOLD_BATCH_SIZE);
    },

    async deleteOld(): Promise<void> {
      await store.deleteOldTotals(sql, RETENTION_DAYS)
    },
  }
}
