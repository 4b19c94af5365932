import { afterCommit, type Tx } from '../../../kernel/db/pool.ts'
import type { NewEvent } from '../../events/catalog.ts'
import type { Events } from '../../events/service.ts'
import type { WakeUps } from '../wake-ups.ts'
import { buildCompatPayload } from './compat-payload.ts'
import type { PayloadCache } from './payload-cache.ts'
import * as store from './store.ts'

/** Records events and their deliveries in the caller's transaction, so that an accepted event is never undelivered. */
export type Publish = (tx: Tx, events: NewEvent[]) => Promise<void>

type Dependencies = { events: Events; wakeUps: WakeUps; payloads: PayloadCache }

export function createPublishing({ events, wakeUps, payloads }: Dependencies): { publish: Publish } {
  return {
    async publish(tx, published) {
      if (published.length === 0) return
      const recorded = await events.record(tx, published.map(withCompatPayload))
      const deliveries = await store.insertDeliveries(tx, recorded)
      if (deliveries.length === 0) return
      const delivered = new Set(deliveries.map(({ event_id }) => event_id))
      const cached = recorded.filter(({ id }) => delivered.has(id))
      afterCommit(tx, () => cached.forEach((event) => void payloads.put(event.id, event)))
      const endpoints = new Map(deliveries.map((row) => [row.endpoint_id, row.organization_id]))
      wakeUps.wakeAfterCommit(
        tx,
        [...endpoints].map(([endpointId, organizationId]) => ({ organizationId, endpointId })),
      )
    },
  }
}

function withCompatPayload(event: NewEvent) {
  return 'data' in event ? { ...event, compat: buildCompatPayload(event.kind, event.data) } : event
}
