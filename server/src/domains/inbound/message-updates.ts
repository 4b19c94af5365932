import { isObject, type JsonObject, toList } from '../../kernel/json/values.ts'
import type { Incoming } from '../messages/inbound-updates/apply.ts'
import { isReportedStatus, type MessageError } from '../messages/status.ts'
import type { Holder } from './routing.ts'
import { digitsOrNull, nameOrNull, storable, timeOf } from './texts.ts'

type Place = { holder: Holder; now: Date }

/** Each message, echo and status in the value of a change, as the log takes it. What has no id is nothing to log. */
export function toMessageUpdates(field: string, value: unknown, place: Place): Incoming[] {
  if (!isObject(value)) return []
  if (field === 'smb_message_echoes') return objects(value.message_echoes).flatMap((m) => echoOf(m, value, place))
  if (field !== 'messages') return []
  return [
    ...objects(value.messages).flatMap((message) => receivedOf(message, value, place)),
    ...objects(value.statuses).flatMap((status) => statusOf(status, value, place)),
  ]
}

function receivedOf(message: JsonObject, value: JsonObject, place: Place): Incoming[] {
  const written = writtenOf(message, place)
  if (!written) return []
  const from = nameOrNull(message.from)
  const contact = contactOf(value, { wa_id: from, user_id: nameOrNull(message.from_user_id) })
  return [{ kind: 'received', ...written, from, to: businessOf(value, place), contact }]
}

function echoOf(message: JsonObject, value: JsonObject, place: Place): Incoming[] {
  const written = writtenOf(message, place)
  if (!written) return []
  const to = nameOrNull(message.to)
  const contact = contactOf(value, { wa_id: to, user_id: nameOrNull(message.to_user_id) })
  return [{ kind: 'echo', ...written, from: nameOrNull(message.from) ?? businessOf(value, place), to, contact }]
}

function writtenOf(message: JsonObject, { holder, now }: Place) {
  const wamid = nameOrNull(message.id)
  if (wamid === null) return undefined
  const type = nameOrNull(message.type) ?? 'unknown'
  return {
    ...{ organizationId: holder.organization_id, channelId: holder.channel_id, wamid, type },
    at: timeOf(message.timestamp, now),
    content: Object.hasOwn(message, type) ? message[type] : null,
    context: contextOf(message),
    error: errorOf(message.errors),
  }
}

function statusOf(status: JsonObject, value: JsonObject, place: Place): Incoming[] {
  const wamid = nameOrNull(status.id)
  if (wamid === null || typeof status.status !== 'string' || !isReportedStatus(status.status)) return []
  const { organization_id: organizationId, channel_id: channelId } = place.holder
  const at = timeOf(status.timestamp, place.now)
  const to = nameOrNull(status.recipient_id)
  const pricing = isObject(status.pricing) ? status.pricing : null
  return [
    {
      ...{ kind: 'status', organizationId, channelId, wamid, at, to, from: businessOf(value, place), detail: status },
      contact: contactOf(value, { wa_id: to, user_id: nameOrNull(status.recipient_user_id) }),
      opaque: typeof status.biz_opaque_callback_data === 'string' ? storable(status.biz_opaque_callback_data) : null,
      report: { status: status.status, at, error: errorOf(status.errors), pricing },
    },
  ]
}

function businessOf(value: JsonObject, { holder }: Place): string | null {
  const display = isObject(value.metadata) ? value.metadata.display_phone_number : null
  return digitsOrNull(display) ?? nameOrNull(holder.display_digits)
}

/** Users who show no phone number are known by their user id alone. */
function contactOf(value: JsonObject, who: { wa_id: string | null; user_id: string | null }) {
  const contacts = objects(value.contacts)
  const found = contacts.find(
    (contact) =>
      (who.wa_id !== null && contact.wa_id === who.wa_id) || (who.user_id !== null && contact.user_id === who.user_id),
  )
  const profile = isObject(found?.profile) ? found.profile : {}
  const name = typeof profile.name === 'string' ? profile.name : null
  const user_id = who.user_id ?? nameOrNull(found?.user_id)
  return name === null && user_id === null ? null : { name, user_id }
}

/** What was answered or forwarded, the advertisement that led here, the group: all that is around a message. */
function contextOf(message: JsonObject): object | null {
  const { context, referral, group_id } = message
  const around = {
    ...(isObject(context) && context),
    ...(isObject(referral) && { referral }),
    ...(group_id !== undefined && { group_id }),
  }
  return Object.keys(around).length === 0 ? null : around
}

function errorOf(errors: unknown): MessageError | null {
  const [error] = objects(errors)
  if (!error) return null
  const details = isObject(error.error_data) ? error.error_data.details : undefined
  return {
    code: Number.isSafeInteger(error.code) ? Number(error.code) : null,
    title: typeof error.title === 'string' ? error.title : null,
    details: typeof details === 'string' ? details : typeof error.message === 'string' ? error.message : null,
  }
}

export function objects(value: unknown): JsonObject[] {
  return toList(value).filter(isObject)
}
