const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/**
 * The waits after the 1st, 2nd, ... 9th failed attempt: short while the receiver may be restarting, then long enough to
 * outlast a weekend. They add up to 3 days 20 h 36 min, the "about four days" of the contract.
 */
export const WAITS_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  48 * HOUR_MS,
]

/** The longest wait. A receiver cannot request a longer one. */
export const WAIT_MS_MAX = Math.max(...WAITS_MS)

/** The largest share of a wait that is added at random, so that deliveries that failed together are retried apart. */
const JITTER_MAX = 0.1

export const ATTEMPTS_MAX = WAITS_MS.length + 1

/**
 * Milliseconds from a failed attempt to the next one, or null after the last. `attempts` includes the failed one,
 * `random` is between 0 and 1. `Retry-After` lengthens a wait up to the following one, and never shortens it.
 */
export function computeRetryWaitMs(
  attempts: number,
  random: number,
  retryAfterSeconds: number | null = null,
): number | null {
  if (!Number.isInteger(attempts) || attempts < 1) throw new RangeError(`Not a number of attempts: ${attempts}`)
  const scheduledMs = WAITS_MS[attempts - 1]
  if (scheduledMs === undefined) return null

  const jitter = 1 + JITTER_MAX * random
  const requestedMs = (retryAfterSeconds ?? 0) * SECOND_MS * jitter
  return Math.round(Math.max(scheduledMs * jitter, Math.min(requestedMs, WAITS_MS[attempts] ?? 0)))
}

/** The time from the first attempt to the last, with every wait as long as jitter and `Retry-After` can make it. */
export const RETRY_MS_MAX = WAITS_MS.reduce(
  (sum, _wait, index) => sum + (computeRetryWaitMs(index + 1, 1, WAIT_MS_MAX / SECOND_MS) ?? 0),
  0,
)
