/** Each is twice the one before: a percentile is within a factor of two of its true value, and closer by interpolation. */
const LATENCY_BOUNDS_MS = [50, 100, 200, 400, 800, 1600, 3200, 6400] as const

/** The columns of the histogram, in the order of the bounds. */
export const LATENCY_COLUMNS = [...LATENCY_BOUNDS_MS.map((ms) => `ms_${ms}` as const), 'ms_more' as const]

/**
 * The latency that a share of the attempts did not exceed, between the bounds of its column. Beyond the last bound there is
 * no more to say than that bound. Null without attempts.
 */
export function computePercentile(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let below = 0
  for (const [index, count] of histogram.entries()) {
    if (below + count >= rank && count > 0) {
      const low = LATENCY_BOUNDS_MS[index - 1] ?? 0
      const high = LATENCY_BOUNDS_MS[index] ?? low
      return Math.round(low + ((high - low) * (rank - below)) / count)
    }
    below += count
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null
}
