import { BoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock.ts'

/** Messages per second, inbound and outbound together. */
export const THROUGHPUT = { STANDARD: 80, HIGH: 1_000, COEXISTENCE: 20 }

const PAIR_INTERVAL_MS = 6_000
const PAIR_BURST_MAX = 45

export type Limits = ReturnType<typeof createLimits>

export function createLimits(clock: Clock) {
  const buckets = new BoundedMap<{ level: number; at: number }>({ entriesMax: 10_000 })
  const pairs = new BoundedMap<{ burstEnds: number; burst: number; paidUntil: number }>({ entriesMax: 100_000 })
  let enforced = true

  return {
    enforce(on: boolean): void {
      enforced = on
    },

    clear(): void {
      for (const map of [buckets, pairs]) map.clear()
      enforced = true
    },

    /** A token bucket that holds one second of messages. Inbound messages drain it and are never refused. */
    takeThroughput(phoneId: string, perSecond: number): boolean {
      const now = clock.now()
      const bucket = buckets.get(phoneId) ?? { level: perSecond, at: now }
      const level = Math.min(perSecond, bucket.level + ((now - bucket.at) / 1_000) * perSecond)
      buckets.set(phoneId, { level: Math.max(0, level - 1), at: now })
      return !enforced || level >= 1
    },

    /**
     * One message per six seconds to the same person, with a burst of up to 45.
     * Each message of a burst blocks the pair for six more seconds: a burst of 20
     * blocks it for two minutes.
     */
    takePair(phoneId: string, waId: string): boolean {
      const now = clock.now()
      const key = `${phoneId}:${waId}`
      const pair = pairs.get(key)
      if (!pair || now >= pair.paidUntil) {
        pairs.set(key, { burstEnds: now + PAIR_INTERVAL_MS, burst: 1, paidUntil: now + PAIR_INTERVAL_MS })
        return true
      }
      if (enforced && (now >= pair.burstEnds || pair.burst >= PAIR_BURST_MAX)) return false
      pairs.set(key, { ...pair, burst: pair.burst + 1, paidUntil: pair.paidUntil + PAIR_INTERVAL_MS })
      return true
    },
  }
}
