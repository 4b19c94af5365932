import { isObject, type JsonObject, toText } from '../../../kernel/json/values.ts'
import type { NewEvent } from '../../events/catalog.ts'
import { type Contact, toContact } from '../contact.ts'
import { type MessageRow, toMessageEntry } from '../message-entry.ts'

const CHANGED_IDS = ['user_changed_number', 'user_changed_user_id']

/**
 * The second event of a message that is more than one: it edits or revokes another message, or says that its sender
 * has another number or user id. The entry of the other message stays as it is.
 */
export function listFurtherEvents(row: MessageRow & { organization_id: string }, at: string): NewEvent[] {
  const { organization_id: organizationId, channel_id: channelId, type } = row
  const common = { organizationId, channelId, occurredAt: at }
  const content = isObject(row.content) ? row.content : {}
  if (type === 'edit' || type === 'revoke') {
    const data = { message: toMessageEntry(row), original_upstream_message_id: toText(content.original_message_id) }
    return [{ ...common, kind: type === 'edit' ? 'message.edited' : 'message.revoked', data }]
  }
  if (type !== 'system' || !CHANGED_IDS.includes(toText(content.type) ?? '')) return []
  return [{ ...common, kind: 'contact.changed', data: toChangedContact(content, row) }]
}

function toChangedContact(system: JsonObject, { sender, contact }: { sender: string | null; contact: Contact | null }) {
  const [wa_id, user_id] = [toText(system.wa_id) ?? sender, toText(system.user_id) ?? contact?.user_id]
  const parent_user_id = toText(system.parent_user_id) ?? contact?.parent_user_id
  const [previousUser, previousParent] = [toText(system.previous_user_id), toText(system.previous_parent_user_id)]
  return {
    contact: toContact({ name: contact?.name, username: contact?.username, wa_id, user_id, parent_user_id }),
    previous: {
      ...(sender !== null && sender !== wa_id && { wa_id: sender }),
      ...(previousUser !== null && { user_id: previousUser }),
      ...(previousParent !== null && { parent_user_id: previousParent }),
    },
  }
}
