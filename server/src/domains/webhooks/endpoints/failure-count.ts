/** An endpoint is paused after this many consecutive failures. */
export const PAUSE_AT = 20
/** From this failure of a run on, the endpoint's attempts are made one at a time and spaced. */
export const SPACED_FROM = 5
/** The attempt that can be the twentieth failure starts no earlier than this after the first failure of the run. */
export const RUN_SECONDS_MIN = 20
/** Before that, the audit log warns the organization. */
const WARN_AT = [10, 15]

/** `canPause` is true for the failure of an attempt that had the turn, and started late enough to be the twentieth. */
type CountedResult = { isSuccess: boolean; canPause: boolean }

/**
 * `failures` is the count after all results; `warnings` are the thresholds of `WARN_AT` that were reached on the way.
 * `isNewRun` is true if the run of these failures began with one of the results, `isSpacedNow` if its attempts are spaced
 * from now on.
 */
type FailureCount = {
  failures: number
  warnings: number[]
  isPaused: boolean
  isNewRun: boolean
  isSpacedNow: boolean
}

/**
 * Applies results in order: each failure adds one, a success resets the count. Attempts that were in flight when the
 * spacing began raise the count to nineteen at most. The twentieth failure pauses the endpoint, even if a success follows
 * in the same batch: that attempt ended after the pause.
 */
export function countFailures(before: number, results: readonly CountedResult[]): FailureCount {
  const count = { failures: before, warnings: [] as number[], isPaused: false }
  let isNewRun = before === 0
  for (const { isSuccess, canPause } of results) {
    const failures = isSuccess ? 0 : addFailure(count.failures, canPause)
    const isRaised = failures > count.failures
    if (isRaised && WARN_AT.includes(failures)) count.warnings.push(failures)
    if (isRaised && failures >= PAUSE_AT) count.isPaused = true
    if (isSuccess) isNewRun = true
    count.failures = failures
  }
  isNewRun &&= count.failures > 0
  const isSpacedNow = count.failures >= SPACED_FROM && !count.isPaused && (isNewRun || before < SPACED_FROM)
  return { ...count, isNewRun, isSpacedNow }
}

function addFailure(failures: number, canPause: boolean): number {
  return Math.min(failures + 1, canPause ? PAUSE_AT : Math.max(failures, PAUSE_AT - 1))
}
