import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { getPhoneAccount } from '../http/call.ts'
import type { Group, Message, Phone } from '../model.ts'
import { deriveUserId, describePerson, getContact } from './recipients.ts'

/** Every status repeats `biz_opaque_callback_data`, by which the hub finds a send whose response was lost. */
export function emitStatus(graph: Graph, message: Message, status: string, errors?: JsonObject[]): void {
  const phone = graph.state.phones.get(message.phoneId)
  if (!phone) return
  const group = message.groupId === undefined ? undefined : graph.state.groups.get(message.groupId)
  if (group) {
    emitGroupStatuses(graph, phone, { message, group, status, errors })
    return
  }
  const person = buildContact(graph, phone, message.waId)
  const entry: JsonObject = {
    id: message.id,
    status,
    timestamp: getTimestamp(graph),
    recipient_id: person.wa_id,
    recipient_user_id: person.user_id,
    biz_opaque_callback_data: message.callbackData,
    pricing: isPriced(message, status) ? message.pricing : undefined,
    errors,
  }
  emitMessages(graph, phone, {
    contacts: status === 'failed' ? undefined : [person],
    statuses: [entry],
  })
}

type GroupStatus = { message: Message; group: Group; status: string; errors: JsonObject[] | undefined }

/** The group was sent the message once; that it was delivered and read, each member reports. */
function emitGroupStatuses(graph: Graph, phone: Phone, { message, group, status, errors }: GroupStatus): void {
  const entry: JsonObject = {
    id: message.id,
    status,
    timestamp: getTimestamp(graph),
    recipient_id: group.id,
    recipient_type: 'group',
    biz_opaque_callback_data: message.callbackData,
    errors,
  }
  const isOfMembers = status === 'delivered' || status === 'read'
  const statuses = isOfMembers
    ? group.participants.map((waId) => ({ ...entry, recipient_participant_id: waId }))
    : [entry]
  emitMessages(graph, phone, { statuses })
}

/** A person pays what a message asks for, or does not. The status names the message and leaves it as it is. */
export function emitPayment(graph: Graph, phone: Phone, message: Message, status: string, payment: JsonObject): void {
  const { wa_id, user_id } = buildContact(graph, phone, message.waId)
  const entry = {
    id: message.id,
    type: 'payment',
    status,
    timestamp: getTimestamp(graph),
    recipient_id: wa_id,
    recipient_user_id: user_id,
    payment,
  }
  emitMessages(graph, phone, { statuses: [entry] })
}

export function emitMessages(graph: Graph, phone: Phone, members: JsonObject, field = 'messages'): void {
  graph.webhooks.emit({
    entryId: phone.wabaId,
    wabaId: phone.wabaId,
    phoneId: phone.id,
    field,
    value: { messaging_product: 'whatsapp', metadata: buildMetadata(phone), ...members },
  })
}

export function buildMetadata(phone: Phone): JsonObject {
  return { display_phone_number: phone.digits, phone_number_id: phone.id }
}

/** The entry of a person in `contacts`. A person who hides their number has only a user id. */
export function buildContact(graph: Graph, phone: Phone, waId: string): JsonObject {
  if (waId === '') return {}
  const { name, username, hidesPhone } = describePerson(graph, phone.id, waId)
  return {
    profile: { name, username },
    wa_id: hidesPhone ? undefined : waId,
    user_id: deriveUserId(graph, waId, getPhoneAccount(graph, phone).businessId),
    identity_key_hash: getContact(graph, waId).identityKeyHash,
  }
}

export function getTimestamp(graph: Graph): string {
  return String(Math.floor(graph.clock.now() / 1_000))
}

/** Pricing comes with `sent`, and with `delivered` or, without it, `read`. */
function isPriced(message: Message, status: string): boolean {
  if (status === 'read') return !message.statuses.includes('delivered')
  return status === 'sent' || status === 'delivered'
}
