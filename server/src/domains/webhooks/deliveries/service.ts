import type { Pool } from '../../../kernel/db/pool.ts'
import { invalidRequest, notFound } from '../../../kernel/errors.ts'
import { perHour, perMinute, refuseOver } from '../../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../../kernel/rate-limit/store.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Events } from '../../events/service.ts'
import type { WakeUps } from '../wake-ups.ts'
import * as store from './log-store.ts'
import type { Delivery, Recover } from './schemas.ts'

/**
 * The life of a delivery: one event on its way to one endpoint.
 *
 * pending: made in the transaction of its event, for each endpoint that was
 * active then; or by a replay, a test or a recovery. A worker claims it and
 * counts the attempt: processing.
 *
 * processing: one worker holds it, under a claim of its own and a lease. The
 * attempt ends as
 *   succeeded: any 2xx;
 *   retry: anything else, up to the ninth failure. It waits, longer each time;
 *   dead: the tenth failure;
 *   canceled: a failure of a delivery whose endpoint was disabled meanwhile.
 * A worker that dies leaves a claim whose lease runs out: that attempt failed
 * with INTERRUPTED, which is not the receiver's fault. One that stops in time, or
 * cannot begin at once, gives the claim back, and the attempt does not count.
 * Whoever has lost the claim cannot write any more.
 *
 * retry: waits until its time, then is claimed like a pending one, behind all
 * first attempts of the same endpoint.
 *
 * succeeded, dead, canceled: over. Such a delivery is history: it is written
 * once, and a replay is another delivery of the same event.
 *
 * An endpoint that is paused holds its deliveries: nothing is claimed, and all
 * go on when it is active again; after four days they are canceled. Disabling
 * cancels at once what is not being attempted at that moment. Deleting an
 * endpoint takes its deliveries along.
 */
export type Deliveries = ReturnType<typeof createDeliveries>

const LOG_LENGTH = 50
const RECOVERED_MAX = 10_000
const TESTS = perHour('webhook-test', 10)
const RECOVERIES = perMinute('webhook-recover', 1)
const TEST_MESSAGE = 'This is a test. If you can read it, the endpoint works.'

type Dependencies = { sql: Pool; events: Events; wakeUps: WakeUps; audit: Audit }

export function createDeliveries({ sql, events, wakeUps, audit }: Dependencies) {
  return {
    async recent(organizationId: string, endpointId: string): Promise<Delivery[]> {
      const key = { organizationId, endpointId }
      if (!(await store.endpointExists(sql, key))) throw notFound('Webhook')
      return store.listRecent(sql, key, LOG_LENGTH)
    },

    async detail(organizationId: string, endpointId: string, deliveryId: string) {
      const key = { organizationId, endpointId }
      const delivery =
        (await store.endpointExists(sql, key)) && (await store.findDelivery(sql, { ...key, id: deliveryId }))
      if (!delivery) throw notFound('Delivery')
      return { delivery, attempts: await store.listAttempts(sql, { organizationId, deliveryId }) }
    },

    /** Sends a settled event again as a new delivery. The original stays as it was: it is history. */
    async replay({ organizationId, act }: Principal, endpointId: string, deliveryId: string) {
      const key = { organizationId, endpointId }
      return sql.begin(async (tx) => {
        const replay = await store.insertReplay(tx, { ...key, deliveryId })
        if (!replay) throw notFound('Delivery')
        const target = { type: 'webhook', id: endpointId }
        const details = { delivery_id: replay.id, replay_of_delivery_id: deliveryId }
        await audit.record(tx, { organizationId, act, action: 'webhook.replayed', target, details })
        wakeUps.whenCommitted(tx, [key])
        const { id: delivery_id, event_id } = replay
        return { delivery_id, event_id, replay_of_delivery_id: deliveryId, status: 'pending' as const }
      })
    },

    async test({ organizationId, act }: Principal, endpointId: string) {
      const key = { organizationId, endpointId }
      if (!(await store.isActive(sql, key))) throw notFound('Webhook')
      refuseOver(TESTS, await countRequest(sql, TESTS, `${organizationId}:${endpointId}`))
      return sql.begin(async (tx) => {
        const data = { webhook_id: endpointId, message: TEST_MESSAGE }
        const [event] = await events.record(tx, [{ organizationId, kind: 'webhook.test', channelId: null, data }])
        const delivery = event && (await store.insertTest(tx, { ...key, eventId: event.id }))
        if (!delivery) throw notFound('Webhook')
        const target = { type: 'webhook', id: endpointId }
        await audit.record(tx, { organizationId, act, action: 'webhook.tested', target })
        wakeUps.whenCommitted(tx, [key])
        return { event_id: event.id, delivery_id: delivery.id, status: 'pending' as const }
      })
    },

    /** Replays what died or was canceled while a receiver was broken, all at once. */
    async recover({ organizationId, act }: Principal, endpointId: string, span: Recover) {
      const key = { organizationId, endpointId }
      refuseEmptySpan(span)
      if (!(await store.isActive(sql, key))) throw notFound('Webhook')
      refuseOver(RECOVERIES, await countRequest(sql, RECOVERIES, `${organizationId}:${endpointId}`))
      const { since, until = null, statuses = ['dead', 'canceled'] } = span
      return sql.begin(async (tx) => {
        const queued = await store.insertRecovered(tx, { ...key, since, until, statuses, limit: RECOVERED_MAX })
        const target = { type: 'webhook', id: endpointId }
        await audit.record(tx, {
          organizationId,
          act,
          action: 'webhook.recovered',
          target,
          details: { ...span, queued },
        })
        wakeUps.whenCommitted(tx, [key])
        return { queued }
      })
    },
  }
}

function refuseEmptySpan({ since, until }: Recover): void {
  if (until === undefined || Date.parse(since) < Date.parse(until)) return
  const issue = { path: '/until', message: 'must be later than since' }
  throw invalidRequest(`The body is invalid: ${issue.path} ${issue.message}.`, [issue])
}
