import type { Fragment, Sql, Tx } from '../../kernel/db/pool.ts'
import { createByteParts, defineRecord, records } from '../../kernel/db/records.ts'
import { rows } from '../../kernel/db/rows.ts'
import { EVENT_COLUMNS, type EventRow } from './event-row.ts'

export async function insertEvent(tx: Tx, event: EventRow): Promise<void> {
  await buildEventInsert(tx, tx`select * from ${rows(tx, [event], EVENT_COLUMNS)} as r`)
}

/** A statement, or a part of one, that inserts the events of a query with the columns of an event. */
export function buildEventInsert(sql: Sql, events: Fragment): Fragment {
  return sql`
    insert into events (organization_id, id, kind, channel_id, occurred_at, body, compat_body)
    select organization_id, id, kind, channel_id, occurred_at, body, compat_body
    from (${events}) e`
}

type EventPart = Omit<EventRow, 'body' | 'compatBody'> & {
  bodyAt: number
  bodyLength: number
  compatAt: number | null
  compatLength: number | null
}

const NEW_EVENT = defineRecord<EventPart>('new_event_1', {
  organizationId: 'uuid',
  id: 'uuid',
  kind: 'text',
  channelId: 'uuid',
  occurredAt: 'timestamptz',
  bodyAt: 'int',
  bodyLength: 'int',
  compatAt: 'int',
  compatLength: 'int',
})

/** Two arguments of a function that publishes: the events, and the bytes of all of their bodies. */
export function buildNewEvents(sql: Sql, events: readonly EventRow[]): Fragment {
  const bodies = createByteParts()
  const parts = events.map(({ body, compatBody, ...event }) => {
    const [bodyPart, compatPart] = [bodies.add(body), compatBody && bodies.add(compatBody)]
    return {
      ...event,
      bodyAt: bodyPart.at,
      bodyLength: bodyPart.length,
      compatAt: compatPart?.at ?? null,
      compatLength: compatPart?.length ?? null,
    }
  })
  return sql`${records(sql, NEW_EVENT, parts)}, ${bodies.concat()}`
}
