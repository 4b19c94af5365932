import { toStorableText } from '../../kernel/db/rows.ts'
import { isObject, type JsonObject, toList } from '../../kernel/json/values.ts'
import { listSpellings } from '../../kernel/phone-numbers.ts'
import { toContact } from '../messages/contact.ts'
import type { InboundUpdate } from '../messages/inbound-updates/apply.ts'
import type { PaymentUpdate } from '../messages/inbound-updates/payments.ts'
import { isReportedStatus, type MessageError } from '../messages/status.ts'
import type { TargetChannel } from './routing.ts'
import { toDigitsOrNull, toShortTextOrNull, toTimestamp } from './texts.ts'

/** The channel that a change concerns, and the time for updates without one. */
export type ChannelContext = { channel: TargetChannel; now: Date }

/** Reads the messages, echoes and statuses of a change for the message log. Those without an id are skipped. */
export function toMessageUpdates(field: string, value: unknown, channelContext: ChannelContext): InboundUpdate[] {
  if (!isObject(value)) return []
  if (field === 'smb_message_echoes')
    return listObjects(value.message_echoes).flatMap((m) => toEcho(m, value, channelContext))
  if (field !== 'messages') return []
  return [
    ...listObjects(value.messages).flatMap((message) => toReceived(message, value, channelContext)),
    ...listObjects(value.statuses).flatMap((status) => toStatusReport(status, value, channelContext)),
  ]
}

/** Reads the statuses of payments in a change. They are about a message, and never change it. */
export function toPaymentUpdates(field: string, value: unknown, { channel, now }: ChannelContext): PaymentUpdate[] {
  if (field !== 'messages' || !isObject(value)) return []
  return listObjects(value.statuses).flatMap((status) => {
    const wamid = toShortTextOrNull(status.id)
    const name = toShortTextOrNull(status.status)
    if (status.type !== 'payment' || wamid === null || name === null) return []
    const { organization_id: organizationId, channel_id: channelId } = channel
    const payment = isObject(status.payment) ? status.payment : null
    return [{ organizationId, channelId, wamid, at: toTimestamp(status.timestamp, now), status: name, payment }]
  })
}

function toReceived(message: JsonObject, value: JsonObject, channelContext: ChannelContext): InboundUpdate[] {
  const written = readWritten(message, channelContext)
  if (!written) return []
  const from = toShortTextOrNull(message.from)
  const contact = findContact(value, {
    wa_id: from,
    user_id: toShortTextOrNull(message.from_user_id),
    parent_user_id: toShortTextOrNull(message.from_parent_user_id),
  })
  return [{ kind: 'received', ...written, from, to: findBusinessNumber(value, channelContext), contact }]
}

function toEcho(message: JsonObject, value: JsonObject, channelContext: ChannelContext): InboundUpdate[] {
  const written = readWritten(message, channelContext)
  if (!written) return []
  const to = toShortTextOrNull(message.to)
  const contact = findContact(value, {
    wa_id: to,
    user_id: toShortTextOrNull(message.to_user_id),
    parent_user_id: toShortTextOrNull(message.to_parent_user_id),
  })
  return [
    {
      kind: 'echo',
      ...written,
      from: toShortTextOrNull(message.from) ?? findBusinessNumber(value, channelContext),
      to,
      contact,
    },
  ]
}

export function readWritten(message: JsonObject, { channel, now }: ChannelContext) {
  const wamid = toShortTextOrNull(message.id)
  if (wamid === null) return undefined
  const type = toShortTextOrNull(message.type) ?? 'unknown'
  return {
    organizationId: channel.organization_id,
    channelId: channel.channel_id,
    wamid,
    type,
    at: toTimestamp(message.timestamp, now),
    content: Object.hasOwn(message, type) ? message[type] : null,
    context: readContext(message),
    error: readError(message.errors),
  }
}

/** A status with another type than that of messages, such as a payment's or a call's, does not change the message. */
function toStatusReport(status: JsonObject, value: JsonObject, channelContext: ChannelContext): InboundUpdate[] {
  if (status.type !== undefined && status.type !== null && status.type !== 'message') return []
  const wamid = toShortTextOrNull(status.id)
  if (wamid === null || typeof status.status !== 'string' || !isReportedStatus(status.status)) return []
  const { organization_id: organizationId, channel_id: channelId } = channelContext.channel
  const at = toTimestamp(status.timestamp, channelContext.now)
  const to = toShortTextOrNull(status.recipient_id)
  const pricing = isObject(status.pricing) ? status.pricing : null
  return [
    {
      kind: 'status',
      organizationId,
      channelId,
      wamid,
      at,
      to,
      from: findBusinessNumber(value, channelContext),
      detail: status,
      contact: findContact(value, {
        wa_id: to,
        user_id: toShortTextOrNull(status.recipient_user_id),
        parent_user_id:
          toShortTextOrNull(status.parent_recipient_user_id) ?? toShortTextOrNull(status.recipient_parent_user_id),
        identity_key_hash: toShortTextOrNull(status.recipient_identity_key_hash),
      }),
      isOfGroup: status.recipient_type === 'group' || toShortTextOrNull(status.recipient_participant_id) !== null,
      participant: toShortTextOrNull(status.recipient_participant_id),
      callbackData:
        typeof status.biz_opaque_callback_data === 'string' ? toStorableText(status.biz_opaque_callback_data) : null,
      report: { status: status.status, at, error: readError(status.errors), pricing },
    },
  ]
}

export function findBusinessNumber(value: JsonObject, { channel }: ChannelContext): string | null {
  const display = isObject(value.metadata) ? value.metadata.display_phone_number : null
  return toDigitsOrNull(display) ?? toShortTextOrNull(channel.display_digits)
}

type ContactIds = {
  wa_id: string | null
  user_id: string | null
  parent_user_id: string | null
  identity_key_hash?: string | null
}

/** Users without a visible phone number have a user id only. */
export function findContact(value: JsonObject, who: ContactIds): InboundUpdate['contact'] {
  const found = findContactObject(value, who)
  const profile = isObject(found?.profile) ? found.profile : {}
  const contact = {
    name: typeof profile.name === 'string' ? profile.name : null,
    user_id: who.user_id ?? toShortTextOrNull(found?.user_id),
    parent_user_id: who.parent_user_id ?? toShortTextOrNull(found?.parent_user_id),
    username: toShortTextOrNull(profile.username),
    wa_id: toShortTextOrNull(found?.wa_id),
    identity_key_hash: who.identity_key_hash ?? toShortTextOrNull(found?.identity_key_hash),
  }
  return Object.values(contact).every((member) => member === null) ? null : toContact(contact)
}

/**
 * The contact of a message or status. By its ids; else the only contact beside the only message or status; else by the
 * number in another spelling: the upstream's `wa_id` may lack the ninth digit of a Brazilian number, or have the 1 of a Mexican
 * one. A contact with another user id is another person.
 */
function findContactObject(value: JsonObject, { wa_id, user_id }: ContactIds): JsonObject | undefined {
  const index = loadContacts(value)
  const byUserId = user_id === null ? undefined : index.byUserId.get(user_id)
  const byNumber = wa_id === null ? undefined : index.byNumber.get(wa_id)
  const exact = pickFirst([byUserId, byNumber])
  if (exact) return exact
  const { only } = index
  const isOther = user_id !== null && typeof only?.user_id === 'string'
  if (only && countParts(value) === 1) return isOther ? undefined : only
  const possible = user_id === null ? index.byNumber : index.byNumberAlone
  return pickFirst((wa_id === null ? [] : listSpellings(wa_id)).map((spelling) => possible.get(spelling)))
}

/** A contact and its place in the list. */
type Placed = { contact: JsonObject; place: number }

/** The first contact of each user id and number, and of each number those that have no user id. */
type ContactIndex = {
  only: JsonObject | undefined
  byUserId: Map<unknown, Placed>
  byNumber: Map<unknown, Placed>
  byNumberAlone: Map<unknown, Placed>
}

/** Each message of a change looks for its contact, and a callback can have many of both. */
const contactIndexes = new WeakMap<JsonObject, ContactIndex>()

function loadContacts(value: JsonObject): ContactIndex {
  const known = contactIndexes.get(value)
  if (known) return known
  const placed = listObjects(value.contacts).map((contact, place) => ({ contact, place }))
  const index = {
    only: placed.length === 1 ? placed[0]?.contact : undefined,
    byUserId: indexFirst(placed, ({ user_id }) => user_id),
    byNumber: indexFirst(placed, ({ wa_id }) => wa_id),
    byNumberAlone: indexFirst(placed, ({ wa_id, user_id }) => (typeof user_id === 'string' ? undefined : wa_id)),
  }
  contactIndexes.set(value, index)
  return index
}

function indexFirst(placed: readonly Placed[], readKey: (contact: JsonObject) => unknown): Map<unknown, Placed> {
  const index = new Map<unknown, Placed>()
  for (const one of placed) {
    const key = readKey(one.contact)
    if (key !== undefined && !index.has(key)) index.set(key, one)
  }
  return index
}

function pickFirst(found: readonly (Placed | undefined)[]): JsonObject | undefined {
  return found.filter((one) => one !== undefined).sort((a, b) => a.place - b.place)[0]?.contact
}

/** The lists whose elements a contact can belong to. */
const PART_LISTS = ['messages', 'statuses', 'message_echoes', 'user_preferences', 'user_id_update']

function countParts(value: JsonObject): number {
  return PART_LISTS.reduce((sum, name) => sum + toList(value[name]).length, 0)
}

/** The message that this one replies to or forwards, the advertisement behind it, its group and its sender's identity. */
function readContext(message: JsonObject): object | null {
  const { context, referral, group_id, identity } = message
  const around = {
    ...(isObject(context) && context),
    ...(isObject(referral) && { referral }),
    ...(group_id !== undefined && { group_id }),
    ...(isObject(identity) && { identity }),
  }
  return Object.keys(around).length === 0 ? null : around
}

function readError(errors: unknown): MessageError | null {
  const [error] = listObjects(errors)
  if (!error) return null
  // In the older form of errors `details` is a member of its own.
  const { details } = isObject(error.error_data) ? error.error_data : {}
  const texts = [details, error.details, error.message].filter((text) => typeof text === 'string')
  return {
    code: Number.isSafeInteger(error.code) ? Number(error.code) : null,
    title: typeof error.title === 'string' ? error.title : null,
    details: texts[0] ?? null,
  }
}

export function listObjects(value: unknown): JsonObject[] {
  return toList(value).filter(isObject)
}
