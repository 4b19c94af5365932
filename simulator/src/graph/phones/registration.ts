import type { Graph } from '../context.ts'
import { type Endpoint, getPhoneAccount, SUCCESS } from '../http/call.ts'
import { plainInvalid, refusal, required } from '../http/errors.ts'
import { DAY_MS, type Phone } from '../model.ts'
import { parsePin } from './phones.ts'

const PERIOD_MS = 3 * DAY_MS
const TIMES_MAX = 10
const PIN_GUESSES_MAX = 5

/**
 * A number that has a PIN must be registered with it; a number without one gets
 * the given PIN. As on the platform, failed requests count against the limit too.
 */
export const register: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  if (params.messaging_product !== 'whatsapp') throw required('messaging_product')
  const pin = parsePin(params.pin)
  if (phone.isOnBizApp) throw plainInvalid('Register endpoint is not available for API solution for SMB businesses.')
  count(graph, phone.registrations)
  if (getPhoneAccount(graph, phone).isLocked)
    throw refusal(131031, 'The account is locked and cannot register numbers.')
  if (phone.codeVerification !== 'VERIFIED') throw refusal(133006, 'Verify the number again before registering it.')
  checkPin(phone, pin)

  phone.pin = pin
  phone.isRegistered = true
  phone.wasEverRegistered = true
  phone.status = 'CONNECTED'
  return SUCCESS
}

export const deregister: Endpoint<'phone'> = (graph, { node: phone }) => {
  if (phone.isOnBizApp) throw plainInvalid('Deregister endpoint is not available for API solution for SMB businesses.')
  if (!phone.wasEverRegistered) throw plainInvalid('Phone number is not currently linked in Facebook Hosted System')
  if (!phone.isRegistered) {
    throw plainInvalid('Phone number not registered on the WhatsApp Business Platform.', 2207051)
  }
  count(graph, phone.deregistrations)

  phone.isRegistered = false
  phone.status = 'DISCONNECTED'
  return SUCCESS
}

function count(graph: Graph, moments: number[]): void {
  const now = graph.clock.now()
  const recent = moments.filter((moment) => moment > now - PERIOD_MS)
  if (recent.length >= TIMES_MAX) throw refusal(133016, `At most ${TIMES_MAX} requests in 72 hours are allowed.`)
  moments.splice(0, moments.length, ...recent, now)
}

function checkPin(phone: Phone, pin: string): void {
  if (phone.pin === undefined || phone.pin === pin) {
    phone.pinFailures = 0
    return
  }
  phone.pinFailures += 1
  if (phone.pinFailures > PIN_GUESSES_MAX) throw refusal(133008, 'Too many wrong PINs were tried. Try again later.')
  throw refusal(133005, 'The PIN is not the one this number has.')
}
