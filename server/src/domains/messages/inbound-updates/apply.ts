import type { JsonObject } from '../../../kernel/json/values.ts'
import type { EventKind, NewEvent } from '../../events/catalog.ts'
import { mergeContacts } from '../contact.ts'
import { type ContactDetails, chooseContactId, identifyContact, listContacts } from '../contacts/identify.ts'
import { type MessageRow, toMessageEntry } from '../message-entry.ts'
import { applyReport, isFailureRefuted, pickLaterStatus, type Report } from '../status.ts'
import { removeRecipient } from './erased-status.ts'
import { listFurtherEvents } from './further-events.ts'

export type Row = MessageRow & { organization_id: string }

type Update = {
  organizationId: string
  channelId: string
  /** The upstream's id of the message. */
  wamid: string
  /** The upstream's time. */
  at: string
  from: string | null
  to: string | null
  contact: MessageRow['contact']
}

/** A message that a contact sent to the business, or that the business sent from its own app (an echo). */
export type WrittenMessage = Update & {
  kind: 'received' | 'echo'
  type: string
  content: unknown
  context: object | null
  error: MessageRow['error']
}

/** A status callback for a message that the business sent. */
export type StatusUpdate = Update & {
  kind: 'status'
  report: Report
  /** The callback data of the send, which identifies a send with an unknown outcome. */
  callbackData: string | null
  /** The member of a group whom the status is about. Each member has statuses of their own. */
  participant: string | null
  /** The message was sent to a group, and its contact is not a person. */
  isOfGroup: boolean
  detail: JsonObject
}

export type InboundUpdate = WrittenMessage | StatusUpdate

/** A bit beside those of the statuses: the row is a placeholder, known only from status callbacks. */
const PLACEHOLDER = 32

/** Another bit: the person was erased, and later statuses do not bring them back. */
export const ERASED = 64

/** `isFilled`: the update gave a placeholder its content. `contacts`: what it tells of the person. */
export type AppliedUpdate = { row: Row; isFilled: boolean; events: NewEvent[]; contacts: ContactDetails[] }

/**
 * Applies one update to its message; undefined if it changes nothing. The row ends up the same in any order
 * of the updates, and with any of them repeated: the first update creates the row, a status of an unknown message creates
 * a placeholder, and the message itself fills it.
 */
export function apply(before: Row | undefined, update: InboundUpdate, id: string): AppliedUpdate | undefined {
  return update.kind === 'status' ? applyStatus(before, update, id) : applyMessage(before, update, id)
}

function applyMessage(before: Row | undefined, update: WrittenMessage, id: string): AppliedUpdate | undefined {
  if (before && !isPlaceholder(before)) return undefined
  const { type, from, content, context, at, kind } = update
  // An inbound message has no statuses, so statuses that arrived with its id are discarded.
  const base = before && kind === 'echo' ? before : createPlaceholder(update, before?.id ?? id)
  const filled: Row = {
    ...base,
    type,
    sender: from,
    content,
    context,
    created_at: at,
    recipient: update.to ?? base.recipient,
    contact: mergeContacts(base.contact, update.contact),
    error: isFailureRefuted(base) ? null : (base.error ?? update.error),
    statuses_seen: base.statuses_seen & ~(PLACEHOLDER | ERASED),
    ...(kind === 'received' ? { direction: 'inbound', status: 'received' } : toEchoed(base, at)),
  }
  const found = identifyContact(filled)
  const row = { ...filled, contact_id: chooseContactId(filled, filled.contact_id, found) }
  const event = toEvent(kind === 'received' ? 'message.received' : 'message.echo', row, at)
  const events = [event, ...listFurtherEvents(row, at)]
  // The first update of a message names everyone whom its row names.
  const contacts = before ? toContacts(row, update) : toContacts(row, update, found)
  return { row, isFilled: before !== undefined, events, contacts }
}

function applyStatus(before: Row | undefined, given: StatusUpdate, id: string): AppliedUpdate | undefined {
  const update = before && isErased(before) ? withoutRecipient(given) : given
  const base = before ?? createPlaceholder(update, id)
  const isUnsettled = base.status === 'sending' || base.status === 'unknown'
  const settled: Row = isUnsettled ? { ...base, status: 'accepted', upstream_message_id: update.wamid } : base
  const events = isUnsettled ? [toEvent('message.sent', settled, update.at)] : []
  const progress = applyReport(settled, update.report, { repeats: update.participant !== null })
  if (!progress) return isUnsettled ? { row: settled, isFilled: false, events, contacts: [] } : undefined
  const reported: Row = {
    ...progress,
    recipient: progress.recipient ?? update.to,
    contact: mergeContacts(progress.contact, update.contact),
    created_at: isPlaceholder(progress) && update.at < progress.created_at ? update.at : progress.created_at,
  }
  const row = update.isOfGroup ? reported : { ...reported, contact_id: chooseContactId(reported, reported.contact_id) }
  events.push(toEvent('message.status', row, update.at, { statuses_detail: update.detail }))
  return { row, isFilled: false, events, contacts: update.isOfGroup ? [] : toContacts(row, update) }
}

/** The person of an update under the id that its message has. An update of an erased message has none. */
function toContacts(
  row: Row,
  { from: sender, to: recipient, contact }: InboundUpdate,
  found?: ContactDetails | null,
): ContactDetails[] {
  const { organization_id, channel_id, direction, contact_id: current, recipient: address } = row
  if (current === null) return []
  const message = { organization_id, channel_id, direction, sender, recipient, contact }
  return listContacts(message, { current, address }, found)
}

export function isPlaceholder({ statuses_seen }: Row): boolean {
  return (statuses_seen & PLACEHOLDER) !== 0
}

export function isErased({ statuses_seen }: Pick<Row, 'statuses_seen'>): boolean {
  return (statuses_seen & ERASED) !== 0
}

function withoutRecipient(update: StatusUpdate): StatusUpdate {
  const { detail, report } = update
  const error = report.error && { ...report.error, title: null, details: null }
  return { ...update, to: null, contact: null, detail: removeRecipient(detail), report: { ...report, error } }
}

/** Returns true if an update is about a message whose person was erased. A message that fills a placeholder comes after that. */
export function isOfErased(before: Row, update: InboundUpdate): boolean {
  return isErased(before) && (update.kind === 'status' || !isPlaceholder(before))
}

function toEchoed(base: Row, at: string) {
  const status = base.status === 'received' ? base.status : pickLaterStatus(base.status, 'sent')
  return { status, sent_at: base.sent_at !== null && base.sent_at < at ? base.sent_at : at }
}

function createPlaceholder(update: InboundUpdate, id: string): Row {
  const { organizationId: organization_id, channelId: channel_id, wamid, from, to, contact, at } = update
  return {
    organization_id,
    channel_id,
    id,
    direction: 'outbound',
    type: 'unknown',
    status: 'accepted',
    sender: from,
    recipient: to,
    contact,
    contact_id: null,
    upstream_message_id: wamid,
    content: null,
    context: null,
    error: null,
    pricing: null,
    statuses_seen: PLACEHOLDER,
    created_at: at,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    failed_at: null,
  }
}

function toEvent(kind: EventKind, row: Row, at: string, more: object = {}): NewEvent {
  const data = { message: toMessageEntry(row), ...more }
  return { organizationId: row.organization_id, channelId: row.channel_id, kind, occurredAt: at, data }
}
