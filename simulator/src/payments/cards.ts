import { PaymentError } from './http/errors.ts'
import type { ChargeResult } from './state.ts'

export interface TestCard {
  number: string
  brand: string
  /** The result of a charge on a page, where the customer is present. */
  onSession: ChargeResult
  /** The result of a renewal or an update. */
  offSession: ChargeResult
}

function visa(number: string, onSession: ChargeResult, offSession = onSession): TestCard {
  return { number, brand: 'visa', onSession, offSession }
}

const VISA = visa('4242424242424242', 'succeeds')
const DECLINED = visa('4000000000000002', 'generic_decline')
const DECLINED_LATER = visa('4000000000000341', 'succeeds', 'generic_decline')

/** Stripe's test cards. */
const TEST_CARDS: readonly TestCard[] = [
  VISA,
  { ...VISA, number: '5555555555554444', brand: 'mastercard' },
  DECLINED,
  visa('4000000000009995', 'insufficient_funds'),
  visa('4000000000000069', 'expired_card'),
  DECLINED_LATER,
  visa('4000002760003184', 'succeeds', 'requires_action'),
]

/** The ids under which the API attaches test cards. */
export const TEST_METHODS = new Map([
  ['pm_card_visa', VISA],
  ['pm_card_chargeDeclined', DECLINED],
  ['pm_card_chargeCustomerFail', DECLINED_LATER],
])

export type FailureReason = Exclude<ChargeResult, 'succeeds'> | 'incorrect_number' | 'no_method'

const DECLINE = 'card_declined'

const FAILURES: Readonly<Record<FailureReason, [message: string, code: string, declineCode?: string]>> = {
  generic_decline: ['Your card was declined.', DECLINE, 'generic_decline'],
  insufficient_funds: ['Your card has insufficient funds.', DECLINE, 'insufficient_funds'],
  expired_card: ['Your card has expired.', 'expired_card'],
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
