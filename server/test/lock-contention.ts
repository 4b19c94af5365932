import { openPool, type Tx } from '../src/kernel/db/pool.ts'
import { testDatabase } from './database.ts'

const LOOKS_MAX = 20_000

/**
 * Starts `work` while a transaction holds `lock`, and commits when `waiting`
 * statements wait for it: so they compete for certain, and not by chance.
 */
export async function contend<T>(
  lock: (tx: Tx) => Promise<unknown>,
  { waiting, work }: { waiting: number; work: () => Promise<T> },
): Promise<T> {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 2, name: 'contention' })
  async function blocked(): Promise<number> {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'`
    return row?.count ?? 0
  }
  try {
    const { pending } = await sql.begin(async (tx) => {
      await lock(tx)
      const pending = work()
      for (let look = 0; (await blocked()) < waiting; look++) {
        if (look > LOOKS_MAX) throw new Error(`${waiting} statements never waited for the lock at once`)
      }
      return { pending }
    })
    return await pending
  } finally {
    await sql.end()
  }
}
