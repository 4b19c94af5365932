import { asObject, asText, isObject, type Json, type JsonObject, parseJson } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Endpoint, getPhoneAccount, SUCCESS } from '../http/call.ts'
import { invalid, refusal, required } from '../http/errors.ts'
import { checkOptionalText, requireChoice, requireText } from '../http/parameters.ts'
import { THROUGHPUT } from '../limits.ts'
import type { Group, Message, Phone, Template } from '../model.ts'
import { checkTemplateSend } from '../templates/template-send.ts'
import type { DeliveryFailure } from './media-object.ts'
import { storeMessage } from './message-store.ts'
import { MESSAGE_CHECKS } from './message-types.ts'
import { buildPricing } from './pricing.ts'
import { scheduleStatuses } from './progress.ts'
import { isUserId, parseDigits, toWaId } from './recipients.ts'

const CALLBACK_DATA_MAX = 512

interface Recipient {
  input: string
  waId: string
  isByUserId: boolean
  group?: Group
}

/** Invalid requests are refused here; messages that cannot be delivered fail later, by webhook. */
export const postMessage: Endpoint<'phone'> = (graph, { node: phone, params: given }) => {
  const params = readMessage(given)
  return params.status === undefined ? acceptMessage(graph, phone, params) : markRead(graph, phone, params)
}

/** `isMarketing`: it was sent with the Marketing Messages API, which has a price of its own. */
export function acceptMessage(graph: Graph, phone: Phone, params: JsonObject, isMarketing = false): JsonObject {
  checkSender(graph, phone)
  const recipient = parseRecipient(graph, phone, params)
  const type = params.type === undefined ? 'text' : asText(params.type)
  checkOptionalText(params, 'biz_opaque_callback_data', '', CALLBACK_DATA_MAX)
  if (params.context !== undefined) requireText(asObject(params.context), 'message_id', 'context')
  const { template, failure } = checkContent(graph, phone, type, params)
  checkRecipient(phone, recipient, template)
  takeLimits(graph, phone, recipient.group?.id ?? recipient.waId)

  const message = storeMessage(graph, phone, recipient.waId, {
    direction: 'outbound',
    groupId: recipient.group?.id,
    type,
    content: { [type]: params[type], context: params.context },
    pricing: buildPricing(graph, phone, recipient.waId, isMarketing ? 'MARKETING_LITE' : template?.category),
    category: template?.category ?? 'SERVICE',
    callbackData: asText(params.biz_opaque_callback_data) || undefined,
    templateId: template?.id,
  })
  scheduleStatuses(graph, phone, message, failure)
  return buildAccepted(recipient, message)
}

/** Null members count as absent, and the object of the message may be a text of JSON, also in a JSON body. */
export function readMessage(given: JsonObject): JsonObject {
  if (given.messaging_product === undefined || given.messaging_product === null) throw required('messaging_product')
  requireChoice(given.messaging_product, 'messaging_product', ['whatsapp'])
  const type = asText(given.type ?? 'text')
  const content = given[type]
  const parsed = typeof content === 'string' ? { [type]: parseJson(content) ?? content } : {}
  return asObject(dropNulls({ ...given, ...parsed }))
}

function dropNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(dropNulls)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(kept.map(([name, member]) => [name, dropNulls(member)]))
}

function checkSender(graph: Graph, phone: Phone): void {
  if (!phone.isRegistered) throw refusal(133010, 'The phone number is not registered on the platform.')
  if (getPhoneAccount(graph, phone).isLocked) throw refusal(131031, 'The account was locked for a policy violation.')
}

/** `to` takes precedence over `recipient`, which is a user id. */
function parseRecipient(graph: Graph, phone: Phone, params: JsonObject): Recipient {
  const { recipient_type: type = 'individual' } = params
  if (requireChoice(type, 'recipient_type', ['individual', 'group']) === 'group') {
    const input = requireText(params, 'to', '')
    const group = graph.state.groups.get(input)
    if (group?.phoneId !== phone.id) throw refusal(131009, 'The number is in no group with this id.')
    return { input, waId: '', isByUserId: false, group }
  }
  if (params.to !== undefined) {
    const input = asText(params.to)
    const digits = parseDigits(input)
    if (!digits) throw refusal(131009, `The phone number is malformed: ${input || 'empty'}`)
    return { input, waId: toWaId(digits), isByUserId: false }
  }
  if (params.recipient === undefined) throw required('to')
  const input = asText(params.recipient)
  if (!isUserId(input)) throw refusal(131009, `The user id is malformed: ${input}`)
  return { input, waId: graph.state.users.get(input) ?? '', isByUserId: true }
}

function checkContent(
  graph: Graph,
  phone: Phone,
  type: string,
  params: JsonObject,
): { template?: Template; failure: DeliveryFailure | undefined } {
  if (type === 'template') return checkTemplateSend(params, { graph, phone })
  const shape = Object.hasOwn(MESSAGE_CHECKS, type) ? MESSAGE_CHECKS[type] : undefined
  if (shape) return { failure: shape(params, { graph, phone }) }
  const known = [...Object.keys(MESSAGE_CHECKS), 'template'].join(', ').toUpperCase()
  throw invalid(`Param type must be one of {${known}} - got "${type}".`)
}

function checkRecipient(phone: Phone, { waId, isByUserId }: Recipient, template: Template | undefined): void {
  if (waId === toWaId(phone.digits)) throw refusal(131021, 'A number cannot send messages to itself.')
  if (isByUserId && template?.category === 'AUTHENTICATION') {
    throw refusal(131062, 'Authentication templates need the phone number of the recipient.')
  }
}

function takeLimits(graph: Graph, phone: Phone, waId: string): void {
  if (!graph.limits.takeThroughput(phone.id, getThroughput(phone))) {
    throw refusal(130429, 'Cloud API message throughput has been reached.')
  }
  if (!graph.limits.takePair(phone.id, waId)) {
    throw refusal(131056, 'Too many messages were sent to this recipient in a short time.')
  }
}

export function getThroughput(phone: Phone): number {
  return phone.isOnBizApp ? THROUGHPUT.COEXISTENCE : THROUGHPUT[phone.throughput]
}

/** The contact has the id by which it was addressed: `wa_id`, which is that of a group too, or `user_id`. */
function buildAccepted({ input, waId, isByUserId, group }: Recipient, message: Message): JsonObject {
  const contact = isByUserId ? { input, user_id: input } : { input, wa_id: group?.id ?? waId }
  const status: Json = message.type === 'template' ? 'accepted' : undefined
  return {
    messaging_product: 'whatsapp',
    contacts: [contact],
    messages: [{ id: message.id, group_id: group?.id, message_status: status }],
  }
}

/** Accepts a read receipt, with an optional typing indicator, for a message that this number received. */
function markRead(graph: Graph, phone: Phone, params: JsonObject): JsonObject {
  requireChoice(params.status, 'status', ['read'])
  const id = requireText(params, 'message_id', '')
  const message = graph.state.messages.get(id)
  if (!message || message.phoneId !== phone.id || message.direction !== 'inbound') {
    throw refusal(131009, 'The message id is not one of a message that this number received.')
  }
  if (params.typing_indicator !== undefined) {
    requireChoice(asObject(params.typing_indicator).type, "typing_indicator['type']", ['text'])
  }
  message.statuses.push('read')
  return SUCCESS
}
