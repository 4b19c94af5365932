import { toStorableText } from '../../kernel/db/rows.ts'
import { isObject, type JsonObject, toList } from '../../kernel/json/values.ts'
import type { InboundUpdate } from '../messages/inbound-updates/apply.ts'
import { isReportedStatus, type MessageError } from '../messages/status.ts'
import type { TargetChannel } from './routing.ts'
import { toDigitsOrNull, toShortTextOrNull, toTimestamp } from './texts.ts'

/** The channel that a change concerns, and the time for updates without one. */
type ChannelContext = { channel: TargetChannel; now: Date }

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

function toReceived(message: JsonObject, value: JsonObject, channelContext: ChannelContext): InboundUpdate[] {
  const written = readMessage(message, channelContext)
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
  const written = readMessage(message, channelContext)
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

function readMessage(message: JsonObject, { channel, now }: ChannelContext) {
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

function toStatusReport(status: JsonObject, value: JsonObject, channelContext: ChannelContext): InboundUpdate[] {
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
        parent_user_id: toShortTextOrNull(status.parent_recipient_user_id),
      }),
      callbackData:
        typeof status.biz_opaque_callback_data === 'string' ? toStorableText(status.biz_opaque_callback_data) : null,
      report: { status: status.status, at, error: readError(status.errors), pricing },
    },
  ]
}

function findBusinessNumber(value: JsonObject, { channel }: ChannelContext): string | null {
  const display = isObject(value.metadata) ? value.metadata.display_phone_number : null
  return toDigitsOrNull(display) ?? toShortTextOrNull(channel.display_digits)
}

type ContactIds = { wa_id: string | null; user_id: string | null; parent_user_id: string | null }

/** Users without a visible phone number have a user id only. */
function findContact(value: JsonObject, who: ContactIds): InboundUpdate['contact'] {
  const contacts = listObjects(value.contacts)
  const contact = contacts.find(
    (contact) =>
      (who.wa_id !== null && contact.wa_id === who.wa_id) || (who.user_id !== null && contact.user_id === who.user_id),
  )
  const profile = isObject(contact?.profile) ? contact.profile : {}
  const name = typeof profile.name === 'string' ? profile.name : null
  const user_id = who.user_id ?? toShortTextOrNull(contact?.user_id)
  const parent_user_id = who.parent_user_id ?? toShortTextOrNull(contact?.parent_user_id)
  if (name === null && user_id === null && parent_user_id === null) return null
  return { name, user_id, ...(parent_user_id !== null && { parent_user_id }) }
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
  const details = isObject(error.error_data) ? error.error_data.details : undefined
  return {
    code: Number.isSafeInteger(error.code) ? Number(error.code) : null,
    title: typeof error.title === 'string' ? error.title : null,
    details: typeof details === 'string' ? details : typeof error.message === 'string' ? error.message : null,
  }
}

export function listObjects(value: unknown): JsonObject[] {
  return toList(value).filter(isObject)
}
