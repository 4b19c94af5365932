import { asText, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import type { Endpoint } from '../http/call.ts'
import { invalid, refusal, required, webhookError } from '../http/errors.ts'
import { requireChoice } from '../http/parameters.ts'
import { createWamid } from '../messages/message-store.ts'
import { emitMessages, getTimestamp } from '../messages/statuses.ts'
import { DAY_MS, type Phone } from '../model.ts'

const SYNC_WITHIN_MS = DAY_MS
const PHASES = 3

type Sync = (graph: Graph, phone: Phone) => void

const SYNCS: Readonly<Record<string, Sync>> = { smb_app_state_sync: syncContacts, history: syncHistory }

/** A coexistence number sends its contacts and its history once, within a day of onboarding. */
export const syncAppData: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  if (params.messaging_product !== 'whatsapp') throw required('messaging_product')
  const type = requireChoice(params.sync_type, 'sync_type', Object.keys(SYNCS))
  if (!phone.isOnBizApp) throw invalid('The phone number is not used with the WhatsApp Business app')
  if (phone.syncsDone.has(type)) throw refusal(2593107, `The sync ${asText(type)} was already requested.`)
  if (graph.clock.now() > phone.onboardedAt + SYNC_WITHIN_MS) {
    throw refusal(2593108, 'More than 24 hours have passed since the number was onboarded.')
  }
  phone.syncsDone.add(type)
  graph.clock.after(graph.timings.sentMs, () => SYNCS[type]?.(graph, phone))
  return { messaging_product: 'whatsapp', request_id: graph.random.text(24) }
}

function syncContacts(graph: Graph, phone: Phone): void {
  const known = [...graph.state.contacts.values()].slice(0, 50)
  const people = known.length > 0 ? known.map(({ name, waId }) => [name, waId]) : [['Ana Souza', '5511988880001']]
  const entries = people.map(([name, number]): JsonObject => {
    const contact = { full_name: name, first_name: name?.split(' ')[0], phone_number: number }
    return { type: 'contact', contact, action: 'add', metadata: { timestamp: getTimestamp(graph) } }
  })
  emitMessages(graph, phone, { state_sync: entries }, 'smb_app_state_sync')
}

/** Sends the contacts and the history of a number, also if it has done so before. */
export function sendHistory(graph: Graph, phone: Phone): void {
  syncContacts(graph, phone)
  syncHistory(graph, phone)
}

/** Sends three chunks of old messages, or one error if the business does not share its history. */
function syncHistory(graph: Graph, phone: Phone): void {
  if (!phone.sharesHistory) {
    const error = webhookError(2593109, 'The business chose not to share its chat history.')
    emitMessages(graph, phone, { history: [{ errors: [error] }] }, 'history')
    return
  }
  for (let phase = 0; phase < PHASES; phase++) {
    const metadata = { phase, chunk_order: 1, progress: Math.round(((phase + 1) / PHASES) * 100) }
    emitMessages(graph, phone, { history: [{ metadata, threads: [buildThread(graph, phone, phase)] }] }, 'history')
  }
}

function buildThread(graph: Graph, phone: Phone, phase: number): JsonObject {
  const person = '5511988880001'
  const timestamp = String(Math.floor((graph.clock.now() - (phase + 1) * DAY_MS) / 1_000))
  const build = (ends: JsonObject, body: string, status: string): JsonObject => {
    const id = createWamid(graph, person)
    return { ...ends, id, timestamp, type: 'text', text: { body }, history_context: { status } }
  }
  return {
    id: person,
    messages: [
      build({ from: person }, 'Bom dia! Vocês abrem hoje?', 'READ'),
      build({ from: phone.digits, to: person }, 'Sim, até às 18 h.', 'DELIVERED'),
    ],
  }
}

/** Sends the owner's message from the business app as an echo. It opens no window. */
export function emitEcho(graph: Graph, phone: Phone, waId: string, content: JsonObject): string {
  const id = createWamid(graph, waId)
  const entry = { from: phone.digits, to: waId, id, timestamp: getTimestamp(graph), ...content }
  emitMessages(graph, phone, { message_echoes: [entry] }, 'smb_message_echoes')
  return id
}
