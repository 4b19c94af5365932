import type { Fragment, Sql, Tx } from '../../kernel/db/pool.ts'
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
