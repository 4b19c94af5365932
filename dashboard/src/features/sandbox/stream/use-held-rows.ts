import { useState } from 'react'
import type { StreamRow } from './rows.ts'

/**
 * New rows wait while the stream is read: no row moves under the pointer. Rows that are already shown keep changing.
 */
export function useHeldRows(rows: readonly StreamRow[], openKey: string | undefined, isReading: boolean) {
  const isHeld = isReading || openKey !== undefined
  const [shown, setShown] = useState<ReadonlySet<string> | undefined>(undefined)
  const [clearedAt, setClearedAt] = useState(0)
  // A row that is opened from its bubble may be one of those that wait.
  const isMissing = shown !== undefined && openKey !== undefined && !shown.has(openKey)
  const isThere = isMissing && rows.some(({ key }) => key === openKey)
  if (isHeld && (shown === undefined || isThere)) setShown(new Set(rows.map(({ key }) => key)))
  if (!isHeld && shown !== undefined) setShown(undefined)
  const left = rows.filter(({ at }) => at > clearedAt)
  const visible = shown === undefined ? left : left.filter(({ key }) => shown.has(key))
  return {
    visible,
    waiting: left.length - visible.length,
    release: () => setShown(new Set(rows.map(({ key }) => key))),
    /** Hides what has happened until now. */
    clear: () => setClearedAt(Math.max(0, ...rows.map(({ at }) => at))),
  }
}
