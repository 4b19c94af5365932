import type { TestHub } from '../../../../../test/hub.ts'
import { newId } from '../../../../kernel/ids.ts'

export type LogRow = {
  channelId?: string
  at?: Date
  direction?: 'inbound' | 'outbound'
  type?: string
  status?: string
  sender?: string | null
  recipient?: string | null
  contact?: string | null
  content?: string | null
  error?: string | null
}

/** Adds a message to the log as it is stored, and returns its id. */
export async function addMessage(hub: TestHub, organizationId: string, row: LogRow = {}): Promise<string> {
  const { direction = 'outbound', type = 'text', at = hub.clock.now() } = row
  const id = newId(at)
  await hub.sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, sender, recipient, contact, content,
      error, created_at)
    values (${organizationId}, ${row.channelId ?? newId()}, ${id}, ${direction}, ${type},
      ${row.status ?? (direction === 'inbound' ? 'received' : 'sent')}, ${row.sender ?? null}, ${row.recipient ?? null},
      ${row.contact ?? null}::text::json, ${row.content ?? '{"body":"segredo"}'}::text::json,
      ${row.error ?? null}::text::json, ${at.toISOString()})`
  return id
}
