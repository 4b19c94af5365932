import { afterCommit, afterFailure, type Pool, type Sql, type Tx } from '../../../kernel/db/pool.ts'
import type { Alerts } from '../../alerts/service.ts'
import type { NewEvent } from '../../events/catalog.ts'
import type { EventRow } from '../../events/event-row.ts'
import { buildEventInsert, type Events } from '../../events/service.ts'
import { type LiveUpdate, toEventUpdates } from '../../live-updates/live-update.ts'
import type { LiveUpdates } from '../../live-updates/service.ts'
import type { DirectClaim, DirectClaims, DirectDelivery } from '../engine/direct-claims.ts'
import type { WakeUps } from '../wake-ups.ts'
import { buildCompatPayload } from './compat-payload.ts'
import type { PayloadCache } from './payload-cache.ts'
import * as store from './store.ts'

export type Publication = store.Publication
export type Published = store.Published
export type QueuedDelivery = store.QueuedDelivery

type Dependencies = {
  events: Events
  wakeUps: WakeUps
  listenerWakeUps: WakeUps<string>
  /** Announces organizations with a new deferred fan-out. */
  fanOutWakeUps: WakeUps<string>
  payloads: PayloadCache
  directClaims: Pick<DirectClaims, 'plan'>
  liveUpdates: Pick<LiveUpdates, 'record'>
  alerts: Pick<Alerts, 'record'>
}

export type Publishing = ReturnType<typeof createPublishing>
export type Publish = Publishing['publish']

export function createPublishing(dependencies: Dependencies) {
  const { events, wakeUps, listenerWakeUps, fanOutWakeUps, payloads, directClaims, liveUpdates, alerts } = dependencies

  function prepare(event: NewEvent): EventRow {
    return events.prepare('data' in event ? { ...event, compat: buildCompatPayload(event.kind, event.data) } : event)
  }

  function announce(published: EventRow[], deliveries: store.QueuedDelivery[], claim: DirectClaim | undefined): void {
    if (deliveries.length > 0) announceDeliveries(published, deliveries)
    claim?.start(listClaimed(published, deliveries))
  }

  function announceDeliveries(published: EventRow[], deliveries: store.QueuedDelivery[]): void {
    const delivered = new Set(deliveries.map(({ event_id }) => event_id))
    for (const event of published) if (delivered.has(event.id)) payloads.put(event.id, event)
    const endpoints = new Map<string, string>()
    const listeners = new Set<string>()
    const deferring = new Set<string>()
    for (const { endpoint_id, listener_id, organization_id, is_claimed } of deliveries) {
      if (listener_id !== null) listeners.add(listener_id)
      else if (endpoint_id === null) deferring.add(organization_id)
      else if (!is_claimed) endpoints.set(endpoint_id, organization_id)
    }
    if (endpoints.size > 0) {
      wakeUps.wake([...endpoints].map(([endpointId, organizationId]) => ({ organizationId, endpointId })))
    }
    if (listeners.size > 0) listenerWakeUps.wake([...listeners])
    if (deferring.size > 0) fanOutWakeUps.wake([...deferring])
    liveUpdates.record(deliveries, toDeliveryUpdates)
  }

  /**
   * Publishes events by a statement of the caller, which inserts them and their deliveries together with its own rows. On
   * commit, of the statement or of its transaction, the payloads are kept, the claimed deliveries start, and the endpoints
   * and listeners of the others wake; on failure the claim is canceled.
   */
  async function publishWith<Row extends Published>(
    db: Pool | Tx,
    published: NewEvent[],
    statement: (sql: Sql, publication: Publication) => Promise<Row[]>,
  ): Promise<Row[]> {
    const prepared = published.map(prepare)
    const claim = directClaims.plan(prepared)
    const tx = 'begin' in db ? undefined : db
    if (tx && claim) afterFailure(tx, claim.cancel)
    try {
      const results = await statement(db, store.buildPublication(db, prepared, claim, buildEventInsert))
      const deliveries = results.flatMap((row) => row.deliveries)
      const leftOut = new Set(results.flatMap((row) => row.leftOut ?? []))
      const announceAll = () => {
        announce(prepared, deliveries, claim)
        liveUpdates.record(leftOut.size === 0 ? published : published.filter((_, i) => !leftOut.has(i)), toEventUpdates)
      }
      if (tx) afterCommit(tx, announceAll)
      else announceAll()
      return results
    } catch (err) {
      claim?.cancel(err)
      throw err
    }
  }

  return {
    publishWith,

    /** Records events and their deliveries in the caller's transaction, so that an accepted event is never undelivered. */
    async publish(tx: Tx, published: NewEvent[]): Promise<void> {
      if (published.length === 0) return
      await publishWith(tx, published, store.insertPublication)
      await alerts.record(tx, published)
    },
  }
}

function listClaimed(published: EventRow[], deliveries: store.QueuedDelivery[]): DirectDelivery[] {
  if (deliveries.length === 0) return []
  const kinds = new Map(published.map(({ id, kind }) => [id, kind]))
  return deliveries.flatMap(({ organization_id, endpoint_id, event_id, delivery_id, is_claimed }) => {
    if (endpoint_id === null || !is_claimed) return []
    return [{ organization_id, endpoint_id, id: delivery_id, event_id, event_kind: kinds.get(event_id) ?? '' }]
  })
}

function toDeliveryUpdates({ organization_id, endpoint_id, delivery_id }: store.QueuedDelivery): LiveUpdate[] {
  if (endpoint_id === null) return []
  const [organizationId, endpointId, deliveryId] = [organization_id, endpoint_id, delivery_id]
  return [{ organizationId, kind: 'delivery.created', endpointId, deliveryId }]
}
