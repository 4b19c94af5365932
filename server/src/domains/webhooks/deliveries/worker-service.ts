import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { Outcome } from '../attempts/outcome.ts'
import { nextWaitMs } from '../attempts/retry-schedule.ts'
import type { Sender } from '../attempts/sender.ts'
import { secretPlace } from '../endpoints/secret-place.ts'
import type { Bodies, Body } from './bodies.ts'
import { type Claimed, type ClaimKey, UNREADABLE } from './claims.ts'
import { type Lane, type Lanes, type Target, targetOf } from './lanes.ts'
import * as store from './queue-store.ts'
import type { Recorder } from './recorder.ts'

/** Longer than any attempt with all that comes before and after it. */
const LEASE_SECONDS = 30
/** A claim that cannot begin within this time is given back: its endpoint may have changed since. */
const START_MS_MAX = 200
const OWN_FAULT_WAIT_SECONDS = 5

type Dependencies = {
  sql: Pool
  now: Clock
  logger: Logger
  sealing: Sealing
  sender: Sender
  bodies: Bodies
  lanes: Lanes
  recorder: Recorder
}

type Job = { claimed: Claimed; claim: string; lane: Lane; target: Target & { secret: string }; body: Buffer }

export type Worker = ReturnType<typeof createWorker>

/** Claims what is due, attempts it, and hands the endings to the recorder. Nothing is held open over the network. */
export function createWorker(deps: Dependencies) {
  const { sql, now, logger, sealing, sender, bodies, lanes, recorder } = deps
  const underWay = new Set<Promise<void>>()
  const observers = new Set<(outcome: Outcome) => void>()

  async function bodiesOf(claimed: Claimed[]): Promise<Map<string, Body>> {
    const found = new Map<string, Body>()
    const missing = new Map<string, { organizationId: string; id: string }>()
    for (const { organization_id: organizationId, event_id: id } of claimed) {
      const body = bodies.get(id)
      if (body) found.set(id, body)
      else missing.set(id, { organizationId, id })
    }
    for (const row of missing.size === 0 ? [] : await store.loadBodies(sql, [...missing.values()])) {
      found.set(row.id, row)
      bodies.put(row.id, row)
    }
    return found
  }

  /** Undefined where payload or secret cannot be read: that is no state which passes, and is on record as a failure. */
  function jobOf(claimed: Claimed, claim: string, found: Map<string, Body>): Job | undefined {
    const { organization_id: organizationId, endpoint_id: endpointId } = claimed
    const lane = lanes.laneOf({ organizationId, endpointId })
    const target = targetOf(lane, claimed, (sealed) => sealing.open(sealed, secretPlace(organizationId, endpointId)))
    const made = found.get(claimed.event_id)
    if (target?.secret === undefined || made === undefined) return undefined
    const { secret, deliveryFormat } = target
    const body = deliveryFormat === 'compat' ? (made.compatBody ?? made.body) : made.body
    return { claimed, claim, lane, target: { ...target, secret }, body }
  }

  async function attempt({ claimed, claim, lane, target, body }: Job): Promise<void> {
    const wasSlow = lanes.begin(lane)
    let tookMs = 0
    try {
      const outcome = await sender.send({ ...target, deliveryId: claimed.id, body })
      tookMs = outcome.timings.totalMs
      for (const observe of observers) observe(outcome)
      end(claimed, claim, outcome)
    } catch (err) {
      // Not the receiver's doing, so not its failure: the claim goes back, for a while.
      logger.error({ err, delivery_id: claimed.id }, 'an attempt could not be made')
      await store.release(sql, [keyOf(claimed, claim)], OWN_FAULT_WAIT_SECONDS)
    } finally {
      lanes.end(lane, { tookMs, wasSlow })
    }
  }

  function end(claimed: Claimed, claim: string, outcome: Outcome): void {
    const { ok: isSuccess, httpStatus, errorCode, requestHeaders, responseHeaders, responseBody } = outcome
    const { address, timings, retryAfterSeconds } = outcome
    const waitMs = isSuccess ? null : nextWaitMs(claimed.attempts, Math.random(), retryAfterSeconds)
    const result = { isSuccess, httpStatus, errorCode, waitMs, requestHeaders, responseHeaders, responseBody }
    recorder.add({ ...keyOf(claimed, claim), attemptId: newId(now()), ...result, address, timings })
    const { id: delivery_id, endpoint_id, organization_id, attempts } = claimed
    const ids = { delivery_id, endpoint_id, organization_id, attempt: attempts }
    logger.info(
      { ...ids, http_status: httpStatus, error_code: errorCode, ms: timings.totalMs, next_ms: waitMs },
      'attempt',
    )
  }

  function endUnreadable(claimed: Claimed, claim: string): void {
    logger.error({ delivery_id: claimed.id }, 'the payload or the secret of a delivery cannot be read')
    const nothing = { requestHeaders: null, responseHeaders: null, responseBody: null, address: null, timings: null }
    const result = { isSuccess: false, httpStatus: null, errorCode: UNREADABLE, ...nothing }
    const waitMs = nextWaitMs(claimed.attempts, Math.random())
    recorder.add({ ...keyOf(claimed, claim), attemptId: newId(now()), ...result, waitMs })
  }

  function begin(job: Job, whenDone: () => void): void {
    const attempted = attempt(job)
      .catch((err) => logger.error({ err, delivery_id: job.claimed.id }, 'a claim could not be given back'))
      .finally(() => {
        underWay.delete(attempted)
        whenDone()
      })
    underWay.add(attempted)
  }

  return {
    /** One claim for all lanes that have room, and the beginning of what it brings. Returns how much that was. */
    async step(whenDone: () => void): Promise<number> {
      const plan = lanes.plan()
      if (plan.length === 0) return 0
      const token = randomUUID()
      const wants = plan.map(({ want }) => want)
      const claimed = await store.claim(sql, { wants, token, leaseSeconds: LEASE_SECONDS })
      const claimedAt = performance.now()
      lanes.settle(plan, claimed)
      const found = await bodiesOf(claimed)
      if (performance.now() - claimedAt > START_MS_MAX) {
        await store.release(
          sql,
          claimed.map((one) => keyOf(one, token)),
          0,
        )
        lanes.hint(plan.map(({ lane }) => lane))
        return 0
      }
      for (const one of claimed) {
        const job = jobOf(one, token, found)
        if (job) begin(job, whenDone)
        else endUnreadable(one, token)
      }
      return claimed.length
    },

    observe: (observer: (outcome: Outcome) => void) => void observers.add(observer),

    /** Until nothing is under way any more. */
    async settled(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}

function keyOf(claimed: Claimed, claim: string): ClaimKey {
  return { organizationId: claimed.organization_id, endpointId: claimed.endpoint_id, id: claimed.id, claim }
}
