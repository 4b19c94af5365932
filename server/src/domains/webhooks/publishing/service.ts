import { afterCommit, afterFailure, type Fragment, type Tx } from '../../../kernel/db/pool.ts'
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

/** For another domain's statement that inserts deliveries together with its own rows. */
export const { buildFanOut } = store
export type QueuedDelivery = store.QueuedDelivery

type Dependencies = {
  events: Events
  wakeUps: WakeUps
  listenerWakeUps: WakeUps<string>
  payloads: PayloadCache
  directClaims: Pick<DirectClaims, 'plan'>
  liveUpdates: Pick<LiveUpdates, 'record'>
}

export type Publishing = ReturnType<typeof createPublishing>
export type Publish = Publishing['publish']

export function createPublishing(dependencies: Dependencies) {
  const { events, wakeUps, listenerWakeUps, payloads, directClaims, liveUpdates } = dependencies

  function prepare(event: NewEvent): EventRow {
    return events.prepare('data' in event ? { ...event, compat: buildCompatPayload(event.kind, event.data) } : event)
  }

  function announce(published: EventRow[], deliveries: QueuedDelivery[], claim: DirectClaim | undefined): void {
    if (deliveries.length > 0) announceDeliveries(published, deliveries)
    claim?.start(listClaimed(published, deliveries))
  }

  function announceDeliveries(published: EventRow[], deliveries: QueuedDelivery[]): void {
    const delivered = new Set(deliveries.map(({ event_id }) => event_id))
    for (const event of published) if (delivered.has(event.id)) payloads.put(event.id, event)
    const endpoints = new Map<string, string>()
    const listeners = new Set<string>()
    for (const { endpoint_id, listener_id, organization_id, is_claimed } of deliveries) {
      if (endpoint_id === null) listeners.add(listener_id)
      else if (!is_claimed) endpoints.set(endpoint_id, organization_id)
    }
    if (endpoints.size > 0) {
      wakeUps.wake([...endpoints].map(([endpointId, organizationId]) => ({ organizationId, endpointId })))
    }
    if (listeners.size > 0) listenerWakeUps.wake([...listeners])
    liveUpdates.record(deliveries, toDeliveryUpdates)
  }

  return {
    /**
     * Records events and their deliveries in the caller's transaction, so that an accepted event is never undelivered.
     * `otherWrites` join the statement: parts of a `with`, each followed by a comma.
     */
    async publish(tx: Tx, published: NewEvent[], otherWrites?: Fragment): Promise<void> {
      if (published.length === 0) return
      const prepared = published.map(prepare)
      const claim = directClaims.plan(prepared)
      if (claim) afterFailure(tx, claim.cancel)
      const deliveries = await store.insertEvents(tx, prepared, buildEventInsert, claim, otherWrites)
      afterCommit(tx, () => {
        announce(prepared, deliveries, claim)
        liveUpdates.record(published, toEventUpdates)
      })
    },

    /** For a statement of the caller with `buildEventInsert` and `buildFanOut`. */
    prepare,

    /** A claim for such a statement. */
    planClaim: directClaims.plan,

    /**
     * To be called when such a statement is committed: keeps the payloads, starts the deliveries that it claimed, and wakes
     * the endpoints and listeners of the others.
     */
    announce,
  }
}

function listClaimed(published: EventRow[], deliveries: QueuedDelivery[]): DirectDelivery[] {
  if (deliveries.length === 0) return []
  const kinds = new Map(published.map(({ id, kind }) => [id, kind]))
  return deliveries.flatMap(({ organization_id, endpoint_id, event_id, delivery_id, is_claimed }) => {
    if (endpoint_id === null || !is_claimed) return []
    return [{ organization_id, endpoint_id, id: delivery_id, event_id, event_kind: kinds.get(event_id) ?? '' }]
  })
}

function toDeliveryUpdates({ organization_id, endpoint_id, delivery_id }: QueuedDelivery): LiveUpdate[] {
  if (endpoint_id === null) return []
  const [organizationId, endpointId, deliveryId] = [organization_id, endpoint_id, delivery_id]
  return [{ organizationId, kind: 'delivery.created', endpointId, deliveryId }]
}
