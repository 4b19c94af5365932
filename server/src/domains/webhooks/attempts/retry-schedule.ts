const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/**
 * How long to wait after the 1st, 2nd, ... 9th failed attempt: quick while the receiver may only be restarting, then
 * slow enough to outlive a long weekend. They add up to 3 days 20 h 36 min, the "about four days" of the contract.
 */
const WAITS_MS = [
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

/** Spreads the deliveries that failed together, so that they do not come back together. */
const LENGTHENING_MAX = 0.1

export const ATTEMPTS_MAX = WAITS_MS.length + 1

/**
 * Milliseconds from a failed attempt to the next, or null when the delivery is dead. `attempts` counts the failed one,
 * `random` is from 0 to 1. A receiver that asks for more time gets it, up to the wait that would have followed; one
 * that asks for less is not heard.
 */
export function nextWaitMs(attempts: number, random: number, retryAfterSeconds: number | null = null): number | null {
  if (!Number.isInteger(attempts) || attempts < 1) throw new RangeError(`No attempt has the number ${attempts}`)
  const wait = WAITS_MS[attempts - 1]
  if (wait === undefined) return null

  const lengthening = 1 + LENGTHENING_MAX * random
  const own = wait * lengthening
  const asked = (retryAfterSeconds ?? 0) * SECOND_MS * lengthening
  return Math.round(Math.max(own, Math.min(asked, WAITS_MS[attempts] ?? 0)))
}
