import { PaymentError } from './http/errors.ts'
import type { CardBehavior, ChargeResult } from './state.ts'

export interface TestCard extends CardBehavior {
  number: string
}

const VISA: TestCard = { number: '4242424242424242', onSession: 'succeeds', offSession: 'succeeds' }
const DECLINED: TestCard = { number: '4000000000000002', onSession: 'generic_decline', offSession: 'generic_decline' }
const DECLINED_LATER: TestCard = { ...VISA, number: '4000000000000341', offSession: 'generic_decline' }
const AUTHENTICATED_LATER: TestCard = { ...VISA, number: '4000002760003184', offSession: 'requires_action' }

/** Stripe's test cards. */
const TEST_CARDS = [VISA, DECLINED, DECLINED_LATER, AUTHENTICATED_LATER]

/** The ids under which the API attaches test cards. */
export const TEST_METHODS = new Map([
  ['pm_card_visa', VISA],
  ['pm_card_chargeDeclined', DECLINED],
  ['pm_card_chargeCustomerFail', DECLINED_LATER],
])

export type FailureReason = Exclude<ChargeResult, 'succeeds'> | 'incorrect_number' | 'no_method'

const FAILURES: Readonly<Record<FailureReason, [message: string, code: string, declineCode?: string]>> = {
  generic_decline: ['Your card was declined.', 'card_declined', 'generic_decline'],
  incorrect_number: ['Your card number is incorrect.', 'incorrect_number'],
  requires_action: ['This transaction requires authentication.', 'authentication_required', 'authentication_required'],
  no_method: ['This customer has no attached payment source or default payment method.', 'resource_missing'],
}

export function describeFailure(reason: FailureReason): { message: string; code: string; decline_code?: string } {
  const [message, code, declineCode] = FAILURES[reason]
  return { message, code, ...(declineCode !== undefined && { decline_code: declineCode }) }
}

/** A declined card is 402; a customer without a card is 400. */
export function toPaymentError(reason: FailureReason): PaymentError {
  const failure = describeFailure(reason)
  if (reason === 'no_method') return new PaymentError(400, { ...failure, type: 'invalid_request_error' })
  return new PaymentError(402, { ...failure, type: 'card_error' })
}

/** Reads a card number as a person types it. Only a card that pays on a page can be used there. */
export function readCard(typed: string): { card: TestCard } | { refusal: FailureReason } {
  const number = typed.replace(/[\s-]/g, '')
  const card = TEST_CARDS.find((candidate) => candidate.number === number)
  if (!card) return { refusal: 'incorrect_number' }
  return card.onSession === 'succeeds' ? { card } : { refusal: card.onSession }
}
