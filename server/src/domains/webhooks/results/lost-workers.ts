import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { listUnlockedWorkers } from './store.ts'

/** A worker that loses its connection locks again well within this time. */
const GRACE_MS = 3000

/** Finds workers that died: they have claims, and their locks have been gone for 3 s. */
export function createLostWorkers({ sql, now }: { sql: Pool; now: Clock }) {
  let missingSince = new Map<string, number>()

  return {
    async list(): Promise<string[]> {
      const before = missingSince
      // Where the database is unreachable, all locks are lost: the time begins again.
      missingSince = new Map()
      const missing = await listUnlockedWorkers(sql)
      const at = now().getTime()
      missingSince = new Map(missing.map((worker) => [worker, before.get(worker) ?? at]))
      return missing.filter((worker) => at - (missingSince.get(worker) ?? at) >= GRACE_MS)
    },
  }
}
