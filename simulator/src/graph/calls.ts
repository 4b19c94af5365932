import { asObject, asText, type JsonObject } from '../json.ts'
import { type Answer, type Endpoint, phoneOf } from './call.ts'
import type { Graph } from './context.ts'
import { refusal, required } from './errors.ts'
import type { Call, Phone } from './model.ts'
import { objectAt, oneOf, textAt } from './parameters.ts'
import { digitsOf, waIdOf } from './recipients.ts'
import { emitMessages, seconds } from './statuses.ts'
import { openWindow, relationOf } from './window.ts'

type Action = (graph: Graph, phone: Phone, params: JsonObject) => Answer

const DONE: Answer = { body: { messaging_product: 'whatsapp', success: true } }

const ACTIONS: Readonly<Record<string, Action>> = {
  connect: startCall,
  pre_accept: (graph, phone, params) => {
    checkSession(params, 'answer')
    openCall(graph, phone, params, ['ringing'])
    return DONE
  },
  accept: (graph, phone, params) => {
    checkSession(params, 'answer')
    const call = openCall(graph, phone, params, ['ringing'])
    call.state = 'accepted'
    call.startedAt = graph.clock.now()
    call.callbackData = asText(params.biz_opaque_callback_data) || undefined
    return DONE
  },
  reject: (graph, phone, params) => {
    endCall(graph, phone, openCall(graph, phone, params, ['ringing']))
    return DONE
  },
  terminate: (graph, phone, params) => {
    endCall(graph, phone, openCall(graph, phone, params, ['ringing', 'accepted']))
    return DONE
  },
}

export const manageCall: Endpoint = (graph, call) => {
  const phone = phoneOf(graph, call)
  const { params } = call
  if (params.messaging_product !== 'whatsapp') throw required('messaging_product')
  const action = ACTIONS[oneOf(params.action, 'action', Object.keys(ACTIONS))]
  if (!action) throw required('action')
  if (!phone.callingEnabled) throw refusal(138000, 'Calling is not enabled for this phone number.')
  return action(graph, phone, params)
}

/** A business may only ring people who allowed it. */
function startCall(graph: Graph, phone: Phone, params: JsonObject): Answer {
  checkSession(params, 'offer')
  const digits = digitsOf(textAt(params, 'to', ''))
  if (!digits) throw refusal(131009, 'The phone number is malformed')
  const waId = waIdOf(digits)
  if (!relationOf(graph, phone.id, waId).mayBeCalled) throw refusal(138006, 'The person has not allowed calls.')
  const call = newCall(graph, phone, waId, 'BUSINESS_INITIATED')
  call.callbackData = asText(params.biz_opaque_callback_data) || undefined
  graph.clock.after(graph.timings.sentMs, () => emitCallStatus(graph, phone, call, 'RINGING'))
  return { body: { messaging_product: 'whatsapp', calls: [{ id: call.id }] } }
}

/** A person rings the business: the call arrives by webhook and opens the window. */
export function receiveCall(graph: Graph, phone: Phone, waId: string): Call {
  const call = newCall(graph, phone, waId, 'USER_INITIATED')
  openWindow(graph, phone.id, waId)
  emitCall(graph, phone, call, {
    event: 'connect',
    session: { sdp_type: 'offer', sdp: 'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n' },
  })
  return call
}

export function endCall(graph: Graph, phone: Phone, call: Call): void {
  const wasAccepted = call.state === 'accepted'
  const now = Math.floor(graph.clock.now() / 1_000)
  const started = Math.floor(call.startedAt / 1_000)
  call.state = 'ended'
  emitCall(graph, phone, call, {
    event: 'terminate',
    status: wasAccepted ? 'COMPLETED' : 'FAILED',
    start_time: wasAccepted ? String(started) : undefined,
    end_time: wasAccepted ? String(now) : undefined,
    duration: wasAccepted ? now - started : undefined,
    biz_opaque_callback_data: call.callbackData,
  })
}

function openCall(graph: Graph, phone: Phone, params: JsonObject, states: Call['state'][]): Call {
  const call = graph.state.calls.get(textAt(params, 'call_id', ''))
  if (!call || call.phoneId !== phone.id) throw refusal(100, 'The call_id is not one of this phone number.')
  if (!states.includes(call.state)) throw refusal(138003, `The call is already ${call.state}.`)
  return call
}

function checkSession(params: JsonObject, type: string): void {
  const session = objectAt(params, 'session')
  oneOf(asObject(session).sdp_type, "session['sdp_type']", [type])
  textAt(session, 'sdp', 'session')
}

function newCall(graph: Graph, phone: Phone, waId: string, direction: Call['direction']): Call {
  const id = `wacid.${Buffer.from(`\u001c\u0018${waId}${graph.random.text(18)}`).toString('base64')}`
  const call: Call = {
    id,
    phoneId: phone.id,
    waId,
    direction,
    state: 'ringing',
    startedAt: graph.clock.now(),
    callbackData: undefined,
  }
  graph.state.calls.set(id, call)
  return call
}

function emitCall(graph: Graph, phone: Phone, call: Call, members: JsonObject): void {
  const ends = call.direction === 'USER_INITIATED' ? [call.waId, phone.digits] : [phone.digits, call.waId]
  const [from, to] = ends
  const { id, direction } = call
  emitMessages(graph, phone, { calls: [{ id, from, to, timestamp: seconds(graph), direction, ...members }] }, 'calls')
}

function emitCallStatus(graph: Graph, phone: Phone, call: Call, status: string): void {
  const entry = { id: call.id, type: 'call', status, recipient_id: call.waId, timestamp: seconds(graph) }
  emitMessages(graph, phone, { statuses: [entry] }, 'calls')
}
