import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import * as store from './store.ts'

/** A process locks again well within this time, after it lost its connection or while it starts. */
const ALONE_MS = 30_000

export type DeferredLog = ReturnType<typeof createDeferredLog>

/**
 * Returns true if the log entry of a send is written once, with its outcome. Processes of the version before look for the entry in
 * the log from the reservation on, and would lose a status that arrives before the outcome. So it begins when none of them
 * has held its lock for 30 seconds; none can start any more, because the database is migrated. It never ends.
 */
export function createDeferredLog({ sql, now }: { sql: Pool; now: Clock }) {
  let isOn = false
  let aloneSince: number | undefined

  return {
    isOn: (): boolean => isOn,

    async look(): Promise<void> {
      if (isOn) return
      isOn = await store.isLogDeferred(sql)
      if (isOn) return
      const isAlone = (await store.listEarlierProcesses(sql)).length === 0
      const at = now().getTime()
      aloneSince = isAlone ? (aloneSince ?? at) : undefined
      if (aloneSince === undefined || at - aloneSince < ALONE_MS) return
      await store.deferLog(sql)
      isOn = true
    },
  }
}
