import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { DeliveryRequest } from '../attempts/delivery-request.ts'
import { computeRetryWaitMs } from '../attempts/retry-schedule.ts'
import type { AttemptTimings, SendResult } from '../attempts/send-result.ts'
import type { Sender } from '../attempts/sender.ts'
import { secretPlace } from '../endpoints/secret-place.ts'
import type { Bodies, Body } from './bodies.ts'
import { type Claimed, type ClaimKey, UNREADABLE } from './claims.ts'
import { type Lane, type Lanes, targetOf } from './lanes.ts'
import * as store from './queue-store.ts'
import type { Recorder } from './recorder.ts'

/** Longer than any attempt with all that comes before and after it. */
const LEASE_SECONDS = 30
/** A claim that cannot begin within this time is given back: its endpoint may have changed since. */
const START_MS_MAX = 200
/** So many begin at once, and then responses are read: the fewer are under way together, the less each costs. */
const BEGUN_AT_ONCE = 32
/** With so few left to begin, the next claim may be made. */
const FEW = 128
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

type Job = {
  claimed: Claimed
  claim: string
  claimedAt: number
  lane: Lane
  wasSlow: boolean
  parcel: DeliveryRequest
  whenDone: () => void
}

export type Worker = ReturnType<typeof createWorker>

/** Claims what is due, attempts it, and hands the endings to the recorder. Nothing is held open over the network. */
export function createWorker(deps: Dependencies) {
  const { sql, now, logger, sealing, sender, bodies, lanes, recorder } = deps
  const observers = new Set<(outcome: SendResult) => void>()
  /** Claimed, and to begin within a moment. */
  const waiting: Job[] = []
  let underWay = 0
  let fewWaiting: PromiseWithResolvers<void> | undefined
  let noneUnderWay: PromiseWithResolvers<void> | undefined

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
  function parcelOf(claimed: Claimed, lane: Lane, found: Map<string, Body>): DeliveryRequest | undefined {
    const place = secretPlace(lane.organizationId, lane.endpointId)
    const target = targetOf(lane, claimed, (sealed) => sealing.open(sealed, place))
    const made = found.get(claimed.event_id)
    if (target?.secret === undefined || made === undefined) return undefined
    const { url, secret, deliveryFormat } = target
    const payload = deliveryFormat === 'compat' ? (made.compatBody ?? made.body) : made.body
    return { url, secret, deliveryFormat, deliveryId: claimed.id, payload }
  }

  function beginSome(): void {
    const tooEarly = performance.now() - START_MS_MAX
    const late: Job[] = []
    for (const job of waiting.splice(0, BEGUN_AT_ONCE)) {
      if (job.claimedAt < tooEarly) late.push(job)
      else void attempt(job)
    }
    if (late.length > 0) void giveUp(late)
    if (waiting.length > 0) setImmediate(beginSome)
    if (waiting.length > FEW) return
    fewWaiting?.resolve()
    fewWaiting = undefined
  }

  async function attempt(job: Job): Promise<void> {
    let tookMs: number | null = null
    try {
      const outcome = await sender.send(job.parcel)
      tookMs = outcome.timings.totalMs
      for (const observe of observers) observe(outcome)
      end(job.claimed, job.claim, outcome)
    } catch (err) {
      // Not the receiver's doing, so not its failure: the claim goes back, for a while.
      logger.error({ err, delivery_id: job.claimed.id }, 'an attempt could not be made')
      await giveBack([job], OWN_FAULT_WAIT_SECONDS)
    }
    leave(job, tookMs)
  }

  async function giveUp(late: Job[]): Promise<void> {
    await giveBack(late, 0)
    lanes.hint(late.map(({ lane }) => lane))
    for (const job of late) leave(job, null)
  }

  async function giveBack(jobs: Job[], afterSeconds: number): Promise<void> {
    const keys = jobs.map(({ claimed, claim }) => keyOf(claimed, claim))
    try {
      await store.release(sql, keys, afterSeconds)
    } catch (err) {
      // Their leases run out.
      logger.error({ err, delivery_ids: keys.map(({ id }) => id) }, 'claims could not be given back')
    }
  }

  function leave({ lane, wasSlow, whenDone }: Job, tookMs: number | null): void {
    lanes.end(lane, { tookMs, wasSlow })
    underWay--
    whenDone()
    if (underWay > 0) return
    noneUnderWay?.resolve()
    noneUnderWay = undefined
  }

  function end(claimed: Claimed, claim: string, outcome: SendResult): void {
    const { ok: isSuccess, retryAfterSeconds, ...result } = outcome
    const { httpStatus: http_status, errorCode: error_code, timings } = result
    const waitMs = isSuccess ? null : computeRetryWaitMs(claimed.attempts, Math.random(), retryAfterSeconds)
    recorder.add({
      ...keyOf(claimed, claim),
      attemptId: newId(now()),
      isSuccess,
      waitMs,
      ...result,
      timings: shown(timings),
    })
    const { id: delivery_id, endpoint_id, organization_id, attempts: attempt } = claimed
    const ids = { delivery_id, endpoint_id, organization_id, attempt }
    logger.info({ ...ids, http_status, error_code, ms: timings.totalMs, next_ms: waitMs }, 'attempt')
  }

  function endUnreadable(claimed: Claimed, claim: string): void {
    logger.error({ delivery_id: claimed.id }, 'the payload or the secret of a delivery cannot be read')
    const nothing = { requestHeaders: null, responseHeaders: null, responseBody: null, address: null, timings: null }
    const result = { isSuccess: false, httpStatus: null, errorCode: UNREADABLE, ...nothing }
    const waitMs = computeRetryWaitMs(claimed.attempts, Math.random())
    recorder.add({ ...keyOf(claimed, claim), attemptId: newId(now()), ...result, waitMs })
  }

  function jobsOf(
    claimed: Claimed[],
    { claim, claimedAt, whenDone }: Pick<Job, 'claim' | 'claimedAt' | 'whenDone'>,
    found: Map<string, Body>,
  ): Job[] {
    return claimed.flatMap((one) => {
      const lane = lanes.laneOf({ organizationId: one.organization_id, endpointId: one.endpoint_id })
      const parcel = parcelOf(one, lane, found)
      if (parcel) return [{ claimed: one, claim, claimedAt, lane, wasSlow: lanes.begin(lane), parcel, whenDone }]
      endUnreadable(one, claim)
      return []
    })
  }

  function begin(jobs: Job[]): void {
    const isBusy = waiting.length > 0
    underWay += jobs.length
    waiting.push(...jobs)
    if (!isBusy && jobs.length > 0) beginSome()
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
      begin(jobsOf(claimed, { claim: token, claimedAt, whenDone }, found))
      if (waiting.length > FEW) fewWaiting ??= Promise.withResolvers()
      await fewWaiting?.promise
      return claimed.length
    },

    observe: (observer: (outcome: SendResult) => void) => void observers.add(observer),

    /** Until nothing is under way any more. */
    async settled(): Promise<void> {
      if (underWay > 0) noneUnderWay ??= Promise.withResolvers()
      await noneUnderWay?.promise
    },
  }
}

/** As the log shows them. */
function shown({ dnsMs, connectMs, firstByteMs, totalMs }: AttemptTimings) {
  return { dns_ms: dnsMs, connect_ms: connectMs, first_byte_ms: firstByteMs, total_ms: totalMs }
}

function keyOf(claimed: Claimed, claim: string): ClaimKey {
  return { organizationId: claimed.organization_id, endpointId: claimed.endpoint_id, id: claimed.id, claim }
}
