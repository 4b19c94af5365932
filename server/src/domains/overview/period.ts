const HOUR_SECONDS = 3600

/** Every series of a range has the same number of buckets, each a multiple of the half hour in which counts are kept. */
const RANGES = {
  '24h': { bucketSeconds: HOUR_SECONDS / 2, buckets: 48 },
  '7d': { bucketSeconds: 4 * HOUR_SECONDS, buckets: 42 },
  '30d': { bucketSeconds: 12 * HOUR_SECONDS, buckets: 60 },
} as const

export type Range = keyof typeof RANGES
export const RANGE_NAMES = Object.keys(RANGES) as Range[]

/** The buckets of a range, the last of which is not over, and the period of the same length before it. */
export type Period = { bucketSeconds: number; buckets: number; previousSince: Date; since: Date; until: Date }

export function computePeriod(range: Range, now: Date): Period {
  const { bucketSeconds, buckets } = RANGES[range]
  const bucketMs = bucketSeconds * 1000
  const untilMs = (Math.floor(now.getTime() / bucketMs) + 1) * bucketMs
  const lengthMs = buckets * bucketMs
  return {
    bucketSeconds,
    buckets,
    previousSince: new Date(untilMs - 2 * lengthMs),
    since: new Date(untilMs - lengthMs),
    until: new Date(untilMs),
  }
}

/** Values by bucket as a series, zeros included. A bucket before 0 belongs to the previous period. */
export function toSeries(period: Period, values: Iterable<{ bucket: number; value: number }>): number[] {
  const series = Array.from({ length: period.buckets }, () => 0)
  for (const { bucket, value } of values) {
    const before = series[bucket]
    if (before !== undefined) series[bucket] = before + value
  }
  return series
}
