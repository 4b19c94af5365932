import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/pool.ts'
import { newId } from '../../kernel/ids.ts'
import { stringifyAscii } from '../../kernel/json/ascii.ts'
import type { NewEvent } from './catalog.ts'
import type { EventRow } from './event-row.ts'
import * as store from './store.ts'

/** For another domain's statement that inserts events together with its own rows. */
export const { buildEventInsert, buildNewEvents } = store

export type Events = ReturnType<typeof createEvents>

export function createEvents({ now }: { now: Clock }) {
  return {
    /** Gives an event its id, and serializes its body once: every endpoint, retry and replay sends the same bytes. */
    prepare: (event: NewEvent): EventRow => toEventRow(event, now()),

    /** Joins the transaction of the change, so that a change and its event are committed together. */
    async record(tx: Tx, event: NewEvent): Promise<EventRow> {
      const row = toEventRow(event, now())
      await store.insertEvent(tx, row)
      return row
    },
  }
}

function toEventRow(event: NewEvent, now: Date): EventRow {
  const { organizationId, id = newId(now), kind, channelId } = event
  const occurredAt = event.occurredAt ?? now.toISOString()
  const body =
    'raw' in event
      ? event.raw
      : Buffer.from(
          stringifyAscii({ id, event: kind, channel_id: channelId, occurred_at: occurredAt, data: event.data }),
        )
  const compatBody = 'raw' in event ? null : (event.compat ?? null)
  return { organizationId, id, kind, channelId, occurredAt, body, compatBody }
}
