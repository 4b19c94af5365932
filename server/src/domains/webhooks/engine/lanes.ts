import type { EndpointKey } from '../wake-ups.ts'
import { createAttemptSlots, type DeliveryLimits } from './attempt-slots.ts'
import type { ClaimedDelivery, ClaimRequest } from './delivery.ts'
import { createLane, createSlotUsage, type Lane, type SlotUsage } from './lane.ts'
import { createRotation, type Rotation } from './rotation.ts'

/** Claiming this many of one endpoint costs little more than one. More would need more connections than are kept open. */
const BATCH_SIZE_MAX = 4
const LANES_MAX = 10_000
/** Looking through the lanes of an organization with more of them would cost more than a claim. */
const DIRECT_LANES_MAX = 20

/** `wakeUps` is the lane's count at the moment of planning. */
export type ClaimPlan = { lane: Lane; request: ClaimRequest; wakeUps: number }[]
/** Lanes with slots held for `count` deliveries each, and the version of the endpoint that the worker knows. */
export type DirectPlan = { lane: Lane; version: number; count: number }[]
export type Lanes = ReturnType<typeof createLanes>

/**
 * Shares a worker's attempts out among organizations and their endpoints, in
 * rotation and in small batches. Backlogged endpoints get batches of several but
 * leave half of each claim to light ones, as long as there are any: an event for
 * a light endpoint never waits for the backlog of another.
 */
export function createLanes(limits: DeliveryLimits, { lanesMax = LANES_MAX } = {}) {
  const slots = createAttemptSlots(limits)
  const lanes = new Map<string, Lane>()
  /** The organizations of the lanes. `claims` counts lanes in claims that are in progress. */
  const organizations = new Map<string, { usage: SlotUsage; lanes: Set<Lane>; claims: number }>()
  const light = createRotation()
  const backlogged = createRotation()

  function getLane(endpoint: EndpointKey): Lane {
    const found = lanes.get(endpoint.endpointId)
    if (found) return found
    const organization = organizations.get(endpoint.organizationId) ?? createOrganization()
    organizations.set(endpoint.organizationId, organization)
    const { usage } = organization
    const lane = createLane(endpoint, { usage, concurrencyLimit: limits.concurrency.start })
    organization.lanes.add(lane)
    lanes.set(endpoint.endpointId, lane)
    return lane
  }

  function dropLane(lane: Lane): void {
    lanes.delete(lane.endpointId)
    const organization = organizations.get(lane.organizationId)
    organization?.lanes.delete(lane)
    if (organization?.lanes.size === 0) organizations.delete(lane.organizationId)
  }

  function enqueue(lane: Lane): void {
    const isBacklogged = lane.batchSize > 1
    if (isBacklogged) light.remove(lane)
    else backlogged.remove(lane)
    const rotation = isBacklogged ? backlogged : light
    rotation.add(lane)
  }

  function dequeue(lane: Lane): void {
    lane.mayHaveDue = false
    light.remove(lane)
    backlogged.remove(lane)
  }

  function dropIdle(): void {
    for (const lane of lanes.values()) {
      if (lanes.size <= lanesMax) return
      if (isIdle(lane)) dropLane(lane)
    }
  }

  function countClaim({ organizationId }: Lane, count: number): void {
    const organization = organizations.get(organizationId)
    if (organization) organization.claims += count
  }

  return {
    getLane,
    claimMax: limits.claimMax,
    countInFlight: slots.countInFlight,
    startAttempt: slots.occupy,
    endAttempt: slots.release,
    countFreeBytes: slots.countFreeBytes,
    expectBytes: slots.expectBytes,
    reserveBytes: slots.reserveBytes,
    releaseBytes: slots.releaseBytes,

    wake(endpoints: EndpointKey[]): void {
      for (const endpoint of endpoints) {
        const lane = getLane(endpoint)
        lane.mayHaveDue = true
        lane.wakeUps++
        enqueue(lane)
      }
      dropIdle()
    },

    /** After a change of an endpoint: what is claimed for it and has not started is claimed again. */
    forget({ endpointId }: EndpointKey): void {
      const lane = lanes.get(endpointId)
      if (!lane) return
      lane.target = undefined
      if (isIdle(lane)) dropLane(lane)
    },

    hasWork(): boolean {
      if (slots.countFree() <= 0) return false
      for (const lane of light) if (slots.countFreeFor(lane) > 0) return true
      for (const lane of backlogged) if (slots.countFreeFor(lane) > 0) return true
      return false
    },

    /**
     * Chooses what to claim next. Each lane gets its batch size or an even share of the free slots, as far as its organization
     * may occupy them. The claim has at most `claimLimit` deliveries. The lanes stay in memory until `endClaim`.
     */
    planClaim(claimLimit = limits.claimMax): ClaimPlan {
      const free = Math.min(slots.countFree(), claimLimit)
      const counts = new Map<Lane, number>()
      let remaining = free

      /** Returns whether the lane got any of the `wanted` deliveries. */
      function add(lane: Lane, wanted: number): boolean {
        const count = Math.min(wanted, slots.countFreeFor(lane), remaining)
        if (count <= 0) return false
        slots.plan(lane, count)
        counts.set(lane, (counts.get(lane) ?? 0) + count)
        remaining -= count
        return true
      }

      /** Adds the next free lanes of a rotation while more than `leave` remains, and moves them to its end. */
      function addNext(rotation: Rotation, leave: number): void {
        const next: Lane[] = []
        for (const lane of rotation) {
          if (remaining <= leave || counts.has(lane)) break
          if (add(lane, lane.batchSize)) next.push(lane)
        }
        for (const lane of next) rotation.moveToEnd(lane)
      }

      addNext(light, backlogged.isEmpty() ? 0 : Math.floor(free / 2))
      addNext(backlogged, 0)
      addNext(light, 0)
      const share = Math.floor(free / Math.max(1, counts.size))
      for (const [lane, count] of counts) add(lane, share - count)
      return [...counts].map(([lane, count]) => {
        const { organizationId, endpointId, wakeUps } = lane
        const knownVersion = lane.target?.version ?? 0
        slots.plan(lane, -count)
        lane.claims++
        countClaim(lane, 1)
        return { lane, wakeUps, request: { organizationId, endpointId, count, knownVersion } }
      })
    },

    /**
     * Lanes whose next deliveries can be attempted as soon as they are inserted: nothing of them is due that should come
     * first, and there are slots for a delivery of each of the organization's events. The slots are held until `endDirect`.
     * Attempts of a claim in progress are not counted before they start, so meanwhile the organization gets none.
     */
    planDirect(eventCounts: ReadonlyMap<string, number>): DirectPlan {
      const plan: DirectPlan = []
      for (const [organizationId, count] of eventCounts) {
        const organization = organizations.get(organizationId)
        if (!organization || organization.claims > 0 || organization.lanes.size > DIRECT_LANES_MAX) continue
        for (const lane of organization.lanes) {
          if (!lane.target || lane.mayHaveDue || lane.isSlow || slots.countFreeFor(lane) < count) continue
          slots.hold(lane, count)
          lane.claims++
          plan.push({ lane, version: lane.target.version, count })
        }
      }
      return plan
    },

    endDirect(plan: DirectPlan): void {
      for (const { lane, count } of plan) {
        slots.hold(lane, -count)
        lane.claims--
      }
    },

    /** After the attempts of a claim have started, or the claim has failed. */
    endClaim(plan: ClaimPlan): void {
      for (const { lane } of plan) {
        lane.claims--
        countClaim(lane, -1)
      }
    },

    /** A lane that yielded fewer deliveries than requested has no more that are due, unless it was woken meanwhile. */
    settleClaim(plan: ClaimPlan, claimed: ClaimedDelivery[]): void {
      const counts = new Map<string, number>()
      for (const { endpoint_id } of claimed) counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1)
      for (const { lane, request, wakeUps } of plan) {
        const hasMore = (counts.get(lane.endpointId) ?? 0) >= request.count
        lane.payloadBytes = 0
        lane.batchSize = hasMore ? Math.min(BATCH_SIZE_MAX, lane.batchSize * 2) : 1
        if (hasMore || lane.wakeUps !== wakeUps) enqueue(lane)
        else dequeue(lane)
      }
    },
  }
}

function createOrganization() {
  return { usage: createSlotUsage(), lanes: new Set<Lane>(), claims: 0 }
}

function isIdle({ inFlight, claims, mayHaveDue }: Lane): boolean {
  return inFlight === 0 && claims === 0 && !mayHaveDue
}
