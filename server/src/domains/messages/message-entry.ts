import type { MessageEntry } from '../events/schemas.ts'
import type { Progress } from './status.ts'

/** A message as the hub keeps it. */
export type MessageRow = Progress & {
  id: string
  channel_id: string
  direction: 'inbound' | 'outbound'
  type: string
  sender: string | null
  recipient: string | null
  contact: { name: string | null; user_id: string | null } | null
  upstream_message_id: string | null
  content: unknown
  context: object | null
  created_at: string
}

/** A message as callers and receivers see it. An error's subcode and trace id are kept for replays and not shown. */
export function toMessageEntry(row: MessageRow): MessageEntry {
  const { id, channel_id, direction, type, status, sender, recipient, contact, upstream_message_id, content } = row
  const { context, error, pricing, created_at, sent_at, delivered_at, read_at, failed_at } = row
  return {
    id,
    channel_id,
    direction,
    type,
    status,
    from: sender,
    to: recipient,
    contact,
    upstream_message_id,
    content: content ?? null,
    context,
    error: error && { code: error.code, title: error.title, details: error.details },
    pricing,
    created_at,
    sent_at,
    delivered_at,
    read_at,
    failed_at,
  }
}
