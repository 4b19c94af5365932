import { finished } from 'node:stream/promises'
import type { Graph } from '../graph/context.ts'
import { olderWebhookError, webhookError } from '../graph/http/errors.ts'
import { createDownloadUrl, storeMedia } from '../graph/media/media.ts'
import type { MediaKind } from '../graph/media/media-types.ts'
import { buildReply, receiveMessage } from '../graph/messages/inbound.ts'
import { setStatus } from '../graph/messages/progress.ts'
import { deriveUserId, getContact, parseDigits, toWaId } from '../graph/messages/recipients.ts'
import { buildContact, emitMessages, emitPayment } from '../graph/messages/statuses.ts'
import type { Contact, Message, Phone } from '../graph/model.ts'
import { endCall, receiveCall } from '../graph/phones/calls.ts'
import { emitEcho } from '../graph/phones/coexistence.ts'
import { emitGroup, GROUP_CHANGES } from '../graph/phones/groups.ts'
import { asObject, asText, type Json, type JsonObject } from '../json.ts'
import { findNumber } from './account-routes.ts'
import { type ControlRoute, route } from './context.ts'
import { SAMPLE_CONTENT, SAMPLE_FILES } from './inbound-samples.ts'
import { ControlError, createReader, type Reader, requireFound } from './reader.ts'

export const CONVERSATION_ROUTES: readonly ControlRoute[] = [
  route('PUT', '/contacts/:wa_id', ({ graph }, { params, body }) => {
    const contact = findContact(graph, params.wa_id)
    changeContact(contact, body)
    return toContactView(graph, contact)
  }),
  route('GET', '/contacts', ({ graph }) => ({
    contacts: [...graph.state.contacts.values()].map((c) => toContactView(graph, c)),
  })),
  route('POST', '/contacts/:wa_id/messages', async ({ graph }, { params, body }) => {
    const phone = findNumber(graph, body.required('to'))
    return toMessageView(await sendAsPerson(graph, phone, findContact(graph, params.wa_id), body))
  }),
  route('POST', '/contacts/:wa_id/replies', ({ graph }, { params, body }) => {
    const message = findMessage(graph, body.required('message_id'))
    return toMessageView(replyAsPerson(graph, message, findContact(graph, params.wa_id), body.required('choice')))
  }),
  route('POST', '/contacts/:wa_id/calls', ({ graph }, { params, body }) => {
    const call = receiveCall(graph, findNumber(graph, body.required('to')), findContact(graph, params.wa_id).waId)
    return { call_id: call.id }
  }),
  route('DELETE', '/calls/:id', ({ graph }, { params }) => {
    const call = requireFound(graph.state.calls.get(params.id), 'call')
    endCall(graph, findNumber(graph, call.phoneId), call)
    return { call_id: call.id }
  }),
  route('POST', '/contacts/:wa_id/preferences', ({ graph }, { params, body }) => {
    const contact = findContact(graph, params.wa_id)
    setPreference(graph, findNumber(graph, body.required('to')), contact, body.oneOf('value', ['stop', 'resume']))
    return toContactView(graph, contact)
  }),
  route('POST', '/messages/:id/status', ({ graph }, { params, body }) => {
    const message = findMessage(graph, params.id)
    const status = body.oneOf('status', ['sent', 'delivered', 'read', 'played', 'failed'])
    const code = body.number('code') ?? 131026
    setStatus(
      graph,
      message,
      status,
      status === 'failed' ? { code, details: 'Ordered by the control API.' } : undefined,
      body.flag('older_form') ? olderWebhookError : webhookError,
    )
    return toMessageView(message)
  }),
  route('POST', '/messages/:id/payment', ({ graph }, { params, body }) => {
    const message = findMessage(graph, params.id)
    const order = findOrder(message)
    if (!order)
      throw new ControlError(400, 'Only a message of the type order_details asks for a payment. Send one first.')
    const status = body.oneOf('status', ['pending', 'captured', 'failed'])
    const payment = body.object('payment') ?? buildPayment(graph, order, status)
    emitPayment(graph, findNumber(graph, message.phoneId), message, status, payment)
    return toMessageView(message)
  }),
  route('GET', '/messages', ({ graph }) => ({ messages: [...graph.state.messages.values()].map(toMessageView) })),
  route('POST', '/numbers/:id/groups', ({ graph }, { params, body }) => {
    const type = body.oneOf('type', Object.keys(GROUP_CHANGES), 'group_create')
    const members = body.object('members') ?? (type === 'group_create' ? { subject: 'Pedidos da semana' } : {})
    const phone = findNumber(graph, params.id)
    const groupId = emitGroup(graph, phone, { type, groupId: body.text('group_id'), members })
    const participants = (body.list('participants') ?? []).map((written) => parseWaId(asText(written)))
    if (type === 'group_create') graph.state.groups.set(groupId, { id: groupId, phoneId: phone.id, participants })
    if (type === 'group_delete') graph.state.groups.delete(groupId)
    return { group_id: groupId }
  }),
  route('POST', '/numbers/:id/echoes', ({ graph }, { params, body }) => {
    const type = body.oneOf('type', Object.keys(SAMPLE_CONTENT), 'text')
    const content = {
      type,
      ...(body.members[type] === undefined ? SAMPLE_CONTENT[type] : { [type]: body.members[type] }),
    }
    const phone = findNumber(graph, params.id)
    if (!phone.isOnBizApp)
      throw new ControlError(
        400,
        'Only a coexistence number has an app that echoes. Add a number with coexistence: true.',
      )
    return { message_id: emitEcho(graph, phone, parseWaId(body.required('to')), content) }
  }),
]

/** A person writes to the number. */
export async function sendAsPerson(graph: Graph, phone: Phone, contact: Contact, body: Reader): Promise<Message> {
  const type = body.oneOf('type', Object.keys(SAMPLE_CONTENT), 'text')
  const content = await buildContent(graph, phone, type, body)
  return receiveMessage(graph, phone, contact, {
    type,
    content,
    context: body.object('context'),
    referral: body.object('referral'),
    groupId: body.text('group_id'),
  })
}

/** A person chooses a button or a row of a message. */
export function replyAsPerson(graph: Graph, message: Message, contact: Contact, choice: string): Message {
  const phone = findNumber(graph, message.phoneId)
  if (contact.waId !== message.waId)
    throw new ControlError(400, 'The message was sent to another person. Answer as its recipient.')
  const draft = buildReply(graph, phone, message, choice)
  if (!draft) throw new ControlError(400, 'There is no such button or row in the message.')
  return receiveMessage(graph, phone, contact, draft)
}

/** The parameters of a message that asks for a payment. */
export function findOrder({ direction, content }: Message): JsonObject | undefined {
  const { type, action } = asObject(content.interactive)
  return direction === 'outbound' && type === 'order_details' ? asObject(asObject(action).parameters) : undefined
}

const TRANSACTION_STATUSES = { pending: 'pending', captured: 'success', failed: 'failed' } as const

export function buildPayment(graph: Graph, order: JsonObject, status: keyof typeof TRANSACTION_STATUSES): JsonObject {
  const { reference_id, currency, total_amount } = order
  return {
    reference_id: reference_id ?? 'order-1',
    amount: total_amount ?? { value: 2500, offset: 100 },
    currency: currency ?? 'BRL',
    transaction: { id: `T-${graph.random.digits(12)}`, type: 'pix', status: TRANSACTION_STATUSES[status] },
  }
}

function parseWaId(written: string): string {
  const digits = parseDigits(written)
  if (!digits)
    throw new ControlError(
      400,
      `${written} is not a phone number. Write it with its country code, such as +55 11 98765-4321.`,
    )
  return toWaId(digits)
}

export function findContact(graph: Graph, written: string): Contact {
  return getContact(graph, parseWaId(written))
}

/** A number that the platform shows in `from`, and by which it finds the same person. */
function parseNumber(body: Reader): string | undefined {
  const written = body.text('number')
  if (written === undefined) return undefined
  const digits = parseDigits(written)
  if (!digits)
    throw new ControlError(
      400,
      `${written} is not a phone number. Write it with its country code, such as +55 11 98765-4321.`,
    )
  return digits
}

function findMessage(graph: Graph, id: string): Message {
  return requireFound(graph.state.messages.get(id), 'message')
}

function changeContact(contact: Contact, body: Reader): void {
  contact.name = body.text('name') ?? contact.name
  contact.username = body.text('username') ?? contact.username
  contact.identityKeyHash = body.text('identity_key_hash') ?? contact.identityKeyHash
  contact.number = parseNumber(body) ?? contact.number
  contact.hidesPhone = body.flag('hides_phone') ?? contact.hidesPhone
  contact.hasStoppedMarketing = body.flag('stopped_marketing') ?? contact.hasStoppedMarketing
  const behavior = body.object('behavior')
  if (!behavior) return
  const reader = createReader(behavior)
  contact.behavior = {
    delivers: reader.flag('delivers') ?? contact.behavior.delivers,
    reads: reader.flag('reads') ?? contact.behavior.reads,
    fails_with: 'fails_with' in behavior ? reader.number('fails_with') : contact.behavior.fails_with,
  }
}

/** The object of the request, or a sample. Media is stored and gets a URL. */
async function buildContent(graph: Graph, phone: Phone, type: string, body: Reader): Promise<JsonObject> {
  const requested = body.members[type]
  const content = requested === undefined ? { ...SAMPLE_CONTENT[type] } : { [type]: requested }
  if (!(type in SAMPLE_FILES)) return content
  const media = asObject(content[type])
  if (media.oversized === true) return { errors: [webhookError(131052, 'The media is larger than 100 MB.')] }
  return { [type]: await storeReceivedMedia(graph, phone, type as MediaKind, media) }
}

async function storeReceivedMedia(
  graph: Graph,
  phone: Phone,
  kind: MediaKind,
  content: JsonObject,
): Promise<JsonObject> {
  const { data_base64: data, mime_type: mimeType, ...members } = content
  const sample = SAMPLE_FILES[kind]
  const intake = graph.files.open()
  intake.stream.end(data === undefined ? sample.bytes : Buffer.from(asText(data), 'base64'))
  await finished(intake.stream, { readable: false })
  const media = storeMedia(graph, phone, await intake.stored, asText(mimeType) || sample.mimeType)
  return {
    id: media.id,
    mime_type: media.mimeType,
    sha256: media.sha256.toString('base64'),
    url: createDownloadUrl(graph, media),
    ...members,
  }
}

export function setPreference(graph: Graph, phone: Phone, contact: Contact, value: 'stop' | 'resume'): void {
  contact.hasStoppedMarketing = value === 'stop'
  const { profile, ...person } = buildContact(graph, phone, contact.waId)
  const preference = {
    ...person,
    detail: `User requested to ${value} marketing messages`,
    category: 'marketing_messages',
    value,
    timestamp: Math.floor(graph.clock.now() / 1_000),
  }
  emitMessages(graph, phone, { contacts: [{ profile, ...person }], user_preferences: [preference] }, 'user_preferences')
}

function toContactView(graph: Graph, contact: Contact): JsonObject {
  const businessIds = [...new Set([...graph.state.accounts.values()].map((account) => account.businessId))]
  return {
    wa_id: contact.waId,
    name: contact.name,
    username: contact.username,
    number: contact.number,
    identity_key_hash: contact.identityKeyHash,
    hides_phone: contact.hidesPhone,
    stopped_marketing: contact.hasStoppedMarketing,
    behavior: { ...contact.behavior },
    user_ids: Object.fromEntries(businessIds.map((id) => [id, deriveUserId(graph, contact.waId, id)])),
  }
}

function toMessageView(message: Message): JsonObject {
  const { id, phoneId, waId, direction, type, content, at, statuses, callbackData } = message
  const view: Record<string, Json> = { message_id: id, phone_number_id: phoneId, wa_id: waId, direction, type, content }
  return { ...view, at, statuses: [...statuses], biz_opaque_callback_data: callbackData }
}
