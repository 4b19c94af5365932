import type { Lane } from './lane.ts'

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

export type AttemptSlots = ReturnType<typeof createAttemptSlots>

/**
 * Counts attempts in flight and adapts each endpoint's concurrency limit to how
 * fast it responds. Slow endpoints share a part of the slots: a receiver that
 * accepts requests and never responds slows down only other slow ones.
 */
export function createAttemptSlots(limits: DeliveryLimits) {
  const { inFlightMax, slowInFlightMax, concurrency, inFlightBytesMax } = limits
  let inFlight = 0
  let slowInFlight = 0
  let bytesInFlight = 0
  /** A payload did not fit: no slot is free until half of the bytes are. */
  let isHeld = false

  return {
    countInFlight: () => inFlight,
    countFree: () => (isHeld ? 0 : inFlightMax - inFlight),
    countFreeBytes: () => Math.max(0, inFlightBytesMax - bytesInFlight),

    /** False where the payload does not fit beside those in flight. Alone, any payload fits. */
    reserveBytes(bytes: number): boolean {
      if (bytesInFlight > 0 && bytesInFlight + bytes > inFlightBytesMax) return false
      bytesInFlight += bytes
      return true
    },

    releaseBytes(bytes: number): void {
      bytesInFlight -= bytes
      if (bytesInFlight <= inFlightBytesMax / 2) isHeld = false
    },

    /** Occupies all slots until attempts in flight have released bytes. */
    hold(): void {
      isHeld = bytesInFlight > 0
    },

    /** How many more attempts the lane may start. Proportional to what is free, so some is left for the next lane. */
    countFreeFor(lane: Lane): number {
      const limit = Math.min(lane.concurrencyLimit, Math.ceil((inFlightMax - inFlight) * FREE_SHARE))
      const free = limit - lane.inFlight
      return lane.isSlow ? Math.min(free, slowInFlightMax - slowInFlight) : free
    },

    /** Returns whether the attempt counts as one of a slow endpoint; `release` needs it back. */
    occupy(lane: Lane): boolean {
      lane.inFlight++
      inFlight++
      if (lane.isSlow) slowInFlight++
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
      inFlight--
      if (wasSlow) slowInFlight--
    },
  }
}
