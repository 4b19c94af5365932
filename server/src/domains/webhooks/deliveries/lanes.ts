import type { EndpointKey } from '../wake-ups.ts'
import type { Claimed, Want } from './claims.ts'

export type Target = { version: number; url: string; secret: string | undefined; deliveryFormat: 'native' | 'compat' }

/** One endpoint as a worker sees it. */
export type Lane = EndpointKey & {
  inFlight: number
  /** How many attempts it may have under way: more with each quick answer, half with each slow one. */
  width: number
  /** Its last answer was slow. */
  isSlow: boolean
  mayHaveDue: boolean
  /** How many it is asked for at a time: twice as many after each time that it had as many, one after it had less. */
  helping: number
  /** Counts the hints that something is due, so that one which comes during a claim is not forgotten by its result. */
  hints: number
  target: Target | undefined
}

export type Limits = {
  /** Attempts under way, of all endpoints, in this process. */
  total: number
  /** Of all endpoints that were slow of late. */
  slowTotal: number
  /** Of one endpoint: at least, at first, and at most. */
  width: { min: number; start: number; max: number }
  perClaim: number
}

export const DELIVERY_LIMITS: Limits = {
  total: 1024,
  slowTotal: 512,
  width: { min: 2, start: 8, max: 64 },
  perClaim: 256,
}

const SLOW_MS = 1000
/** An endpoint may hold as much as this part of what is free. */
const FREE_SHARE = 0.25
/** To claim so many of one endpoint costs little more than one. More would take more connections than can be kept. */
const HELPING_MAX = 4

export type Plan = { lane: Lane; want: Want; hints: number }[]
export type Lanes = ReturnType<typeof createLanes>

/**
 * Shares a worker's attempts out among endpoints: in turn, a few of each. Those
 * with much to deliver take turns of several, and leave half of each claim to
 * those with little, for as long as there are any: an event among few never waits
 * for the many of others. How many an endpoint may have at once follows how
 * quickly it answers, and those that were slow of late have a part of the whole
 * to themselves: a receiver that accepts and never answers costs only itself, and
 * many of them only each other.
 */
export function createLanes(limits: Limits, { rememberedMax = 10_000 } = {}) {
  const lanes = new Map<string, Lane>()
  /** Those that may have something due, whoever waits longest first: with little by all that is known, and with much. */
  const few = new Set<Lane>()
  const many = new Set<Lane>()
  let inFlight = 0
  let slowInFlight = 0

  function laneOf({ organizationId, endpointId }: EndpointKey): Lane {
    const found = lanes.get(endpointId)
    if (found) return found
    const state = { inFlight: 0, width: limits.width.start, isSlow: false, mayHaveDue: false, helping: 1, hints: 0 }
    const made: Lane = { organizationId, endpointId, ...state, target: undefined }
    lanes.set(endpointId, made)
    return made
  }

  /** The less is free, the less anybody may hold of it: so something is always left for those who hold little. */
  function roomOf(lane: Lane): number {
    const room = Math.min(lane.width, Math.ceil((limits.total - inFlight) * FREE_SHARE)) - lane.inFlight
    return lane.isSlow ? Math.min(room, limits.slowTotal - slowInFlight) : room
  }

  /** Adds to `served` whoever is next in the row and has room, until so much is asked for, and sends them to its end. */
  function serve(row: Set<Lane>, served: Set<Lane>, asked: number, free: number): number {
    const next: Lane[] = []
    let sum = asked
    for (const lane of row) {
      if (sum >= free || served.has(lane)) break
      if (roomOf(lane) <= 0) continue
      next.push(lane)
      sum += lane.helping
    }
    for (const lane of next) {
      served.add(lane)
      row.delete(lane)
      row.add(lane)
    }
    return sum
  }

  function enqueue(lane: Lane): void {
    const row = lane.helping > 1 ? many : few
    if (row === few) many.delete(lane)
    else few.delete(lane)
    row.add(lane)
  }

  function forgetIdle(): void {
    for (const [key, lane] of lanes) {
      if (lanes.size <= rememberedMax) return
      if (lane.inFlight === 0 && !lane.mayHaveDue) lanes.delete(key)
    }
  }

  return {
    laneOf,
    inFlight: () => inFlight,

    hint(endpoints: EndpointKey[]): void {
      for (const endpoint of endpoints) {
        const lane = laneOf(endpoint)
        lane.mayHaveDue = true
        lane.hints++
        enqueue(lane)
      }
      forgetIdle()
    },

    hasWork(): boolean {
      if (inFlight >= limits.total) return false
      for (const lane of few) if (roomOf(lane) > 0) return true
      for (const lane of many) if (roomOf(lane) > 0) return true
      return false
    },

    /** What to ask for next. Nobody gets more than a helping or an even share of what is free, and everybody one. */
    plan(): Plan {
      const free = Math.min(limits.total - inFlight, limits.perClaim)
      const served = new Set<Lane>()
      const asked = serve(few, served, 0, many.size > 0 ? Math.ceil(free / 2) : free)
      serve(few, served, serve(many, served, asked, free), free)
      const share = Math.max(1, Math.floor(free / Math.max(1, served.size)))
      let left = free
      return [...served].flatMap((lane) => {
        const { organizationId, endpointId, hints, helping } = lane
        const count = Math.min(Math.max(share, helping), roomOf(lane), left)
        left -= count
        const knownVersion = lane.target?.version ?? 0
        return count > 0 ? [{ lane, hints, want: { organizationId, endpointId, count, knownVersion } }] : []
      })
    },

    /** A lane that gave less than was asked of it has nothing more that is due, unless somebody hinted meanwhile. */
    settle(plan: Plan, claimed: Claimed[]): void {
      const counts = new Map<string, number>()
      for (const { endpoint_id } of claimed) counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1)
      for (const { lane, want, hints } of plan) {
        const hasMore = (counts.get(lane.endpointId) ?? 0) >= want.count
        lane.helping = hasMore ? Math.min(HELPING_MAX, lane.helping * 2) : 1
        if (hasMore || lane.hints !== hints) {
          enqueue(lane)
          continue
        }
        lane.mayHaveDue = false
        few.delete(lane)
        many.delete(lane)
      }
    },

    /** Returns whether the attempt counts among those of the slow, to be told again at its end. */
    begin(lane: Lane): boolean {
      lane.inFlight++
      inFlight++
      if (lane.isSlow) slowInFlight++
      return lane.isSlow
    },

    end(lane: Lane, { tookMs, wasSlow }: { tookMs: number | null; wasSlow: boolean }): void {
      const { min, max } = limits.width
      if (tookMs !== null) {
        lane.isSlow = tookMs > SLOW_MS
        lane.width = lane.isSlow ? Math.max(min, lane.width >> 1) : Math.min(max, lane.width + 1)
      }
      lane.inFlight--
      inFlight--
      if (wasSlow) slowInFlight--
    },
  }
}

/** The endpoint as it was when the delivery was claimed; the claim brings along what is new to the worker. */
export function targetOf(
  lane: Lane,
  claimed: Claimed,
  open: (sealed: string) => string | undefined,
): Target | undefined {
  const { version, url, secret, delivery_format: deliveryFormat } = claimed
  if (url !== null && secret !== null && deliveryFormat !== null) {
    lane.target = { version, url, secret: open(secret), deliveryFormat }
  }
  return lane.target?.version === version ? lane.target : undefined
}
