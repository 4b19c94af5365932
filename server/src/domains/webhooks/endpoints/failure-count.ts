/** An endpoint is paused after this many consecutive failures. */
export const PAUSE_AT = 20
/** Before that, the audit log warns the organization. */
const WARN_AT = [10, 15]

/** `failures` is the count after all results; `warnings` are the thresholds of `WARN_AT` that were reached on the way. */
type FailureCount = { failures: number; warnings: number[]; isPaused: boolean }

/**
 * Applies results in order: each failure adds one, a success resets the count.
 * The twentieth failure pauses the endpoint, even where a success follows in the
 * same batch: that attempt ended after the pause.
 */
export function countFailures(before: number, results: readonly { isSuccess: boolean }[]): FailureCount {
  const count: FailureCount = { failures: before, warnings: [], isPaused: false }
  for (const { isSuccess } of results) {
    count.failures = isSuccess ? 0 : count.failures + 1
    if (WARN_AT.includes(count.failures)) count.warnings.push(count.failures)
    if (count.failures >= PAUSE_AT) count.isPaused = true
  }
  return count
}
