import { RETRY_MS_MAX } from '../attempts/retry-schedule.ts'
import { HELD_DAYS } from '../endpoints/cleanup.ts'

const DAY_MS = 86_400_000

/** A delivery is open for at most this long: all its attempts, and one pause. */
export const DELIVERY_DAYS_MAX = Math.ceil(RETRY_MS_MAX / DAY_MS + HELD_DAYS)

/**
 * Computes how long rows are kept, counted from the creation of the delivery or the event. A delivery stays in the log for a day
 * after its end, however late that is. A replay on the last day needs its payload for as long as a delivery can be open.
 */
export function computeRetentionDays(eventsDays: number): { deliveries: number; payloads: number } {
  const deliveries = Math.max(eventsDays, DELIVERY_DAYS_MAX + 1)
  return { deliveries, payloads: deliveries + DELIVERY_DAYS_MAX }
}
