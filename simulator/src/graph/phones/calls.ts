import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import type { Endpoint } from '../http/call.ts'
import { refusal, required } from '../http/errors.ts'
import { requireChoice, requireText } from '../http/parameters.ts'
import { buildContact, emitMessages, getTimestamp } from '../messages/statuses.ts'
import { openWindow } from '../messages/window.ts'
import type { Call, Phone } from '../model.ts'
import { hasSip } from './calling-settings.ts'
import { getNumberSettings } from './number-settings.ts'

const DONE = { messaging_product: 'whatsapp', success: true }
/** Accepting needs a media session, which the simulator does not have. */
const ACTIONS = ['reject', 'terminate']

export const manageCall: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  if (params.messaging_product !== 'whatsapp') throw required('messaging_product')
  requireChoice(params.action, 'action', ACTIONS)
  if (!phone.callingEnabled) throw refusal(138000, 'Calling is not enabled for this phone number.')
  if (hasSip(getNumberSettings(graph, phone))) throw refusal(131055, 'Calls of a number with SIP are managed by SIP.')
  const call = graph.state.calls.get(requireText(params, 'call_id', ''))
  if (!call || call.phoneId !== phone.id) throw refusal(100, 'The call_id is not one of this phone number.')
  if (call.hasEnded) throw refusal(138003, 'The call has already ended.')
  endCall(graph, phone, call)
  return DONE
}

/** A person calls the business: the call arrives by webhook and opens the customer service window. */
export function receiveCall(graph: Graph, phone: Phone, waId: string): Call {
  const id = `wacid.${Buffer.from(`\u001c\u0018${waId}${graph.random.text(18)}`).toString('base64')}`
  const call: Call = { id, phoneId: phone.id, waId, hasEnded: false }
  graph.state.calls.set(id, call)
  openWindow(graph, phone.id, waId)
  emitCall(graph, phone, call, {
    event: 'connect',
    session: { sdp_type: 'offer', sdp: 'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n' },
  })
  return call
}

export function endCall(graph: Graph, phone: Phone, call: Call): void {
  call.hasEnded = true
  emitCall(graph, phone, call, { event: 'terminate', status: 'FAILED' })
}

function emitCall(graph: Graph, phone: Phone, { id, waId }: Call, members: JsonObject): void {
  const call = {
    id,
    from: waId,
    to: phone.digits,
    timestamp: getTimestamp(graph),
    direction: 'USER_INITIATED',
    ...members,
  }
  emitMessages(graph, phone, { contacts: [buildContact(graph, phone, waId)], calls: [call] }, 'calls')
}
