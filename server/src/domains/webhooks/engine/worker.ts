import type { Clock } from '../../../kernel/clock.ts'
import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import type { SessionLock } from '../../../kernel/db/session-lock.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { type Attributes, trace } from '../../../kernel/tracing.ts'
import type { SendResult } from '../attempts/send-result.ts'
import type { Sender } from '../attempts/sender.ts'
import type { PayloadCache } from '../publishing/payload-cache.ts'
import { toAttemptResult, toClaimKey, toUnreadableResult } from '../results/attempt-result.ts'
import type { ResultBuffer } from '../results/result-buffer.ts'
import { createAttemptStarter, START_MS_MAX } from './attempt-starter.ts'
import { buildClaimToken } from './claim-token.ts'
import type { ClaimedDelivery, ClaimKey } from './delivery.ts'
import type { Lane } from './lane.ts'
import type { ClaimPlan, Lanes } from './lanes.ts'
import { createRequestBuilder, type Payloads, type PlannedRequest } from './request-builder.ts'
import * as store from './store.ts'

/** Longer than any attempt, with everything before and after it. */
export const LEASE_SECONDS = 30
const OWN_FAILURE_WAIT_SECONDS = 5

type Dependencies = {
  sql: Pool
  now: Clock
  logger: Logger
  sealing: Sealing
  sender: Sender
  payloads: PayloadCache
  lanes: Lanes
  results: ResultBuffer
  lock: Pick<SessionLock, 'readKey'>
  graphUrl: string
}

/** One claim: its token, when it was made, and what to call after each of its attempts. */
type Claim = { claimToken: string; claimedAt: number; isDirect: boolean; onAttemptEnd: () => void }

type ClaimedAttempt = Claim & { delivery: ClaimedDelivery; lane: Lane; wasSlow: boolean; request: PlannedRequest }

export type Worker = ReturnType<typeof createWorker>

/** Claims due deliveries, attempts them, and adds the results to the buffer. No transaction is open during HTTP. */
export function createWorker(dependencies: Dependencies) {
  const { sql, now, logger, sealing, sender, payloads, lanes, results, lock, graphUrl } = dependencies
  const requestBuilder = createRequestBuilder({ sql, sealing, payloads, graphUrl })
  const starter = createAttemptStarter<ClaimedAttempt>({
    start: (attempt) => void send(attempt),
    releaseLate: (overdue) => void releaseLate(overdue),
    claimMax: lanes.claimMax,
  })
  const observers = new Set<(sendResult: SendResult) => void>()
  let inProgress = 0
  let idle: PromiseWithResolvers<void> | undefined

  function send(attempt: ClaimedAttempt): Promise<void> {
    return trace({ name: 'webhook attempt', kind: 'client' }, (attributes) => sendTraced(attempt, attributes))
  }

  async function sendTraced(attempt: ClaimedAttempt, attributes: Attributes): Promise<void> {
    const { delivery, claimToken, request } = attempt
    addDelivery(attributes, delivery)
    let tookMs: number | null = null
    try {
      const sendResult = await sender.send(requestBuilder.finish(request, delivery))
      tookMs = sendResult.timings.totalMs
      for (const observe of observers) observe(sendResult)
      addOutcome(attributes, sendResult)
      addResult(delivery, claimToken, sendResult)
    } catch (err) {
      attributes['error.type'] = 'hub'
      // The hub's own failure, so it does not count against the receiver.
      logger.error({ err, delivery_id: delivery.id }, 'delivery attempt could not be made')
      await release([toClaimKey(delivery, claimToken)], OWN_FAILURE_WAIT_SECONDS)
    }
    end(attempt, tookMs)
  }

  function addResult(delivery: ClaimedDelivery, claimToken: string, sendResult: SendResult): void {
    const result = toAttemptResult(delivery, claimToken, newId(now()), sendResult)
    results.add(result)
    logger.info(
      {
        delivery_id: delivery.id,
        endpoint_id: delivery.endpoint_id,
        organization_id: delivery.organization_id,
        attempt: delivery.attempts,
        http_status: sendResult.httpStatus,
        error_code: sendResult.errorCode,
        ms: sendResult.timings.totalMs,
        next_ms: result.waitMs,
      },
      'delivery attempt',
    )
  }

  async function releaseLate(overdue: ClaimedAttempt[]): Promise<void> {
    await releaseAtOnce(overdue)
    for (const attempt of overdue) end(attempt, null)
  }

  async function releaseAtOnce(claims: Pick<ClaimedAttempt, 'delivery' | 'claimToken' | 'lane'>[]): Promise<void> {
    await release(
      claims.map(({ delivery, claimToken }) => toClaimKey(delivery, claimToken)),
      0,
    )
    lanes.wake(claims.map(({ lane }) => lane))
  }

  async function release(keys: ClaimKey[], afterSeconds: number): Promise<void> {
    try {
      await store.releaseClaims(sql, keys, afterSeconds)
    } catch (err) {
      // The leases expire.
      logger.error({ err, delivery_ids: keys.map(({ id }) => id) }, 'claims could not be released')
    }
  }

  function end({ lane, wasSlow, request, onAttemptEnd }: ClaimedAttempt, tookMs: number | null): void {
    lanes.endAttempt(lane, { tookMs, wasSlow })
    lanes.releaseBytes(lane, request.payload.length)
    inProgress--
    onAttemptEnd()
    if (inProgress > 0) return
    idle?.resolve()
    idle = undefined
  }

  function getLaneOf({ organization_id, endpoint_id }: ClaimedDelivery): Lane {
    return lanes.getLane({ organizationId: organization_id, endpointId: endpoint_id })
  }

  /**
   * The attempts whose payloads fit into memory, and the other deliveries, which have to wait for those. A delivery for a
   * version of its endpoint that a later claim has replaced is claimed again.
   */
  function buildAttempts(claimed: ClaimedDelivery[], claim: Claim, payloadsById: Payloads) {
    const attempts: ClaimedAttempt[] = []
    const postponed: { delivery: ClaimedDelivery; claimToken: string; lane: Lane }[] = []
    for (const delivery of claimed) {
      const lane = getLaneOf(delivery)
      const isReplaced = delivery.url === null && lane.target?.version !== delivery.version
      const request = isReplaced ? undefined : requestBuilder.build(delivery, lane, payloadsById)
      const payload = payloadsById.get(delivery.event_id)
      const isUnread = payload?.body === null
      if (isUnread) lanes.expectBytes(lane, payload.bytes)
      if (isReplaced || isUnread || (request && !lanes.reserveBytes(lane, request.payload.length))) {
        postponed.push({ delivery, claimToken: claim.claimToken, lane })
      } else if (request) {
        attempts.push({ ...claim, delivery, lane, wasSlow: lanes.startAttempt(lane), request })
      } else {
        logger.error({ delivery_id: delivery.id }, 'payload or secret of a delivery cannot be read')
        results.add(toUnreadableResult(delivery, claim.claimToken, newId(now())))
      }
    }
    return { attempts, postponed }
  }

  async function claim(plan: ClaimPlan, onAttemptEnd: () => void, attributes: Attributes): Promise<number> {
    const claimToken = buildClaimToken(lock.readKey())
    const claimRequests = plan.map(({ request }) => request)
    const claimed = await store.claimDue(sql, { requests: claimRequests, claimToken, leaseSeconds: LEASE_SECONDS })
    const claimedAt = performance.now()
    attributes['hubline.deliveries'] = claimed.length
    lanes.settleClaim(plan, claimed)
    return startClaimed(claimed, { claimToken, claimedAt, isDirect: false, onAttemptEnd })
  }

  /** Starts the attempts of claimed deliveries. Returns their number; 0 if it is too late and all are released. */
  async function startClaimed(claimed: ClaimedDelivery[], claim: Claim): Promise<number> {
    const payloadsById = await requestBuilder.loadPayloads(claimed, lanes.countFreeBytes()).catch(async (err) => {
      await releaseClaimed(claimed, claim.claimToken)
      throw err
    })
    if (performance.now() - claim.claimedAt > START_MS_MAX) {
      starter.claimFewer()
      await releaseClaimed(claimed, claim.claimToken)
      return 0
    }
    const { attempts, postponed } = buildAttempts(claimed, claim, payloadsById)
    inProgress += attempts.length
    await Promise.all([starter.startAll(attempts, claim.isDirect), postponed.length > 0 && releaseAtOnce(postponed)])
    return claimed.length
  }

  async function releaseClaimed(claimed: ClaimedDelivery[], claimToken: string): Promise<void> {
    await releaseAtOnce(claimed.map((delivery) => ({ delivery, claimToken, lane: getLaneOf(delivery) })))
  }

  return {
    startClaimed,

    releaseToken: (claimToken: string) => store.releaseToken(sql, claimToken),

    /** Makes one claim for all lanes with free slots and starts its attempts. Returns how many were claimed. */
    async step(onAttemptEnd: () => void): Promise<number> {
      await results.waitForRoom()
      const plan = lanes.planClaim(starter.getClaimLimit())
      if (plan.length === 0) return 0
      try {
        return await trace({ name: 'webhook claim', kind: 'internal' }, (attributes) =>
          claim(plan, onAttemptEnd, attributes),
        )
      } finally {
        lanes.endClaim(plan)
      }
    },

    observe: (observer: (sendResult: SendResult) => void) => void observers.add(observer),

    /** Resolves when no attempt is in progress. */
    async waitUntilIdle(): Promise<void> {
      if (inProgress > 0) idle ??= Promise.withResolvers()
      await idle?.promise
    },
  }
}

function addDelivery(attributes: Attributes, delivery: ClaimedDelivery): void {
  attributes['hubline.organization_id'] = delivery.organization_id
  attributes['hubline.endpoint_id'] = delivery.endpoint_id
  attributes['hubline.event_id'] = delivery.event_id
  attributes['hubline.delivery_id'] = delivery.id
  attributes['hubline.attempt'] = delivery.attempts
}

function addOutcome(attributes: Attributes, { httpStatus, errorCode }: SendResult): void {
  if (httpStatus !== null) attributes['http.response.status_code'] = httpStatus
  if (errorCode !== null) attributes['error.type'] = errorCode
}
