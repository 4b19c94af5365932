import { DAY_MS, HOUR_MS, MINUTE_MS } from './model.ts'

/** The platform gives up on an update a week after it happened. */
export const RETRY_FOR_MS = 7 * DAY_MS

/** Ever rarer: the last wait repeats until the week is over. */
const WAITS_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
]

/** How long to wait after the failed attempt of that number, or undefined when a week has passed. */
export function retryWaitMs(attempts: number, ageMs: number): number | undefined {
  const wait = WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1] ?? DAY_MS
  return ageMs + wait > RETRY_FOR_MS ? undefined : wait
}
