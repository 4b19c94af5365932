import type { ConsoleMessage } from './schemas.ts'
import type { ConsoleRow } from './store.ts'

/** A message as the log of the console shows it: nothing that a person wrote. */
export function toConsoleMessage(row: ConsoleRow): ConsoleMessage {
  const { id, channel_id, direction, type, status, upstream_message_id, created_at, updated_at, error } = row
  return {
    id,
    channel_id,
    direction,
    person: toPerson(row),
    type,
    template: type === 'template' ? { name: row.template_name, language: row.template_language } : null,
    status,
    error: error && { code: error.code },
    upstream_message_id,
    created_at,
    updated_at,
  }
}

/** A person who is addressed by a user id, or hides their number, has no phone number. */
function toPerson({ direction, sender, recipient, contact }: ConsoleRow) {
  const address = direction === 'inbound' ? sender : recipient
  const isPhone = address !== null && /^\+?[0-9]+$/.test(address)
  return { phone: isPhone ? address : null, user_id: contact?.user_id ?? (isPhone ? null : address) }
}
