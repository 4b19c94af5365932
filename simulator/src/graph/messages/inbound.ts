import { asObject, asText, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { getPhoneAccount } from '../http/call.ts'
import { webhookError } from '../http/errors.ts'
import type { Contact, Message, Phone } from '../model.ts'
import { storeMessage } from './message-store.ts'
import { getThroughput } from './messages.ts'
import { deriveUserId, describePerson } from './recipients.ts'
import { buildContact, emitMessages, getTimestamp } from './statuses.ts'
import { openWindow } from './window.ts'

/** A person's message: its type, its object, its context and referral. */
export interface InboundDraft {
  type: string
  content: JsonObject
  context?: JsonObject | undefined
  referral?: JsonObject | undefined
  /** The group in which it was written. */
  groupId?: string | undefined
}

/** Sends a person's message to the business by webhook, and opens the customer service window. */
export function receiveMessage(graph: Graph, phone: Phone, contact: Contact, draft: InboundDraft): Message {
  const { businessId } = getPhoneAccount(graph, phone)
  const { waId } = contact
  const message = storeMessage(graph, phone, waId, {
    direction: 'inbound',
    type: draft.type,
    content: draft.content,
    context: draft.context,
    pricing: {},
    category: 'SERVICE',
    callbackData: undefined,
    templateId: undefined,
  })
  graph.limits.takeThroughput(phone.id, getThroughput(phone))
  openWindow(graph, phone.id, waId)
  const entry: JsonObject = {
    from: describePerson(graph, phone.id, waId).hidesPhone ? undefined : (contact.number ?? waId),
    from_user_id: deriveUserId(graph, waId, businessId),
    group_id: draft.groupId,
    id: message.id,
    timestamp: getTimestamp(graph),
    type: draft.type,
    ...draft.content,
    context: draft.context,
    referral: draft.referral,
    errors: draft.type === 'unsupported' ? [unsupported()] : draft.content.errors,
  }
  // System messages have no contacts on the platform either.
  const contacts = draft.type === 'system' ? undefined : [buildContact(graph, phone, waId)]
  emitMessages(graph, phone, { contacts, messages: [entry] })
  return message
}

function unsupported(): JsonObject {
  return webhookError(131051, 'The message type is not supported by the platform.')
}

/** Builds the reply of a person who chooses a button or row of a message. */
export function buildReply(graph: Graph, phone: Phone, message: Message, choice: string): InboundDraft | undefined {
  const context = { from: phone.digits, id: message.id }
  const picked = message.type === 'template' ? quickReply(graph, message, choice) : interactiveReply(message, choice)
  return picked && { ...picked, context }
}

function interactiveReply(message: Message, choice: string): InboundDraft | undefined {
  const { action } = asObject(message.content.interactive)
  const { buttons, sections, name } = asObject(action)
  for (const button of toObjects(buttons)) {
    const reply = asObject(button.reply)
    if (matches(reply, choice)) return interactive('button_reply', { id: reply.id, title: reply.title })
  }
  for (const row of toObjects(sections).flatMap((section) => toObjects(section.rows))) {
    const { id, title, description } = row
    if (matches(row, choice)) return interactive('list_reply', { id, title, description })
  }
  if (name === 'flow') {
    const response = JSON.stringify({ flow_token: 'simulated', choice })
    return interactive('nfm_reply', { name: 'flow', body: 'Sent', response_json: response })
  }
  if (name !== 'call_permission_request') return undefined
  return interactive('call_permission_reply', {
    response: choice === 'reject' ? 'reject' : 'accept',
    is_permanent: false,
    response_source: 'user_action',
  })
}

function quickReply(graph: Graph, message: Message, choice: string): InboundDraft | undefined {
  const components = graph.state.templates.get(message.templateId ?? '')?.components ?? []
  const buttons = components.flatMap((component) => toObjects(component.buttons))
  const sent = toObjects(asObject(message.content.template).components)
  const index = buttons.findIndex((button, at) => choice === String(at) || choice === asText(button.text))
  const button = buttons[index]
  if (asText(button?.type).toUpperCase() !== 'QUICK_REPLY') return undefined
  const own = sent.find((component) => asText(component.type) === 'button' && asText(component.index) === String(index))
  const payload = toObjects(own?.parameters)[0]?.payload
  return { type: 'button', content: { button: { payload: payload ?? button?.text, text: button?.text } } }
}

function matches(option: JsonObject, choice: string): boolean {
  return option.id === choice || option.title === choice
}

function interactive(type: string, reply: JsonObject): InboundDraft {
  return { type: 'interactive', content: { interactive: { type, [type]: reply } } }
}

function toObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : []
}
