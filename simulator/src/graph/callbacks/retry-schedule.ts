import type { RetrySchedule } from '../../outbox.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model.ts'

/** The platform retries with growing waits and gives up a week after the update. */
export const RETRY_SCHEDULE: RetrySchedule = {
  waitsMs: [
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
  ],
  giveUpAfterMs: 7 * DAY_MS,
}
