import type { EndpointKey } from '../wake-ups.ts'
import { createAttemptSlots, type DeliveryLimits } from './attempt-slots.ts'
import type { ClaimedDelivery, ClaimRequest } from './delivery.ts'
import { createLane, type Lane } from './lane.ts'

/** Claiming this many of one endpoint costs little more than one. More would need more connections than are kept open. */
const BATCH_SIZE_MAX = 4
const LANES_MAX = 10_000

/** `wakeUps` is the lane's count at the moment of planning. */
export type ClaimPlan = { lane: Lane; request: ClaimRequest; wakeUps: number }[]
export type Lanes = ReturnType<typeof createLanes>

/**
 * Shares a worker's attempts out among endpoints, in rotation and in small
 * batches. Backlogged endpoints get batches of several but leave half of each
 * claim to light ones, as long as there are any: an event for a light endpoint
 * never waits for the backlog of another.
 */
export function createLanes(limits: DeliveryLimits, { lanesMax = LANES_MAX } = {}) {
  const slots = createAttemptSlots(limits)
  const lanes = new Map<string, Lane>()
  /** Lanes that may have due deliveries, in rotation: the longest waiting lane first. */
  const light = new Set<Lane>()
  const backlogged = new Set<Lane>()

  function getLane(endpoint: EndpointKey): Lane {
    const found = lanes.get(endpoint.endpointId)
    if (found) return found
    const lane = createLane(endpoint, limits.concurrency.start)
    lanes.set(endpoint.endpointId, lane)
    return lane
  }

  function enqueue(lane: Lane): void {
    const isBacklogged = lane.batchSize > 1
    if (isBacklogged) light.delete(lane)
    else backlogged.delete(lane)
    const rotation = isBacklogged ? backlogged : light
    rotation.add(lane)
  }

  function dequeue(lane: Lane): void {
    lane.mayHaveDue = false
    light.delete(lane)
    backlogged.delete(lane)
  }

  function dropIdle(): void {
    for (const [key, lane] of lanes) {
      if (lanes.size <= lanesMax) return
      if (lane.inFlight === 0 && lane.claims === 0 && !lane.mayHaveDue) lanes.delete(key)
    }
  }

  return {
    getLane,
    countInFlight: slots.countInFlight,
    startAttempt: slots.occupy,
    endAttempt: slots.release,
    countFreeBytes: slots.countFreeBytes,
    reserveBytes: slots.reserveBytes,
    releaseBytes: slots.releaseBytes,
    holdClaims: slots.hold,

    wake(endpoints: EndpointKey[]): void {
      for (const endpoint of endpoints) {
        const lane = getLane(endpoint)
        lane.mayHaveDue = true
        lane.wakeUps++
        enqueue(lane)
      }
      dropIdle()
    },

    hasWork(): boolean {
      if (slots.countFree() <= 0) return false
      for (const lane of light) if (slots.countFreeFor(lane) > 0) return true
      for (const lane of backlogged) if (slots.countFreeFor(lane) > 0) return true
      return false
    },

    /**
     * What to claim next. Each lane gets its batch size or an even share of the free slots, and at least one. The lanes
     * stay in memory until `endClaim`.
     */
    planClaim(): ClaimPlan {
      const free = Math.min(slots.countFree(), limits.claimMax)
      const chosen = new Set<Lane>()
      const isFree = (lane: Lane) => slots.countFreeFor(lane) > 0
      const lightMax = backlogged.size > 0 ? Math.ceil(free / 2) : free
      let planned = choose(light, { chosen, isFree, planned: 0, max: lightMax })
      planned = choose(backlogged, { chosen, isFree, planned, max: free })
      choose(light, { chosen, isFree, planned, max: free })
      const share = Math.max(1, Math.floor(free / Math.max(1, chosen.size)))
      let remaining = free
      return [...chosen].flatMap((lane) => {
        const { organizationId, endpointId, wakeUps, batchSize } = lane
        const count = Math.min(Math.max(share, batchSize), slots.countFreeFor(lane), remaining)
        remaining -= count
        const knownVersion = lane.target?.version ?? 0
        if (count === 0) return []
        lane.claims++
        return [{ lane, wakeUps, request: { organizationId, endpointId, count, knownVersion } }]
      })
    },

    /** After the attempts of a claim have started, or the claim has failed. */
    endClaim(plan: ClaimPlan): void {
      for (const { lane } of plan) lane.claims--
    },

    /** A lane that yielded fewer deliveries than requested has no more that are due, unless it was woken meanwhile. */
    settleClaim(plan: ClaimPlan, claimed: ClaimedDelivery[]): void {
      const counts = new Map<string, number>()
      for (const { endpoint_id } of claimed) counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1)
      for (const { lane, request, wakeUps } of plan) {
        const hasMore = (counts.get(lane.endpointId) ?? 0) >= request.count
        lane.batchSize = hasMore ? Math.min(BATCH_SIZE_MAX, lane.batchSize * 2) : 1
        if (hasMore || lane.wakeUps !== wakeUps) enqueue(lane)
        else dequeue(lane)
      }
    },
  }
}

type Choice = { chosen: Set<Lane>; isFree: (lane: Lane) => boolean; planned: number; max: number }

/** Chooses the next free lanes of a rotation until `max` deliveries are planned, and moves them to its end. */
function choose(rotation: Set<Lane>, { chosen, isFree, planned, max }: Choice): number {
  const next: Lane[] = []
  let sum = planned
  for (const lane of rotation) {
    if (sum >= max || chosen.has(lane)) break
    if (!isFree(lane)) continue
    next.push(lane)
    sum += lane.batchSize
  }
  for (const lane of next) {
    chosen.add(lane)
    rotation.delete(lane)
    rotation.add(lane)
  }
  return sum
}
