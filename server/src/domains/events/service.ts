import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/pool.ts'
import { newId } from '../../kernel/ids.ts'
import { stringifyAscii } from '../../kernel/json/ascii.ts'
import type { NewEvent } from './catalog.ts'
import * as store from './store.ts'

export type Events = ReturnType<typeof createEvents>

export function createEvents({ now }: { now: Clock }) {
  return {
    /** Joins the transaction of the change, so that a change and its events are committed together. */
    async record(tx: Tx, events: NewEvent[]): Promise<store.EventRow[]> {
      const rows = events.map((event) => toEventRow(event, now()))
      if (rows.length > 0) await store.insertEvents(tx, rows)
      return rows
    },
  }
}

/** Serializes the body once: every endpoint, retry and replay sends the same bytes. */
function toEventRow(event: NewEvent, now: Date): store.EventRow {
  const { organizationId, kind, channelId } = event
  const id = newId(now)
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
