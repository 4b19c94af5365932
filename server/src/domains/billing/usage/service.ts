import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import * as store from './store.ts'

const FOLD_AFTER_SECONDS = 600
const FOLD_BATCH_SIZE = 20_000
const RETENTION_DAYS = 400

/** For another domain's statement that inserts usage together with its own rows. */
export const { buildUsageInsert } = store

export type UsageRecord = { organizationId: string; counter: store.Counter }

export type Usage = ReturnType<typeof createUsage>

/** Counts what organizations use, in the transactions in which they use it. */
export function createUsage({ sql }: { sql: Pool }) {
  return {
    /** Adds 1 to a counter for each record. */
    async record(tx: Tx, records: UsageRecord[]): Promise<void> {
      if (records.length === 0) return
      const groups = Map.groupBy(records, ({ organizationId, counter }) => `${organizationId} ${counter}`)
      const deltas = [...groups.values()].flatMap(([first, ...rest]) =>
        first ? [{ ...first, amount: 1 + rest.length }] : [],
      )
      await store.insertDeltas(tx, deltas)
    },

    async readCounters(organizationId: string, since: string): Promise<Record<store.Counter, number>> {
      const sums = await store.sumUsage(sql, { organizationId, since })
      const amounts = Object.fromEntries(sums.map(({ counter, amount }) => [counter, amount]))
      return { messages_sent: 0, messages_received: 0, deliveries: 0, ...amounts }
    },

    async fold(): Promise<void> {
      const batch = { olderSeconds: FOLD_AFTER_SECONDS, limit: FOLD_BATCH_SIZE }
      while ((await store.foldDeltas(sql, batch)) === FOLD_BATCH_SIZE);
    },

    async deleteOld(): Promise<void> {
      await store.deleteOldTotals(sql, RETENTION_DAYS)
    },
  }
}
