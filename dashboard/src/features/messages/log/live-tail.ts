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

function listIds({ pages }: Log): Set<string> {
  return new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)))
}

/**
 * Returns the rows of a newly loaded first page that the log has not. If rows have left the filter, the first page may reach further
 * down than the log: those rows come with its next page.
 */
export function findArrivals(log: Log, head: LogPage): Arrivals {
  const known = listIds(log)
  const end = log.pages.at(-1)
  const oldest = end?.nextCursor == null ? '' : (end.items.at(-1)?.id ?? '')
  const rows = head.items.filter(({ id }) => !known.has(id) && id > oldest)
  const isComplete = head.nextCursor === null || rows.length < head.items.length
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

/** The log with what arrived, in its order: each row on the page of its neighbors. */
export function addArrivals(log: Log, { rows, replacement }: Arrivals): Log {
  if (replacement !== undefined) return { pages: [replacement], pageParams: [undefined] }
  const known = listIds(log)
  let left = rows.filter(({ id }) => !known.has(id))
  const pages = log.pages.map((page, position) => {
    const last = position === log.pages.length - 1 ? '' : page.items.at(-1)?.id
    const own = left.filter(({ id }) => last !== undefined && id > last)
    left = left.filter((row) => !own.includes(row))
    return own.length === 0 ? page : { ...page, items: [...own, ...page.items].sort(compareIds) }
  })
  return { ...log, pages }
}

/** Arrivals of an earlier and of a later look. A later one that reaches the list has all that was between. */
export function joinArrivals(earlier: Arrivals, later: Arrivals): Arrivals {
  if (later.replacement !== undefined) return later
  const known = new Set(later.rows.map(({ id }) => id))
  return { rows: [...later.rows, ...earlier.rows.filter(({ id }) => !known.has(id))], replacement: undefined }
}
