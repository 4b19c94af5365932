import type { DeliveryLimits } from '../engine/attempt-slots.ts'

export const LIMITS: DeliveryLimits = {
  inFlightMax: 20,
  slowInFlightMax: 6,
  concurrency: { min: 1, start: 4, max: 8 },
  claimMax: 12,
  inFlightBytesMax: 100,
}
export const QUICK = { tookMs: 5, wasSlow: false }
export const SLOW = { tookMs: 10_000, wasSlow: false }

/** An endpoint of an organization of its own. */
export function toKey(endpointId: string) {
  return { organizationId: `organization of ${endpointId}`, endpointId }
}

/** Endpoints of one organization. */
export function listKeys(organizationId: string, count: number) {
  return Array.from({ length: count }, (_, i) => ({ organizationId, endpointId: `${organizationId} ${i}` }))
}
