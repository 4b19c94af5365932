import { setThroughput } from '../graph/accounts/account-events.ts'
import type { Graph } from '../graph/context.ts'
import { receiveMessage } from '../graph/messages/inbound.ts'
import { storeMessage } from '../graph/messages/message-store.ts'
import { describePerson } from '../graph/messages/recipients.ts'
import { emitPayment } from '../graph/messages/statuses.ts'
import { getRelation } from '../graph/messages/window.ts'
import type { Contact, Message, Phone, Template } from '../graph/model.ts'
import { sendHistory } from '../graph/phones/coexistence.ts'
import { setTemplateCategory } from '../graph/templates/template-review.ts'
import type { JsonObject } from '../json.ts'
import { findNumber } from './account-routes.ts'
import { type ControlRoute, route } from './context.ts'
import { buildPayment, findContact, findOrder, setPreference } from './conversation-routes.ts'
import { ControlError } from './reader.ts'

const CUSTOMER = '5511999990000'
/** A number of an area whose people have no ninth digit in their id. */
const CUSTOMER_WITHOUT_NINTH_DIGIT = '5563984622450'

type Place = { phone: Phone; contact: Contact }

/** Each plays a case that is rare in a test account, with webhooks as the platform sends them. */
const SCENARIOS: Readonly<Record<string, (graph: Graph, place: Place) => JsonObject>> = {
  'username-only': (graph, { phone, contact }) => {
    const { username = 'ana.souza' } = describePerson(graph, phone.id, contact.waId)
    Object.assign(getRelation(graph, phone.id, contact.waId), { username, hidesPhone: true })
    return { message_id: writeText(graph, { phone, contact }, 'Bom dia! Vocês têm pão de queijo?').id }
  },
  'marketing-stop': (graph, { phone, contact }) => {
    setPreference(graph, phone, contact, 'stop')
    return { customer: contact.waId, stopped_marketing: true }
  },
  'category-changed': (graph, { phone }) => {
    const template = findUtilityTemplate(graph, phone)
    setTemplateCategory(graph, template, 'MARKETING')
    return { template_id: template.id, name: template.name, category: template.category }
  },
  'throughput-upgrade': (graph, { phone }) => {
    phone.throughput = 'STANDARD'
    setThroughput(graph, phone, 'HIGH')
    return { phone_number_id: phone.id, throughput: phone.throughput }
  },
  'ninth-digit': (graph, { phone, contact }) => {
    const digits = addNinthDigit(contact.waId)
    contact.number = digits
    return { message_id: writeText(graph, { phone, contact }, 'Oi! Ainda dá para pedir hoje?').id, from: digits }
  },
  'coexistence-history': (graph, { phone }) => {
    if (!phone.isOnBizApp)
      throw new ControlError(400, 'Only a coexistence number has a history. Add a number with coexistence: true.')
    sendHistory(graph, phone)
    return { phone_number_id: phone.id, shares_history: phone.sharesHistory }
  },
  'payment-failed': (graph, { phone, contact }) => {
    const message = findOrderMessage(graph, phone) ?? storeOrder(graph, phone, contact)
    emitPayment(graph, phone, message, 'failed', buildPayment(graph, findOrder(message) ?? {}, 'failed'))
    return { message_id: message.id, payment: 'failed' }
  },
}

export const SCENARIO_NAMES = Object.keys(SCENARIOS)

export const SCENARIO_ROUTES: readonly ControlRoute[] = [
  route('GET', '/scenarios', () => ({ scenarios: SCENARIO_NAMES })),
  route('POST', '/scenarios/:name', ({ graph }, { params, body }) => {
    const run = Object.hasOwn(SCENARIOS, params.name) ? SCENARIOS[params.name] : undefined
    if (!run) throw new ControlError(404, `There is no such scenario. The scenarios are ${SCENARIO_NAMES.join(', ')}.`)
    const phone = findNumber(graph, body.required('to'))
    const customer = params.name === 'ninth-digit' ? CUSTOMER_WITHOUT_NINTH_DIGIT : CUSTOMER
    return run(graph, { phone, contact: findContact(graph, body.text('customer') ?? customer) })
  }),
]

function writeText(graph: Graph, { phone, contact }: Place, body: string): Message {
  return receiveMessage(graph, phone, contact, { type: 'text', content: { text: { body } } })
}

/** The number as people write it: the id lacks the ninth digit. */
function addNinthDigit(waId: string): string {
  const [, area, number] = /^55([1-9][0-9])([0-9]{8})$/.exec(waId) ?? []
  if (area === undefined)
    throw new ControlError(
      400,
      'Only a Brazilian number of 12 digits, such as 551187654321, can be written with a ninth digit.',
    )
  return `55${area}9${number}`
}

/** An approved template of the account, or a new one. */
function findUtilityTemplate(graph: Graph, phone: Phone): Template {
  const own = [...graph.state.templates.values()].filter(({ wabaId }) => wabaId === phone.wabaId)
  const known = own.find(({ status, category }) => status === 'APPROVED' && category === 'UTILITY')
  if (known) return known
  const template: Template = {
    id: `9${graph.random.digits(16)}`,
    wabaId: phone.wabaId,
    name: `order_update_${own.length + 1}`,
    language: 'pt_BR',
    category: 'UTILITY',
    previousCategory: undefined,
    parameterFormat: 'POSITIONAL',
    components: [{ type: 'BODY', text: 'Seu pedido saiu para entrega.' }],
    status: 'APPROVED',
    quality: 'UNKNOWN',
    rejectedReason: 'NONE',
    ttlSeconds: undefined,
    createdAt: graph.clock.now(),
  }
  graph.state.templates.set(template.id, template)
  return template
}

function findOrderMessage(graph: Graph, phone: Phone): Message | undefined {
  return [...graph.state.messages.values()].findLast((message) => message.phoneId === phone.id && findOrder(message))
}

/** A message that another system sent from the number. */
function storeOrder(graph: Graph, phone: Phone, { waId }: Contact): Message {
  const parameters = { reference_id: 'order-1', currency: 'BRL', total_amount: { value: 2500, offset: 100 } }
  const action = { name: 'review_and_pay', parameters }
  return storeMessage(graph, phone, waId, {
    direction: 'outbound',
    type: 'interactive',
    content: { interactive: { type: 'order_details', body: { text: 'Seu pedido' }, action } },
    context: undefined,
    pricing: {},
    category: 'SERVICE',
    callbackData: undefined,
    templateId: undefined,
  })
}
