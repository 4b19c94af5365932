import { readIdTime, toFirstId } from '../ids.ts'
import { toPartitionDays } from './partitions.ts'
import type { Fragment, Sql } from './pool.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const WINDOW_PARTITIONS = 7

/** A range of ids within few partitions. The end is exclusive. */
export type IdWindow = { from: string; before: string }

/**
 * The ranges that a log is read by, from the newest to the oldest: a statement over the whole log locks every partition
 * and every index of each, 1,497 at a retention of a year.
 */
export function listIdWindows(l: { now: Date; beforeId: string | null; createdAt: Date; retentionDays: number }) {
  const partitionDays = toPartitionDays(l.retentionDays)
  const windowMs = WINDOW_PARTITIONS * partitionDays * DAY_MS
  // Ids have the time of a process, which may be ahead of the others.
  const latest = l.now.getTime() + HOUR_MS
  const newest = l.beforeId === null ? latest : Math.min(latest, readIdTime(l.beforeId))
  const kept = l.now.getTime() - (l.retentionDays + partitionDays + 1) * DAY_MS
  const oldest = Math.max(l.createdAt.getTime() - DAY_MS, kept)
  const windows: IdWindow[] = []
  for (let start = Math.floor(newest / windowMs) * windowMs; start + windowMs > oldest; start -= windowMs) {
    windows.push({ from: toFirstId(new Date(start)), before: toFirstId(new Date(start + windowMs)) })
  }
  return windows
}

/**
 * The window as a condition with literals: the planner excludes other partitions only by what it knows. Windows begin at
 * multiples of their length, so there are few texts of the statement, each prepared once.
 */
export function isInWindow(sql: Sql, { from, before }: IdWindow): Fragment {
  return sql`(id >= ${sql.unsafe(`'${from}'`)} and id < ${sql.unsafe(`'${before}'`)})`
}

/** A place in a log that is read by windows: the ids of the window that are before this one. */
export type WindowPlace = { window: IdWindow; before: string }

/** Reads a log in batches, from the newest row to the oldest, each batch within one window. */
export async function* readWindows<Row extends { id: string }>(
  windows: readonly IdWindow[],
  readBatch: (place: WindowPlace) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (const window of windows) {
    let before: string | undefined = window.before
    while (before !== undefined) {
      const batch: Row[] = await readBatch({ window, before })
      before = batch.at(-1)?.id
      if (batch.length > 0) yield batch
    }
  }
}

/**
 * Selects rows with an `id` and a `body` up to a total of bytes, from the newest on, but the first in any case. PostgreSQL
 * knows the length of a body without reading it.
 */
export function limitBytes(sql: Sql, rows: Fragment, bytesMax: number): Fragment {
  return sql`
    select *
    from (
      select *, sum(length(body)) over newest as bytes, row_number() over newest as place
      from (${rows}) r
      window newest as (order by id desc)
    ) b
    where place = 1
      or bytes <= ${bytesMax}`
}
