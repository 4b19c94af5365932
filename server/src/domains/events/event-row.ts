import type { Columns } from '../../kernel/db/rows.ts'
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

export const EVENT_COLUMNS: Columns<EventRow> = {
  organizationId: 'uuid',
  id: 'uuid',
  kind: 'text',
  channelId: 'uuid',
  occurredAt: 'timestamptz',
  body: 'bytea',
  compatBody: 'bytea',
}
