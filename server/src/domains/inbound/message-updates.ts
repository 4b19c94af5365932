import { isObject, type JsonObject, toList } from '../../kernel/json/values.ts'
import type { Incoming } from '../messages/inbound-updates/apply.ts'
import { isReportedStatus, type MessageError } from '../messages/status.ts'
import type { Holder } from './routing.ts'
import { toDigitsOrNull, toNameOrNull, toStorableText, toTimestamp } from './texts.ts'

type Recipient = { holder: Holder; now: Date }

/** Reads the messages, echoes and statuses of a change for the message log. Those without an id are skipped. */
export function toMessageUpdates(field: string, value: unknown, recipient: Recipient): Incoming[] {
  if (!isObject(value)) return []
  if (field === 'smb_message_echoes')
    return listObjects(value.message_echoes).flatMap((m) => toEcho(m, value, recipient))
  if (field !== 'messages') return []
  return [
    ...listObjects(value.messages).flatMap((message) => toReceived(message, value, recipient)),
    ...listObjects(value.statuses).flatMap((status) => toStatusReport(status, value, recipient)),
  ]
}

function toReceived(message: JsonObject, value: JsonObject, recipient: Recipient): Incoming[] {
  const written = readMessage(message, recipient)
  if (!written) return []
  const from = toNameOrNull(message.from)
  const contact = findContact(value, { wa_id: from, user_id: toNameOrNull(message.from_user_id) })
  return [{ kind: 'received', ...written, from, to: findBusinessNumber(value, recipient), contact }]
}

function toEcho(message: JsonObject, value: JsonObject, recipient: Recipient): Incoming[] {
  const written = readMessage(message, recipient)
  if (!written) return []
  const to = toNameOrNull(message.to)
  const contact = findContact(value, { wa_id: to, user_id: toNameOrNull(message.to_user_id) })
  return [
    { kind: 'echo', ...written, from: toNameOrNull(message.from) ?? findBusinessNumber(value, recipient), to, contact },
  ]
}

function readMessage(message: JsonObject, { holder, now }: Recipient) {
  const wamid = toNameOrNull(message.id)
  if (wamid === null) return undefined
  const type = toNameOrNull(message.type) ?? 'unknown'
  return {
    organizationId: holder.organization_id,
    channelId: holder.channel_id,
    wamid,
    type,
    at: toTimestamp(message.timestamp, now),
    content: Object.hasOwn(message, type) ? message[type] : null,
    context: readContext(message),
    error: readError(message.errors),
  }
}

function toStatusReport(status: JsonObject, value: JsonObject, recipient: Recipient): Incoming[] {
  const wamid = toNameOrNull(status.id)
  if (wamid === null || typeof status.status !== 'string' || !isReportedStatus(status.status)) return []
  const { organization_id: organizationId, channel_id: channelId } = recipient.holder
  const at = toTimestamp(status.timestamp, recipient.now)
  const to = toNameOrNull(status.recipient_id)
  const pricing = isObject(status.pricing) ? status.pricing : null
  return [
    {
      kind: 'status',
      organizationId,
      channelId,
      wamid,
      at,
      to,
      from: findBusinessNumber(value, recipient),
      detail: status,
      contact: findContact(value, { wa_id: to, user_id: toNameOrNull(status.recipient_user_id) }),
      opaque:
        typeof status.biz_opaque_callback_data === 'string' ? toStorableText(status.biz_opaque_callback_data) : null,
      report: { status: status.status, at, error: readError(status.errors), pricing },
    },
  ]
}

function findBusinessNumber(value: JsonObject, { holder }: Recipient): string | null {
  const display = isObject(value.metadata) ? value.metadata.display_phone_number : null
  return toDigitsOrNull(display) ?? toNameOrNull(holder.display_digits)
}

/** Users without a visible phone number have a user id only. */
function findContact(value: JsonObject, who: { wa_id: string | null; user_id: string | null }) {
  const contacts = listObjects(value.contacts)
  const found = contacts.find(
    (contact) =>
      (who.wa_id !== null && contact.wa_id === who.wa_id) || (who.user_id !== null && contact.user_id === who.user_id),
  )
  const profile = isObject(found?.profile) ? found.profile : {}
  const name = typeof profile.name === 'string' ? profile.name : null
  const user_id = who.user_id ?? toNameOrNull(found?.user_id)
  return name === null && user_id === null ? null : { name, user_id }
}

/** The message that this one replies to or forwards, the advertisement behind it, and its group. */
function readContext(message: JsonObject): object | null {
  const { context, referral, group_id } = message
  const around = {
    ...(isObject(context) && context),
    ...(isObject(referral) && { referral }),
    ...(group_id !== undefined && { group_id }),
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
