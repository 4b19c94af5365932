import { createSlotUsage, type Lane, type SlotUsage } from './lane.ts'

export type DeliveryLimits = {
  /** Attempts in flight in this process, of all endpoints. */
  inFlightMax: number
  /** The part of them that slow endpoints share. */
  slowInFlightMax: number
  /** The concurrency limit of one endpoint. */
  concurrency: { min: number; start: number; max: number }
  /** Deliveries in one claim. */
  claimMax: number
  /** Bytes of the payloads in flight. One payload may have several megabytes. */
  inFlightBytesMax: number
}

export const DELIVERY_LIMITS: DeliveryLimits = {
  inFlightMax: 1024,
  slowInFlightMax: 512,
  concurrency: { min: 2, start: 8, max: 64 },
  claimMax: 256,
  inFlightBytesMax: 32 * 1024 * 1024,
}

const SLOW_MS = 1000
/** The share of the free slots that one endpoint may occupy. */
const FREE_SHARE = 0.25

/**
 * Counts attempts in flight and adapts each endpoint's concurrency limit to how
 * fast it responds. Slow endpoints share a part of the slots: a receiver that
 * accepts requests and never responds slows down only other slow ones.
 *
 * An organization may occupy as many of the slots, of those for slow endpoints and
 * of the bytes as it leaves free: one organization a half, two a third
 * each. So there is room for another organization, even if some have very many
 * endpoints whose receivers are not known to be slow yet, or large payloads.
 */
export function createAttemptSlots(limits: DeliveryLimits) {
  const { concurrency } = limits
  const max: SlotUsage = {
    attempts: limits.inFlightMax,
    slowAttempts: limits.slowInFlightMax,
    bytes: limits.inFlightBytesMax,
  }
  const total = createSlotUsage()

  /** Returns how much more an organization may occupy. The last free slot is for one that has none. */
  function countShare(of: SlotUsage, what: keyof SlotUsage): number {
    return Math.ceil((max[what] - total[what] - of[what]) / 2)
  }

  /** Returns how many more payloads of that size fit into the organization's share. Alone, any payload fits. */
  function countFitting(of: SlotUsage, payloadBytes: number): number {
    const count = payloadBytes > 0 ? Math.floor(countShare(of, 'bytes') / payloadBytes) : Infinity
    return total.bytes === 0 ? Math.max(1, count) : count
  }

  /** A lane is not free until a payload of that size fits: what did not fit is not claimed again in vain. */
  function expectBytes(lane: Lane, bytes: number): void {
    lane.payloadBytes = Math.max(lane.payloadBytes, bytes)
  }

  function add({ usage }: Lane, what: keyof SlotUsage, amount: number): void {
    usage[what] += amount
    total[what] += amount
  }

  return {
    countInFlight: () => total.attempts,
    countFree: () => max.attempts - total.attempts,
    countFreeBytes: () => Math.max(0, max.bytes - total.bytes),

    expectBytes,

    /** False where the payload does not fit. */
    reserveBytes(lane: Lane, bytes: number): boolean {
      expectBytes(lane, bytes)
      if (countFitting(lane.usage, bytes) < 1) return false
      add(lane, 'bytes', bytes)
      return true
    },

    releaseBytes: (lane: Lane, bytes: number) => add(lane, 'bytes', -bytes),

    /** Returns how many more attempts the lane may start. Proportional to what is free, so some is left for the next lane. */
    countFreeFor(lane: Lane): number {
      const { usage, isSlow, payloadBytes } = lane
      const share = countShare(usage, isSlow ? 'slowAttempts' : 'attempts')
      // Very many lanes of one organization may be waiting.
      if (share <= 0) return 0
      const limit = Math.min(lane.concurrencyLimit, Math.ceil((max.attempts - total.attempts) * FREE_SHARE))
      const free = Math.min(limit - lane.inFlight, share, countFitting(usage, payloadBytes))
      return isSlow ? Math.min(free, countShare(usage, 'attempts')) : free
    },

    /** Counts attempts that a claim is planned for; a negative number undoes it. */
    plan(lane: Lane, count: number): void {
      lane.inFlight += count
      add(lane, 'attempts', count)
      if (lane.isSlow) add(lane, 'slowAttempts', count)
      add(lane, 'bytes', count * lane.payloadBytes)
    },

    /** Keeps slots free for attempts that may follow; a negative number gives them back. */
    hold(lane: Lane, count: number): void {
      lane.inFlight += count
      add(lane, 'attempts', count)
    },

    /** Returns whether the attempt counts as one of a slow endpoint; `release` needs it back. */
    occupy(lane: Lane): boolean {
      lane.inFlight++
      add(lane, 'attempts', 1)
      if (lane.isSlow) add(lane, 'slowAttempts', 1)
      return lane.isSlow
    },

    /** `tookMs` is null for an attempt that was not made: it says nothing about the endpoint's speed. */
    release(lane: Lane, { tookMs, wasSlow }: { tookMs: number | null; wasSlow: boolean }): void {
      if (tookMs !== null) {
        const { min, max } = concurrency
        lane.isSlow = tookMs > SLOW_MS
        lane.concurrencyLimit = lane.isSlow
          ? Math.max(min, lane.concurrencyLimit >> 1)
          : Math.min(max, lane.concurrencyLimit + 1)
      }
      lane.inFlight--
      add(lane, 'attempts', -1)
      if (wasSlow) add(lane, 'slowAttempts', -1)
    },
  }
}
