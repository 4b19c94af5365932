import type { Tx } from '../../kernel/db/pool.ts'
import { rows } from '../../kernel/db/rows.ts'
import type { EventKind } from './catalog.ts'

export type EventRow = {
  organizationId: string
  id: string
  kind: EventKind
  channelId: string | null
  occurredAt: string
  body: Buffer
  /** The body for compat endpoints, if it differs. */
  compatBody: Buffer | null
}

/** One statement for any number of events and organizations. */
export async function insertEvents(tx: Tx, events: EventRow[]): Promise<void> {
  await tx`
    insert into events (organization_id, id, kind, channel_id, occurred_at, body, compat_body)
    select organization_id, id, kind, channel_id, occurred_at, body, compat_body
    from ${rows(tx, events, {
      organizationId: 'uuid',
      id: 'uuid',
      kind: 'text',
      channelId: 'uuid',
      occurredAt: 'timestamptz',
      body: 'bytea',
      compatBody: 'bytea',
    })} as e`
}
