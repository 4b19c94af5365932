const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The provider gives up on an event three days after it happened. */
const RETRY_FOR_MS = 72 * HOUR_MS

/** Ever rarer; the provider publishes that they grow and not how, so these numbers are ours. */
const WAITS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS]

/** How long to wait after the failed attempt of that number, or undefined when three days have passed. */
export function retryWaitMs(attempts: number, ageMs: number): number | undefined {
  const wait = WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1] ?? HOUR_MS
  return ageMs + wait > RETRY_FOR_MS ? undefined : wait
}
