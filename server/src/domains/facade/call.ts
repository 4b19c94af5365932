import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json/values.ts'

const CALL_ID_LENGTH_MAX = 512

/** Accepting needs a session between the two ends, which cannot lead through here. */
const ACTIONS = ['reject', 'terminate']

export type EndOfCall = { messaging_product: 'whatsapp'; call_id: string; action: string }

/** The three members that go on; whatever else was sent, a session too, stays here. */
export function endOfCall({ messaging_product: product, call_id: id, action }: JsonObject): EndOfCall {
  if (product !== 'whatsapp') throw invalidCall('messaging_product must be whatsapp')
  if (typeof id !== 'string' || id === '' || id.length > CALL_ID_LENGTH_MAX) throw invalidCall('call_id must be text')
  if (typeof action !== 'string' || !ACTIONS.includes(action)) {
    throw invalidCall(`action must be ${ACTIONS.join(' or ')}`)
  }
  return { messaging_product: product, call_id: id, action }
}

export function invalidCall(problem: string): AppError {
  return new AppError('INVALID_CALL', `The call is invalid: ${problem}.`)
}
