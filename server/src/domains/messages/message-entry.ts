import { parseExact } from '../../kernel/json/exact.ts'
import { hasLongInteger } from '../../kernel/json/lossless.ts'
import type { Contact } from './contact.ts'
import type { MessageEntry } from './schemas.ts'
import type { Direction, Progress } from './status.ts'

/** A row of the table `messages`. */
export type MessageRow = Progress & {
  id: string
  channel_id: string
  direction: Direction
  type: string
  sender: string | null
  recipient: string | null
  contact: Contact | null
  /** The row of the person in `contacts`. */
  contact_id: string | null
  upstream_message_id: string | null
  content: unknown
  context: object | null
  created_at: string
}

/** A row whose content was read as text. */
export type StoredMessage<T extends MessageRow> = Omit<T, 'content'> & { content: string | null }

/** Keeps the digits of numbers beyond 2^53, which the facade forwards as they were sent. */
export function parseContent<T extends MessageRow>(row: StoredMessage<T>): T {
  const { content: text } = row
  const content: unknown = text === null ? null : hasLongInteger(text) ? parseExact(text) : JSON.parse(text)
  return { ...row, content } as unknown as T
}

/** A message as the API and webhooks show it. An error's subcode and trace id are stored for replays only. */
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
