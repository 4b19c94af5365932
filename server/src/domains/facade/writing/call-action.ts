import { AppError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'

const CALL_ID_LENGTH_MAX = 512

/** Without `accept`: it needs a media session, which the facade cannot relay. */
export const CALL_ACTIONS = ['reject', 'terminate'] as const

type CallAction = { messaging_product: 'whatsapp'; call_id: string; action: string }

/** Picks the three members that are forwarded, and drops all others. */
export function parseCallAction({ messaging_product: product, call_id: id, action }: JsonObject): CallAction {
  if (product !== 'whatsapp') throw new AppError('INVALID_CALL', 'call_product_invalid')
  if (typeof id !== 'string' || id === '' || id.length > CALL_ID_LENGTH_MAX) {
    throw new AppError('INVALID_CALL', 'call_id_invalid')
  }
  const allowed = CALL_ACTIONS.find((known) => known === action)
  if (allowed === undefined) {
    throw new AppError('INVALID_CALL', 'call_action_invalid', { parameters: { actions: CALL_ACTIONS.join(', ') } })
  }
  return { messaging_product: product, call_id: id, action: allowed }
}
