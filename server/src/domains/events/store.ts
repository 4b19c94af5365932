import type { Json, Sql, Tx } from '../../kernel/db/pool.ts'
import type { EventKind } from './catalogue.ts'

export type EventRow = { id: string; kind: EventKind; channelId: string | null; data: Json }

/** All events of one act in one statement, whatever their number. */
export async function insertEvents(tx: Tx, organizationId: string, events: EventRow[]): Promise<void> {
  await tx`
    insert into events (organization_id, id, kind, channel_id, occurred_at, data)
    select ${organizationId}, e.id, e.kind, e.channel_id, hub_now(), e.data
    from unnest(
      ${tx.array(events.map(({ id }) => id))}::uuid[],
      ${tx.array(events.map(({ kind }) => kind))}::text[],
      ${tx.array(events.map(({ channelId }) => channelId))}::uuid[],
      ${tx.array(events.map(({ data }) => JSON.stringify(data)))}::jsonb[]
    ) as e (id, kind, channel_id, data)`
}

export type RecordedEvent = {
  id: string
  event: EventKind
  channel_id: string | null
  occurred_at: string
  data: Record<string, unknown>
}

export async function listEvents(
  sql: Sql,
  key: { organizationId: string; channelId: string },
): Promise<RecordedEvent[]> {
  return sql<RecordedEvent[]>`
    select id, kind as event, channel_id, occurred_at, data
    from events
    where organization_id = ${key.organizationId}
      and channel_id = ${key.channelId}
    order by id`
}
