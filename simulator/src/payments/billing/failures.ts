import type { Verdict } from '../cards.ts'
import { PaymentError } from '../http/errors.ts'
import type { PaymentFailure, PaymentIntent } from '../objects/payment.ts'

const DOCS = 'https://docs.stripe.com/error-codes'

const MESSAGES: Readonly<Record<string, string>> = {
  insufficient_funds: 'Your card has insufficient funds.',
  expired_card: 'Your card has expired.',
  incorrect_number: 'Your card number is incorrect.',
  live_card: 'Your card was declined. Your request was in test mode, but used a non test card.',
  requires_action: 'Your card was declined. This transaction requires authentication.',
  no_method:
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
}

/** Some reasons have a code of their own; the bank's other reasons all read `card_declined`. */
const CODES: Readonly<Record<string, string>> = {
  expired_card: 'expired_card',
  incorrect_number: 'incorrect_number',
  requires_action: 'authentication_required',
  no_method: 'resource_missing',
}

const DECLINE_CODES: Readonly<Record<string, string | undefined>> = {
  live_card: 'test_mode_live_card',
  requires_action: 'authentication_required',
  expired_card: undefined,
  incorrect_number: undefined,
  no_method: undefined,
}

export type FailureReason = Exclude<Verdict, 'succeeds'> | 'no_method' | 'incorrect_number' | 'live_card'

export function failureOf(reason: FailureReason): PaymentFailure {
  const code = CODES[reason] ?? 'card_declined'
  const declineCode = reason in DECLINE_CODES ? DECLINE_CODES[reason] : reason
  return {
    code,
    ...(declineCode === undefined ? {} : { decline_code: declineCode }),
    doc_url: `${DOCS}/${code.replaceAll('_', '-')}`,
    message: MESSAGES[reason] ?? 'Your card was declined.',
    type: reason === 'no_method' ? 'invalid_request_error' : 'card_error',
  }
}

/** A refused charge is 402; having nothing to charge is a mistake of the request. */
export function refusedCharge(reason: FailureReason, intent?: PaymentIntent): PaymentError {
  const failure = failureOf(reason)
  const picture = intent ? { payment_intent: JSON.parse(JSON.stringify(intent)) } : {}
  return new PaymentError(reason === 'no_method' ? 400 : 402, { ...failure, ...picture })
}
