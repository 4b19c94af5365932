import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../../kernel/db/pool.ts'
import type { SessionLock } from '../../../kernel/db/session-lock.ts'
import type { ResultBuffer } from '../results/result-buffer.ts'
import { buildClaimToken } from './claim-token.ts'
import type { ClaimedDelivery } from './delivery.ts'
import type { DirectPlan, Lanes } from './lanes.ts'
import { LEASE_SECONDS, type Worker } from './worker.ts'

/** Long enough for a database to commit what it did not answer any more, and to take connections again. */
const RELEASE_PAUSE_MS = 1000

/** The worker knows the version that was claimed. */
const KNOWN_TARGET = {
  url: null,
  secret: null,
  previous_secret: null,
  previous_secret_until: null,
  delivery_format: null,
  media_urls: null,
  inspector_answer: null,
} as const

type Dependencies = {
  lanes: Lanes
  worker: Worker
  results: Pick<ResultBuffer, 'hasRoom'>
  lock: Pick<SessionLock, 'readKey'>
  isHeld: () => boolean
}

/** The outcome of a claim: an attempt has ended, slots are free again, or something failed. */
type Callbacks = { onAttemptEnd: () => void; onSlotsFree: () => void; onError: (err: unknown) => void }

/** A new delivery, inserted with the claim. */
export type DirectDelivery = Pick<ClaimedDelivery, 'organization_id' | 'endpoint_id' | 'id' | 'event_id' | 'event_kind'>

/** A claim for the statement that inserts deliveries: it claims those for these versions of these endpoints. */
export type DirectClaim = {
  claimToken: string
  leaseSeconds: number
  endpoints: { organizationId: string; endpointId: string; version: number }[]
  /** To be called when the claimed deliveries are committed. */
  start: (deliveries: DirectDelivery[]) => void
  /**
   * To be called instead when that failed; a second call does nothing. Where the answer was lost, deliveries may be
   * committed: they are released.
   */
  cancel: (err: unknown) => void
}

export type DirectClaims = ReturnType<typeof createDirectClaims>

/**
 * Lets the process that publishes an event claim its deliveries in the statement that inserts them, where it can attempt
 * them at once: an event at rest costs one statement and one commit less. All other deliveries wait for a claim.
 */
export function createDirectClaims({ lanes, worker, results, lock, isHeld }: Dependencies) {
  let callbacks: Callbacks | undefined
  const open = new Set<Promise<unknown>>()

  function buildClaim(plan: DirectPlan, { onAttemptEnd, onSlotsFree, onError }: Callbacks): DirectClaim {
    const claimToken = buildClaimToken(lock.readKey())
    const claim = { claimToken, claimedAt: performance.now(), isDirect: true, onAttemptEnd }
    const versions = new Map(plan.map(({ lane, version }) => [lane.endpointId, version]))
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    open.add(ended)

    function toClaimed(delivery: DirectDelivery): ClaimedDelivery {
      const version = versions.get(delivery.endpoint_id) ?? 0
      return { ...delivery, ...KNOWN_TARGET, attempts: 1, version }
    }

    async function startAll(deliveries: DirectDelivery[]): Promise<void> {
      if (deliveries.length > 0) await worker.startClaimed(deliveries.map(toClaimed), claim).catch(onError)
      finish()
    }

    function finish(): void {
      lanes.endDirect(plan)
      onSlotsFree()
      open.delete(ended)
      end()
    }

    return {
      claimToken,
      leaseSeconds: LEASE_SECONDS,
      endpoints: plan.map(({ lane: { organizationId, endpointId }, version }) => ({
        organizationId,
        endpointId,
        version,
      })),
      // After the current callbacks, in which the requests that wait for the commit are answered.
      start: (deliveries) => void setImmediate(() => startAll(deliveries)),
      cancel(err) {
        if (!open.has(ended)) return
        finish()
        if (isDatabaseUnavailable(err)) void releaseLost(claimToken)
      },
    }
  }

  /** Until it succeeds, or the leases have expired. Polling finds what is released. */
  async function releaseLost(claimToken: string): Promise<void> {
    for (let seconds = 0; seconds < LEASE_SECONDS; seconds++) {
      await delay(RELEASE_PAUSE_MS, undefined, { ref: false })
      const isReleased = await worker.releaseToken(claimToken).then(
        () => true,
        () => false,
      )
      if (isReleased) return
    }
  }

  return {
    /** Undefined where no delivery of the events can be attempted at once. */
    plan(events: readonly { organizationId: string }[]): DirectClaim | undefined {
      if (!callbacks || isHeld() || !results.hasRoom()) return undefined
      const counts = new Map<string, number>()
      for (const { organizationId } of events) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
      const plan = lanes.planDirect(counts)
      return plan.length > 0 ? buildClaim(plan, callbacks) : undefined
    },

    start(running: Callbacks): void {
      callbacks = running
    },

    /** Resolves when the attempts of every claim have started. */
    async stop(): Promise<void> {
      callbacks = undefined
      await Promise.all(open)
    },
  }
}
