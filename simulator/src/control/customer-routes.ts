import type { Graph } from '../graph/context.ts'
import { getPhoneAccount } from '../graph/http/call.ts'
import { toChatView } from '../graph/messages/chat-view.ts'
import { deliverWaiting, readChat } from '../graph/messages/progress.ts'
import { ASYNC_FAILURES, deriveUserId, describePerson } from '../graph/messages/recipients.ts'
import { getRelation } from '../graph/messages/window.ts'
import type { Message, NumberFaults, Phone, Relation } from '../graph/model.ts'
import { getNumberFaults } from '../graph/phones/number-faults.ts'
import { USERNAME } from '../graph/phones/username.ts'
import { setTemplateStatus } from '../graph/templates/template-review.ts'
import { asObject, asText, type JsonObject } from '../json.ts'
import { findNumber, toNumberView } from './account-routes.ts'
import { type ControlRoute, route } from './context.ts'
import { findContact, replyAsPerson, sendAsPerson } from './conversation-routes.ts'
import { ControlError, type Reader, requireFound } from './reader.ts'

const MESSAGES_MAX = 100
const CUSTOMERS_MAX = 50
const DELAY_MAX_MS = 60_000
const REPLY_TYPES = ['button_reply', 'list_reply']

/** Routes for one number and its customers, apart from all other numbers. */
export const CUSTOMER_ROUTES: readonly ControlRoute[] = [
  route('GET', '/numbers/:id/faults', ({ graph }, { params }) => {
    return toFaultsView(getNumberFaults(graph.state, findNumber(graph, params.id).id))
  }),
  route('PUT', '/numbers/:id/faults', ({ graph }, { params, body }) => {
    const phone = findNumber(graph, params.id)
    const faults = parseFaults(body)
    const wasOffline = getNumberFaults(graph.state, phone.id).phoneOffline
    graph.state.numberFaults.set(phone.id, faults)
    if (wasOffline && !faults.phoneOffline) deliverWaiting(graph, phone)
    return toFaultsView(faults)
  }),
  route('GET', '/numbers/:id/conversation', ({ graph }, { params, query }) => {
    const phone = findNumber(graph, params.id)
    const own = [...graph.state.messages.values()].filter((message) => message.phoneId === phone.id)
    const requested = query.get('customer')
    const waId = requested === null ? own.at(-1)?.waId : findContact(graph, requested).waId
    const chat = selectMessages(
      own.filter((message) => message.waId === waId),
      query,
    )
    return {
      number: toNumberView(phone),
      customer: waId === undefined ? null : toCustomerView(graph, phone, waId),
      customers: listCustomers(graph, phone, own),
      messages: chat.map((message) => toChatView(graph, message)),
    }
  }),
  route('PUT', '/numbers/:id/customers/:wa_id', ({ graph }, { params, body }) => {
    const phone = findNumber(graph, params.id)
    const { waId } = findContact(graph, params.wa_id)
    changeRelation(getRelation(graph, phone.id, waId), body)
    return toCustomerView(graph, phone, waId)
  }),
  route('POST', '/numbers/:id/customers/:wa_id/messages', async ({ graph }, { params, body }) => {
    const phone = requireOnline(graph, findNumber(graph, params.id))
    return toChatView(graph, await writeAsCustomer(graph, phone, params.wa_id, body))
  }),
  route('POST', '/numbers/:id/customers/:wa_id/read', ({ graph }, { params }) => {
    const phone = requireOnline(graph, findNumber(graph, params.id))
    return { read: readChat(graph, phone, findContact(graph, params.wa_id).waId) }
  }),
  route('POST', '/numbers/:id/templates/:template/review', ({ graph }, { params, body }) => {
    const phone = findNumber(graph, params.id)
    const known = graph.state.templates.get(params.template)
    const template = requireFound(known?.wabaId === phone.wabaId ? known : undefined, 'template')
    const result = body.oneOf('result', ['APPROVED', 'REJECTED'])
    setTemplateStatus(graph, template, result, body.text('reason') ?? 'INVALID_FORMAT')
    return { id: template.id, name: template.name, status: template.status, reason: template.rejectedReason }
  }),
]

/** A customer chooses or reacts only in their own chat with the number. */
async function writeAsCustomer(graph: Graph, phone: Phone, written: string, body: Reader): Promise<Message> {
  const contact = findContact(graph, written)
  const type = body.text('type') ?? 'text'
  const choice = REPLY_TYPES.includes(type) ? asObject(body.members[type]) : undefined
  const targetId = choice?.message_id ?? asObject(body.members.reaction).message_id
  const target = targetId === undefined ? undefined : graph.state.messages.get(asText(targetId))
  const isOwn = target?.phoneId === phone.id && target.waId === contact.waId
  if (targetId !== undefined && !isOwn) throw new ControlError(404, 'There is no message with this id in this chat.')
  if (!choice) return sendAsPerson(graph, phone, contact, body)
  return replyAsPerson(graph, requireFound(target, 'message'), contact, asText(choice.id))
}

function requireOnline(graph: Graph, phone: Phone): Phone {
  if (!getNumberFaults(graph.state, phone.id).phoneOffline) return phone
  throw new ControlError(400, 'The phone is offline. Set phone_offline to false first.')
}

/** Sets what a customer shows to a number. Members that the body leaves out stay; a username that is null is removed. */
function changeRelation(relation: Relation, body: Reader): void {
  const username = body.text('username')
  if (username !== undefined && !USERNAME.test(username)) {
    throw new ControlError(400, 'username must have 3 to 35 letters, digits, periods and underscores')
  }
  const name = body.text('name')
  const hidesPhone = body.flag('hides_phone')
  Object.assign(relation, {
    ...(name !== undefined && { name }),
    ...('username' in body.members && { username: username ?? null }),
    ...(hidesPhone !== undefined && { hidesPhone }),
  })
}

function toCustomerView(graph: Graph, phone: Phone, waId: string): JsonObject {
  const { name, username, hidesPhone } = describePerson(graph, phone.id, waId)
  const userId = deriveUserId(graph, waId, getPhoneAccount(graph, phone).businessId)
  return { phone: waId, user_id: userId, name, username: username ?? null, hides_phone: hidesPhone }
}

/** The newest messages, or the newest of those before one of them. */
function selectMessages(chat: Message[], query: URLSearchParams): Message[] {
  const limit = Number(query.get('limit') ?? MESSAGES_MAX)
  if (!Number.isInteger(limit) || limit < 1 || limit > MESSAGES_MAX) {
    throw new ControlError(400, `limit must be between 1 and ${MESSAGES_MAX}`)
  }
  const before = query.get('before')
  const end = before === null ? chat.length : chat.findIndex(({ id }) => id === before)
  if (end < 0) throw new ControlError(400, 'There is no message with the id of before in this chat.')
  return chat.slice(Math.max(0, end - limit), end)
}

/** The customers who wrote or were written to last, newest first. */
function listCustomers(graph: Graph, phone: Phone, messages: Message[]): JsonObject[] {
  const latest = new Map<string, Message>()
  for (const message of messages.toReversed()) {
    if (message.waId !== '' && !latest.has(message.waId)) latest.set(message.waId, message)
    if (latest.size === CUSTOMERS_MAX) break
  }
  return [...latest].map(([waId, { at }]) => ({
    ...toCustomerView(graph, phone, waId),
    last_message_at: new Date(at).toISOString(),
  }))
}

function parseFaults(body: Reader): NumberFaults {
  const callbackDelayMs = body.number('callback_delay_ms') ?? 0
  const failWith = body.number('fail_with') ?? null
  if (!(callbackDelayMs >= 0 && callbackDelayMs <= DELAY_MAX_MS)) {
    throw new ControlError(400, `callback_delay_ms must be between 0 and ${DELAY_MAX_MS}`)
  }
  if (failWith !== null && !ASYNC_FAILURES.includes(failWith)) {
    throw new ControlError(400, `fail_with must be null or one of ${ASYNC_FAILURES.join(', ')}`)
  }
  return {
    phoneOffline: body.flag('phone_offline') ?? false,
    callbackDelayMs,
    duplicate: body.flag('duplicate') ?? false,
    reorder: body.flag('reorder') ?? false,
    failWith,
  }
}

function toFaultsView(faults: Readonly<NumberFaults>): JsonObject {
  const { phoneOffline, callbackDelayMs, duplicate, reorder, failWith } = faults
  return {
    phone_offline: phoneOffline,
    callback_delay_ms: callbackDelayMs,
    duplicate,
    reorder,
    fail_with: failWith,
    failure_codes: [...ASYNC_FAILURES],
  }
}
