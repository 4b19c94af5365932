import { afterCommit } from '../../../kernel/db/after-commit.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { NewEvent } from '../../events/catalogue.ts'
import type { Events } from '../../events/service.ts'
import type { WakeUps } from '../wake-ups.ts'
import type { Bodies } from './bodies.ts'
import { compatBody } from './compat-body.ts'
import * as store from './fan-out-store.ts'

/** Records what happened and, in the same transaction, its deliveries: accepted means committed together with them. */
export type Publish = (tx: Tx, events: NewEvent[]) => Promise<void>

export function createPublishing({ events, wakeUps, bodies }: { events: Events; wakeUps: WakeUps; bodies: Bodies }) {
  return {
    async publish(tx: Tx, happened: NewEvent[]): Promise<void> {
      if (happened.length === 0) return
      const recorded = await events.record(
        tx,
        happened.map((event) => ('data' in event ? { ...event, compat: compatBody(event.kind, event.data) } : event)),
      )
      const made = await store.insertDeliveries(tx, recorded)
      if (made.length === 0) return
      const wanted = new Set(made.map(({ event_id }) => event_id))
      const remembered = recorded.filter(({ id }) => wanted.has(id))
      afterCommit(tx, () => remembered.forEach((event) => void bodies.put(event.id, event)))
      const woken = new Map(made.map((row) => [row.endpoint_id, row.organization_id]))
      wakeUps.whenCommitted(
        tx,
        [...woken].map(([endpointId, organizationId]) => ({ organizationId, endpointId })),
      )
    },
  }
}
