import type { Statistics } from '@hubline/sdk/console'

/** Returns the share of the sent messages that arrived. A message that was sent before the period may arrive in it. */
export function computeShare(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : Math.min(1, part / whole)
}

/** Returns the share of the tried messages that failed. One that failed after it was sent counts as one of those sent. */
export function computeFailedShare({ sent, refused, failed }: Statistics['messages']): number | undefined {
  return computeShare(failed.total, sent.total + refused.total)
}

/** The share in each bucket; where nothing was sent it stays what it was. */
export function computeShareSeries(parts: readonly number[], wholes: readonly number[]): number[] {
  let latest = 0
  return wholes.map((whole, position) => {
    latest = computeShare(parts[position] ?? 0, whole) ?? latest
    return latest
  })
}

/** The change against the period before; undefined where there was nothing to compare with. */
export function computeGrowth({
  total,
  previous_total,
}: {
  total: number
  previous_total: number
}): number | undefined {
  return previous_total === 0 ? undefined : total / previous_total - 1
}

export function findPeak(series: readonly number[], { since, bucket_seconds }: Statistics): Date | undefined {
  const max = Math.max(0, ...series)
  if (max === 0) return undefined
  return new Date(Date.parse(since) + series.indexOf(max) * bucket_seconds * 1000)
}

/** Neighboring buckets added up, so that at most `count` remain. */
export function joinBuckets(series: readonly number[], count: number): number[] {
  const size = Math.ceil(series.length / count)
  return Array.from({ length: Math.ceil(series.length / size) }, (_, position) =>
    series.slice(position * size, (position + 1) * size).reduce((sum, value) => sum + value, 0),
  )
}
