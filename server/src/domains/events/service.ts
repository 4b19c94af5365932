import type { Clock } from '../../kernel/clock.ts'
import type { Json, Tx } from '../../kernel/db/pool.ts'
import { newId } from '../../kernel/ids.ts'
import type { EventKind } from './catalogue.ts'
import * as store from './store.ts'

export type NewEvent = { kind: EventKind; channelId: string | null; data: Json }

export type Events = ReturnType<typeof createEvents>

export function createEvents({ now }: { now: Clock }) {
  return {
    /** Joins the transaction of what happened: an event is there exactly when its cause is. */
    async record(tx: Tx, organizationId: string, events: NewEvent[]): Promise<void> {
      if (events.length === 0) return
      await store.insertEvents(
        tx,
        organizationId,
        events.map((event) => ({ id: newId(now()), ...event })),
      )
    },
  }
}
