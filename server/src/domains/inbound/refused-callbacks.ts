import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Pool } from '../../kernel/db/pool.ts'
import { isObject, toList } from '../../kernel/json/values.ts'
import * as store from './store.ts'
import { toShortTextOrNull } from './texts.ts'

/** For diagnostics of a channel. */
export const { buildRefusedCounts } = store

/** Anonymous clients can send refused callbacks, so reading and counting them is bounded. Few callbacks are longer. */
const READ_BYTES_MAX = 16 * 1024
const ACCOUNTS_PER_CALLBACK_MAX = 100
const ACCOUNTS_MAX = 10_000
/** The upstream repeats a callback for as long, and events are kept longer. */
const KEPT_DAYS = 7

export type RefusedCallbacks = ReturnType<typeof createRefusedCallbacks>

/**
 * Counts callbacks with a wrong signature by the accounts that they name, for diagnostics, and all of them for metrics.
 * The counts by account are in memory until the next flush, so a flood of such callbacks costs the database nothing. A
 * long one is not parsed, and counts for the installation only.
 */
export function createRefusedCallbacks({ sql, now }: { sql: Pool; now: Clock }) {
  // The latest accounts stay, so that a flood of invented ones does not hide a real one.
  let counted = new BoundedMap<string, store.RefusedCount>(ACCOUNTS_MAX)
  let observer: () => void = () => undefined

  return {
    /** For metrics. */
    observe(report: () => void): void {
      observer = report
    },

    count(bytes: Buffer): void {
      observer()
      const refusedAt = now().toISOString()
      for (const wabaId of listAccounts(bytes)) {
        const refused = (counted.get(wabaId)?.refused ?? 0) + 1
        counted.set(wabaId, { wabaId, refused, refusedAt })
      }
    },

    /** Stores the counts of accounts that have a channel. Those of a flush that fails are lost. */
    async flush(): Promise<void> {
      const counts = [...counted.values()]
      counted = new BoundedMap(ACCOUNTS_MAX)
      if (counts.length > 0) await store.addRefused(sql, counts)
      await store.deleteRefused(sql, KEPT_DAYS)
    },
  }
}

/** The accounts of a callback's entries; none if it cannot be read. */
function listAccounts(bytes: Buffer): Set<string> {
  if (bytes.length > READ_BYTES_MAX) return new Set()
  const entries = toList(readEntries(bytes)).slice(0, ACCOUNTS_PER_CALLBACK_MAX)
  const ids = entries.map((entry) => (isObject(entry) ? toShortTextOrNull(entry.id) : null))
  return new Set(ids.filter((id) => id !== null))
}

function readEntries(bytes: Buffer): unknown {
  try {
    const callback: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(callback) ? callback.entry : undefined
  } catch {
    // A body that is not JSON names no account.
    return undefined
  }
}
