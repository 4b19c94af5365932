import type { Clock } from '../../../kernel/clock.ts'
import { type IdWindow, listIdWindows } from '../../../kernel/db/id-windows.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, invalidPart, notFound, toIssue } from '../../../kernel/errors.ts'
import { readIdTime, toFirstId } from '../../../kernel/ids.ts'
import { buildRateLimitHeaders, perHour, perMinute, requireWithinLimit } from '../../../kernel/rate-limit/limit.ts'
import { countRequest, findWindow } from '../../../kernel/rate-limit/store.ts'
import type { Audit } from '../../audit/service.ts'
import { type Principal, requireScope } from '../../auth/principal.ts'
import type { Events } from '../../events/service.ts'
import { rewriteMediaUrls } from '../attempts/media-urls.ts'
import { BEFORE_ALL_DELIVERIES, type DeliveryPlace } from '../delivery-place.ts'
import type { DeferredFanOuts } from '../publishing/deferred-fan-outs.ts'
import type { EndpointKey, WakeUps } from '../wake-ups.ts'
import {
  type EventWindow,
  listEventDeliveries,
  listMessageEvents,
  listPausedEndpoints,
} from './message-deliveries-store.ts'
import {
  type Delivery,
  type GoneReason,
  RECOVERABLE_STATUSES,
  type Recover,
  type RecoverableQuery,
  TEST_MESSAGE,
} from './schemas.ts'
import * as store from './store.ts'

const LOG_LENGTH = 50
const BATCH_SIZE = 500
const CLOCK_SKEW_MS = 3_600_000
const DAY_MS = 86_400_000
const RECOVERED_MAX = 10_000
/** Limits of the search for the deliveries of a message. A callback comes seconds after its time at the upstream. */
const MESSAGE_SEARCH = { beforeMs: 10_000, afterMs: 600_000, eventsMax: 2000, deliveriesMax: 2000, endpointsMax: 100 }
const TESTS = perHour('webhook-test', 10)
const RECOVERIES = perMinute('webhook-recover', 1)

type Dependencies = {
  sql: Pool
  now: Clock
  events: Events
  wakeUps: WakeUps
  fanOuts: Pick<DeferredFanOuts, 'countUnmade'>
  audit: Audit
  graphUrl: string
  retentionDays: number
  /** The number of days that events are kept. */
  payloadDays: number
}

/** Attempts begin after their delivery was created; after it was delivered there are none. Ids have the time of a process. */
function toAttemptWindow(delivery: Delivery, now: Date): IdWindow {
  const end = delivery.delivered_at === null ? now : new Date(delivery.delivered_at)
  return {
    from: toFirstId(new Date(Date.parse(delivery.created_at) - CLOCK_SKEW_MS)),
    before: toFirstId(new Date(end.getTime() + CLOCK_SKEW_MS)),
  }
}

export type DeliveryLog = ReturnType<typeof createDeliveryLog>

export function createDeliveryLog(dependencies: Dependencies) {
  const { sql, now, events, wakeUps, fanOuts, audit, graphUrl, retentionDays, payloadDays } = dependencies
  /** Reads window after window until there are enough rows: most logs need one. */
  async function listFinal(key: EndpointKey, createdAt: Date): Promise<Delivery[]> {
    const rows: Delivery[] = []
    for (const window of listIdWindows({ now: now(), beforeId: null, createdAt, retentionDays })) {
      rows.push(...(await store.listFinal(sql, { ...key, window, limit: LOG_LENGTH - rows.length })))
      if (rows.length === LOG_LENGTH) break
    }
    return rows
  }

  /** The first deliveries of events, one for each endpoint. */
  function listOfEvents(organizationId: string, eventIds: readonly string[]) {
    const { beforeMs, deliveriesMax, endpointsMax } = MESSAGE_SEARCH
    const events = eventIds.map((id) => ({ id, ...toWindow(readIdTime(id), { beforeMs, afterMs: beforeMs }) }))
    const limits = { endpointsMax, perEndpointMax: 1, scanMax: deliveriesMax }
    return listEventDeliveries(sql, { organizationId, events, ...limits })
  }

  /** With the body that an attempt would send now. */
  async function findPayload(key: EndpointKey, id: string): Promise<store.StoredPayload> {
    const payload = await store.findPayload(sql, { ...key, id })
    if (!payload) throw notFound('delivery_not_found')
    const { body, event_kind: eventKind, media_urls: mediaUrls } = payload
    if (body === null || mediaUrls === 'upstream') return payload
    return { ...payload, body: rewriteMediaUrls(body, eventKind, graphUrl) }
  }

  async function findWithAttempts(key: EndpointKey, id: string, hasBodies: boolean) {
    if (!(await store.findEndpoint(sql, key))) throw notFound('delivery_not_found')
    return listAttemptsOf(key, id, hasBodies)
  }

  /** Also of an inspector, which `findWithAttempts` of the API does not know. */
  async function listAttemptsOf(key: EndpointKey, id: string, hasBodies: boolean) {
    const delivery = await store.findDelivery(sql, { ...key, id })
    if (!delivery) throw notFound('delivery_not_found')
    const { organizationId } = key
    const window = toAttemptWindow(delivery, now())
    const attempts = await store.listAttempts(sql, { organizationId, deliveryId: id, window, hasBodies })
    return { delivery, attempts }
  }

  /**
   * Returns what an attempt sends, and the receiver's responses. The entry in the audit log is committed before any of it leaves
   * the hub.
   */
  async function reveal({ organizationId, initiator }: Principal, endpointId: string, deliveryId: string) {
    const key = { organizationId, endpointId }
    const payload = await findPayload(key, deliveryId)
    const { attempts } = await listAttemptsOf(key, deliveryId, true)
    const target = { type: 'delivery', id: deliveryId }
    const details = { webhook_id: endpointId, event: payload.event_kind, message_id: readMessageId(payload) }
    await sql.begin((tx) =>
      audit.record(tx, { organizationId, initiator, action: 'delivery.revealed', target, details }),
    )
    return { payload, attempts }
  }

  /** `limitHeaders` are those of the endpoint's own limit. */
  async function queueTest({ organizationId, initiator }: Principal, endpointId: string) {
    const key = { organizationId, endpointId }
    const usage = await countRequest(sql, TESTS, `${organizationId}:${endpointId}`)
    requireWithinLimit(TESTS, usage)
    const tested = await sql.begin(async (tx) => {
      const data = { webhook_id: endpointId, message: TEST_MESSAGE }
      const event = await events.record(tx, { organizationId, kind: 'webhook.test', channelId: null, data })
      const delivery = await store.insertTest(tx, { ...key, eventId: event.id })
      if (!delivery) throw notFound('active_webhook_not_found')
      const target = { type: 'webhook', id: endpointId }
      await audit.record(tx, { organizationId, initiator, action: 'webhook.tested', target })
      wakeUps.wakeAfterCommit(tx, [key])
      return { event_id: event.id, delivery_id: delivery.id, status: 'pending' as const }
    })
    return { tested, limitHeaders: buildRateLimitHeaders(TESTS, usage) }
  }

  /** Explains why a delivery is not replayed. To another organization it is absent, as its endpoint is. */
  async function explainRefusal(tx: Tx, key: EndpointKey, id: string): Promise<AppError> {
    if (!(await store.isActive(tx, key))) return notFound('active_webhook_not_found')
    const delivery = await store.findDelivery(tx, { ...key, id })
    if (!delivery) return notFound('delivery_not_found')
    if (!isFinal(delivery)) {
      return new AppError('NOT_FOUND', 'delivery_not_final', { parameters: { status: delivery.status } })
    }
    const payload = await store.findPayload(tx, { ...key, id })
    const gone = payload && findGoneReason(payload)
    return gone ? notFound(`event_${gone}`) : notFound('delivery_not_found')
  }

  /** Explains why a delivery is not attempted now. */
  async function explainRetryRefusal(tx: Tx, key: EndpointKey, id: string): Promise<AppError> {
    if (!(await store.isActive(tx, key))) return notFound('active_webhook_not_found')
    const delivery = await store.findDelivery(tx, { ...key, id })
    return delivery
      ? new AppError('NOT_FOUND', 'delivery_not_in_retry', { parameters: { status: delivery.status } })
      : notFound('delivery_not_found')
  }

  /** Events are kept longer than their deliveries, so that one that is gone before its time was erased. */
  function findGoneReason({ event_id, body }: store.StoredPayload): GoneReason | null {
    if (body !== null) return null
    return now().getTime() - readIdTime(event_id) < payloadDays * DAY_MS ? 'erased' : 'past_retention'
  }

  return {
    async listRecent(organizationId: string, endpointId: string): Promise<Delivery[]> {
      const key = { organizationId, endpointId }
      const endpoint = await store.findEndpoint(sql, key)
      if (!endpoint) throw notFound('webhook_not_found')
      // In this order: a delivery that ends in between is in both, and never in neither.
      const queued = await store.listQueued(sql, key, LOG_LENGTH)
      const final = await listFinal(key, new Date(endpoint.created_at))
      const byId = new Map([...queued, ...final].map((delivery) => [delivery.id, delivery]))
      return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, LOG_LENGTH)
    },

    /** All deliveries of an organization: first those that are open, so that one that ends meanwhile is not missed. */
    async *readAll(organizationId: string): AsyncGenerator<store.KeptDelivery[]> {
      const page = { organizationId, limit: BATCH_SIZE }
      const createdAt = new Date(readIdTime(organizationId))
      yield* readByKey((after) => store.listAllQueued(sql, { ...page, after }))
      for (const window of listIdWindows({ now: now(), beforeId: null, createdAt, retentionDays })) {
        yield* readByKey((after) => store.listAllFinal(sql, { ...page, after, window }))
      }
    },

    /**
     * Receivers repeat messages in their responses, so that a key needs `messages:read` for these. A person reveals them
     * with the body of the delivery.
     */
    async getDelivery({ organizationId, scopes, session }: Principal, endpointId: string, deliveryId: string) {
      const hasBodies = session === null && scopes.includes('messages:read')
      return findWithAttempts({ organizationId, endpointId }, deliveryId, hasBodies)
    },

    /**
     * The deliveries of a message's events: of those that came within minutes after the message or one of its statuses,
     * and in a busy organization of the first thousands. Replays are left out. `beingQueued` is how many more there will be.
     * `pausedEndpoints` did not get all events, because they were paused.
     */
    async listForMessage(m: { organizationId: string; channelId: string; messageId: string; times: string[] }) {
      const { organizationId } = m
      const times = [readIdTime(m.messageId), ...m.times.map((time) => Date.parse(time))]
      const { beforeMs, afterMs, eventsMax } = MESSAGE_SEARCH
      const windows = times.map((time) => toWindow(time, { beforeMs, afterMs }))
      const eventIds = await listMessageEvents(sql, { ...m, windows, scanMax: eventsMax })
      if (eventIds.length === 0) return { deliveries: [], beingQueued: 0, pausedEndpoints: [] }
      // In this order: what is queued in between is counted in neither, and not in both.
      const rows = await listOfEvents(organizationId, eventIds)
      const beingQueued = await fanOuts.countUnmade(organizationId, eventIds)
      const deliveries = rows.map(({ endpoint_id, endpoint_name, ...delivery }) => {
        return { ...delivery, endpoint: { id: endpoint_id, name: endpoint_name } }
      })
      const paused = { organizationId, eventIds, limit: MESSAGE_SEARCH.endpointsMax }
      return { deliveries, beingQueued, pausedEndpoints: await listPausedEndpoints(sql, paused) }
    },

    /** The delivery with this id, or the first one of the event with this id. */
    async find(organizationId: string, id: string) {
      const found =
        (await store.locateDelivery(sql, { organizationId, id })) ?? (await listOfEvents(organizationId, [id]))[0]
      if (!found) throw notFound('delivery_not_found')
      return { id: found.id, event: found.event, endpoint: { id: found.endpoint_id, name: found.endpoint_name } }
    },

    /** Describes a delivery without the content that its body may have. */
    async getPayload(organizationId: string, endpointId: string, deliveryId: string) {
      const payload = await findPayload({ organizationId, endpointId }, deliveryId)
      const { event_id, replay_of_delivery_id, channel_id, body } = payload
      const deliveries_being_queued = await fanOuts.countUnmade(organizationId, [event_id])
      return {
        event_id,
        replay_of_delivery_id,
        channel_id,
        message_id: readMessageId(payload),
        bytes: body?.length ?? null,
        gone: findGoneReason(payload),
        deliveries_being_queued,
      }
    },

    /** For a person who reads a delivery. */
    async reveal(principal: Principal, endpointId: string, deliveryId: string) {
      requireScope(principal, 'messages:read')
      const { organizationId } = principal
      if (!(await store.findEndpoint(sql, { organizationId, endpointId }))) throw notFound('delivery_not_found')
      const { payload, attempts } = await reveal(principal, endpointId, deliveryId)
      const responses = attempts.map(({ number, response_body_base64 }) => ({ number, response_body_base64 }))
      return { body_base64: payload.body?.toString('base64') ?? null, responses }
    },

    /** The same for an inspector, whose id and scopes the caller has checked. */
    revealInspected: reveal,
    testInspector: queueTest,

    /** Sends the event of a final delivery again, as a new delivery. The original does not change. */
    async replay({ organizationId, initiator }: Principal, endpointId: string, deliveryId: string) {
      const key = { organizationId, endpointId }
      return sql.begin(async (tx) => {
        const replay = await store.insertReplay(tx, { ...key, deliveryId })
        if (!replay) throw await explainRefusal(tx, key, deliveryId)
        const target = { type: 'webhook', id: endpointId }
        const details = { delivery_id: replay.id, replay_of_delivery_id: deliveryId }
        await audit.record(tx, { organizationId, initiator, action: 'webhook.replayed', target, details })
        wakeUps.wakeAfterCommit(tx, [key])
        const { id: delivery_id, event_id } = replay
        return { delivery_id, event_id, replay_of_delivery_id: deliveryId, status: 'pending' as const }
      })
    },

    /** Makes the next attempt of a delivery due at once. It counts like any other. */
    async retry({ organizationId, initiator }: Principal, endpointId: string, deliveryId: string) {
      const key = { organizationId, endpointId }
      return sql.begin(async (tx) => {
        const retried = await store.markDueNow(tx, { ...key, deliveryId })
        if (!retried) throw await explainRetryRefusal(tx, key, deliveryId)
        const target = { type: 'webhook', id: endpointId }
        const details = { delivery_id: deliveryId }
        await audit.record(tx, { organizationId, initiator, action: 'webhook.retried', target, details })
        wakeUps.wakeAfterCommit(tx, [key])
        return { delivery_id: deliveryId, event_id: retried.event_id, status: 'retry' as const }
      })
    },

    async sendTest(principal: Principal, endpointId: string) {
      const { organizationId } = principal
      if (!(await store.isActive(sql, { organizationId, endpointId }))) throw notFound('active_webhook_not_found')
      return queueTest(principal, endpointId)
    },

    async getTestAllowance(organizationId: string, endpointId: string) {
      if (!(await store.findEndpoint(sql, { organizationId, endpointId }))) throw notFound('webhook_not_found')
      const window = await findWindow(sql, TESTS, `${organizationId}:${endpointId}`)
      const remaining = Math.max(0, TESTS.requests - (window?.used ?? 0))
      return { limit: TESTS.requests, remaining, resets_at: window?.window_ends_at ?? null }
    },

    async countRecoverable(organizationId: string, endpointId: string, period: RecoverableQuery) {
      const key = { organizationId, endpointId }
      if (!(await store.findEndpoint(sql, key))) throw notFound('webhook_not_found')
      const sinceId = toFirstId(new Date(period.since ?? 0))
      const untilId = period.until === undefined ? null : toFirstId(new Date(period.until))
      const recovered = { ...key, sinceId, untilId, statuses: RECOVERABLE_STATUSES, limit: RECOVERED_MAX }
      return { count: await store.countRecoverable(sql, recovered) }
    },

    /** Replays the dead and canceled deliveries of a period, after a receiver was broken. */
    async recover({ organizationId, initiator }: Principal, endpointId: string, period: Recover) {
      const key = { organizationId, endpointId }
      refuseEmptyPeriod(period)
      if (!(await store.isActive(sql, key))) throw notFound('active_webhook_not_found')
      requireWithinLimit(RECOVERIES, await countRequest(sql, RECOVERIES, `${organizationId}:${endpointId}`))
      const { since, until, statuses = RECOVERABLE_STATUSES } = period
      const sinceId = toFirstId(new Date(since))
      const untilId = until === undefined ? null : toFirstId(new Date(until))
      return sql.begin(async (tx) => {
        const queued = await store.insertRecovered(tx, { ...key, sinceId, untilId, statuses, limit: RECOVERED_MAX })
        const target = { type: 'webhook', id: endpointId }
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'webhook.recovered',
          target,
          details: { ...period, queued },
        })
        wakeUps.wakeAfterCommit(tx, [key])
        return { queued }
      })
    },
  }
}

function isFinal({ status }: Delivery): boolean {
  return status === 'succeeded' || status === 'dead' || status === 'canceled'
}

function toWindow(time: number, { beforeMs, afterMs }: { beforeMs: number; afterMs: number }): EventWindow {
  return { from: toFirstId(new Date(time - beforeMs)), before: toFirstId(new Date(time + afterMs)) }
}

function refuseEmptyPeriod({ since, until }: Recover): void {
  if (until === undefined || Date.parse(since) < Date.parse(until)) return
  throw invalidPart('body', [toIssue('/until', 'not_later', { other: 'since' })])
}

/** The hub writes the bodies of these events itself: only theirs have the id of a message. */
function readMessageId({ event_kind, body }: store.StoredPayload): string | null {
  if (body === null || !event_kind.startsWith('message.')) return null
  return JSON.parse(body.toString()).data?.message?.id ?? null
}

async function* readByKey(read: (after: DeliveryPlace) => Promise<store.KeptDelivery[]>) {
  let after: DeliveryPlace | undefined = BEFORE_ALL_DELIVERIES
  while (after) {
    const rows: store.KeptDelivery[] = await read(after)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    after = last && { endpointId: last.webhook_id, id: last.id }
  }
}
