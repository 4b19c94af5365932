/** After so many failures in a row an endpoint is paused. */
export const PAUSE_AT = 20
/** Before that, its people are warned. */
export const WARN_AT = [10, 15]

/** `failures` is the count after all endings; `warnings` and `isPaused` tell what was passed on the way. */
export type Verdict = { failures: number; warnings: number[]; isPaused: boolean }

/**
 * What a row of endings makes of an endpoint's failures in a row: each failure
 * adds one, a success sets none. The twentieth pauses, even where a success
 * follows within the same batch: it ended after the pause.
 */
export function countFailures(before: number, endings: readonly { isSuccess: boolean }[]): Verdict {
  const verdict: Verdict = { failures: before, warnings: [], isPaused: false }
  for (const { isSuccess } of endings) {
    verdict.failures = isSuccess ? 0 : verdict.failures + 1
    if (WARN_AT.includes(verdict.failures)) verdict.warnings.push(verdict.failures)
    if (verdict.failures >= PAUSE_AT) verdict.isPaused = true
  }
  return verdict
}
