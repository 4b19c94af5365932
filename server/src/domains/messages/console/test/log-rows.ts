import type { TestHub } from '../../../../../test/hub.ts'
import { newId } from '../../../../kernel/ids.ts'
import { listContacts } from '../../contacts/identify.ts'
import { buildContactWrite } from '../../contacts/store.ts'

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
  const { channelId = newId(), sender = null, recipient = null } = row
  const id = newId(at)
  const contact = row.contact === undefined || row.contact === null ? null : JSON.parse(row.contact)
  const message = { organization_id: organizationId, channel_id: channelId, direction, sender, recipient, contact }
  const contacts = listContacts(message)
  await hub.sql`${buildContactWrite(hub.sql, contacts)}`
  await hub.sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, sender, recipient, contact_id, contact,
      content, error, created_at)
    values (${organizationId}, ${channelId}, ${id}, ${direction}, ${type},
      ${row.status ?? (direction === 'inbound' ? 'received' : 'sent')}, ${sender}, ${recipient}, ${contacts[0]?.id ?? null},
      ${row.contact ?? null}::text::json, ${row.content ?? '{"body":"segredo"}'}::text::json,
      ${row.error ?? null}::text::json, ${at.toISOString()})`
  return id
}
