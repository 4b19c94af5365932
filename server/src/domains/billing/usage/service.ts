import type { PendingQuery, Row } from 'postgres'
import type { Pool, Sql, Tx } from '../../../kernel/db/pool.ts'
import * as store from './store.ts'

const FOLD_AFTER_SECONDS = 600
const FOLD_BATCH = 20_000
const KEPT_DAYS = 400

/** Given to a statement that itself knows whose and how many: it counts along with what it does. */
export type Counting = (within: Sql, amounts: PendingQuery<Row[]>) => PendingQuery<Row[]>
export const counting: Counting = store.adding

export type Used = { organizationId: string; counter: store.Counter }

export type Usage = ReturnType<typeof createUsage>

/** Counts what organizations use, in the transactions in which they use it. */
export function createUsage({ sql }: { sql: Pool }) {
  return {
    /** Counts each thing once for its organization. */
    async count(tx: Tx, used: Used[]): Promise<void> {
      if (used.length === 0) return
      const groups = Map.groupBy(used, ({ organizationId, counter }) => `${organizationId} ${counter}`)
      const deltas = [...groups.values()].flatMap(([first, ...rest]) =>
        first ? [{ ...first, amount: 1 + rest.length }] : [],
      )
      await store.insertDeltas(tx, deltas)
    },

    async since(organizationId: string, since: string): Promise<Record<store.Counter, number>> {
      const sums = await store.sumUsage(sql, { organizationId, since })
      const amounts = Object.fromEntries(sums.map(({ counter, amount }) => [counter, amount]))
      return { messages_sent: 0, messages_received: 0, deliveries: 0, ...amounts }
    },

    async fold(): Promise<void> {
      const batch = { olderSeconds: FOLD_AFTER_SECONDS, limit: FOLD_BATCH }
      while ((await store.foldDeltas(sql, batch)) === FOLD_BATCH);
    },

    async forgetOld(): Promise<void> {
      await store.deleteOldTotals(sql, KEPT_DAYS)
    },
  }
}
