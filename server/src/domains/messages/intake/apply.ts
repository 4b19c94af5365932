import type { EventKind, NewEvent } from '../../events/catalogue.ts'
import { entryOf, type MessageRow } from '../entry.ts'
import { higher, progressBy, type Report } from '../status.ts'

export type Row = MessageRow & { organization_id: string }

type Update = {
  organizationId: string
  channelId: string
  /** The upstream's name of the message. */
  wamid: string
  /** The upstream's time. */
  at: string
  from: string | null
  to: string | null
  contact: MessageRow['contact']
}

/** A message that somebody wrote: a contact to the business, or the business in its own app (an echo). */
export type Written = Update & {
  kind: 'received' | 'echo'
  type: string
  content: unknown
  context: object | null
  error: MessageRow['error']
}

/** What the upstream says of a message that the business sent. */
export type Reported = Update & {
  kind: 'status'
  report: Report
  /** The callback data of the send, by which an unknown one is recognised. */
  opaque: string | null
  detail: object
}

export type Incoming = Written | Reported

/** Beside the bits of the statuses: only those have arrived so far, and what was sent is not known. */
const FACELESS = 32

/** `isFilled`: a faceless message has got its content. */
export type Step = { row: Row; isFilled: boolean; events: NewEvent[] }

/**
 * What one update makes of its message, or undefined when it says nothing new.
 * In whatever order the updates of a message come, and however often, the row
 * ends up the same: the first that names a message makes it, a status of one
 * that is not known yet makes a faceless row, and the message itself completes
 * it.
 */
export function apply(before: Row | undefined, update: Incoming, id: string): Step | undefined {
  return update.kind === 'status' ? hear(before, update, id) : write(before, update, id)
}

function write(before: Row | undefined, update: Written, id: string): Step | undefined {
  if (before && !isFaceless(before)) return undefined
  const { type, from, content, context, at, kind } = update
  // What the business received has no statuses: such as came under its name are no part of it.
  const base = before && kind === 'echo' ? before : blank(update, before?.id ?? id)
  const row: Row = {
    ...base,
    ...{ type, sender: from, content, context, created_at: at },
    recipient: update.to ?? base.recipient,
    contact: joined(base.contact, update.contact),
    error: base.error ?? update.error,
    statuses_seen: base.statuses_seen & ~FACELESS,
    ...(kind === 'received' ? { direction: 'inbound', status: 'received' } : echoed(base, at)),
  }
  const event = eventOf(kind === 'received' ? 'message.received' : 'message.echo', row, at)
  return { row, isFilled: before !== undefined, events: [event] }
}

function hear(before: Row | undefined, update: Reported, id: string): Step | undefined {
  const base = before ?? blank(update, id)
  const isUnsettled = base.status === 'sending' || base.status === 'unknown'
  const settled: Row = isUnsettled ? { ...base, status: 'accepted', upstream_message_id: update.wamid } : base
  const events = isUnsettled ? [eventOf('message.sent', settled, update.at)] : []
  const progress = progressBy(settled, update.report)
  if (!progress) return isUnsettled ? { row: settled, isFilled: false, events } : undefined
  const row: Row = {
    ...progress,
    recipient: progress.recipient ?? update.to,
    contact: joined(progress.contact, update.contact),
    created_at: isFaceless(progress) && update.at < progress.created_at ? update.at : progress.created_at,
  }
  events.push(eventOf('message.status', row, update.at, { statuses_detail: update.detail }))
  return { row, isFilled: false, events }
}

/** What is known of a contact from several callbacks, each of which may know only a part. */
function joined(a: MessageRow['contact'], b: MessageRow['contact']): MessageRow['contact'] {
  return a && b ? { name: a.name ?? b.name, user_id: a.user_id ?? b.user_id } : (a ?? b)
}

function isFaceless({ statuses_seen }: Row): boolean {
  return (statuses_seen & FACELESS) !== 0
}

function echoed(base: Row, at: string) {
  const status = base.status === 'received' ? base.status : higher(base.status, 'sent')
  return { status, sent_at: base.sent_at !== null && base.sent_at < at ? base.sent_at : at }
}

function blank(update: Incoming, id: string): Row {
  const { organizationId: organization_id, channelId: channel_id, wamid, from, to, contact, at } = update
  return {
    ...{ organization_id, channel_id, id, direction: 'outbound', type: 'unknown', status: 'accepted' },
    ...{ sender: from, recipient: to, contact, upstream_message_id: wamid, content: null, context: null },
    ...{ error: null, pricing: null, statuses_seen: FACELESS, created_at: at },
    ...{ sent_at: null, delivered_at: null, read_at: null, failed_at: null },
  }
}

function eventOf(kind: EventKind, row: Row, at: string, more: object = {}): NewEvent {
  const data = { message: entryOf(row), ...more }
  return { organizationId: row.organization_id, channelId: row.channel_id, kind, occurredAt: at, data }
}
