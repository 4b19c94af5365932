import type { ConsoleMessage } from '@hubline/sdk/console'
import type { InfiniteData } from '@tanstack/react-query'

export type LogPage = { items: ConsoleMessage[]; nextCursor: string | null }
export type Log = InfiniteData<LogPage>

/** Messages that arrived while the list must not move. */
export type Arrivals = {
  rows: readonly ConsoleMessage[]
  /** Between them and the list are more, which were not loaded: the first page that has them takes its place. */
  replacement: LogPage | undefined
}
export const NO_ARRIVALS: Arrivals = { rows: [], replacement: undefined }

/** Ids begin with their time: the newest first. */
function compareIds(a: ConsoleMessage, b: ConsoleMessage): number {
  return a.id < b.id ? 1 : -1
}

/** What a newly loaded first page has and the log has not. */
export function findArrivals(log: Log, head: LogPage): Arrivals {
  const known = new Set(log.pages.flatMap(({ items }) => items.map(({ id }) => id)))
  const rows = head.items.filter(({ id }) => !known.has(id))
  const isComplete = head.nextCursor === null || rows.length < head.items.length || known.size === 0
  return { rows, replacement: isComplete ? undefined : head }
}

/** The same rows with their latest statuses. Pages without a change stay the same objects. */
export function updateRows(log: Log, rows: readonly ConsoleMessage[]): Log {
  const latest = new Map(rows.map((row) => [row.id, row]))
  const pages = log.pages.map((page) => {
    const isChanged = page.items.some((item) => isNewer(latest.get(item.id), item))
    return isChanged ? { ...page, items: page.items.map((item) => pickNewer(latest.get(item.id), item)) } : page
  })
  return { ...log, pages }
}

/** Statuses of one second have the same time. */
function isNewer(found: ConsoleMessage | undefined, shown: ConsoleMessage): boolean {
  return found !== undefined && found.updated_at >= shown.updated_at && found.status !== shown.status
}

function pickNewer(found: ConsoleMessage | undefined, shown: ConsoleMessage): ConsoleMessage {
  return found !== undefined && isNewer(found, shown) ? found : shown
}

/** The log with what arrived, in its order. */
export function addArrivals(log: Log, { rows, replacement }: Arrivals): Log {
  if (replacement !== undefined) return { pages: [replacement], pageParams: [undefined] }
  const [first, ...others] = log.pages
  if (first === undefined) return log
  const known = new Set(first.items.map(({ id }) => id))
  const items = [...rows.filter(({ id }) => !known.has(id)), ...first.items].sort(compareIds)
  return { ...log, pages: [{ ...first, items }, ...others] }
}

/** Arrivals of an earlier and of a later look. */
export function joinArrivals(earlier: Arrivals, later: Arrivals): Arrivals {
  if (later.replacement !== undefined) return later
  const known = new Set(later.rows.map(({ id }) => id))
  const rows = [...later.rows, ...earlier.rows.filter(({ id }) => !known.has(id))]
  return { rows, replacement: earlier.replacement }
}
