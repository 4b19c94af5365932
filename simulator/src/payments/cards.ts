import { nowInSeconds, type Payments } from './context.ts'
import { PaymentError } from './http/errors.ts'
import type { Customer, PaymentMethod, Subscription } from './objects.ts'
import type { CardBehavior, ChargeResult } from './state.ts'

interface TestCard extends CardBehavior {
  number: string
  brand: string
  /** The id under which the API attaches the card. */
  methodId?: string
}

const succeeds = 'succeeds' as const

/** Stripe's test cards. */
const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', methodId: 'pm_card_visa', onSession: succeeds, offSession: succeeds },
  { number: '5555555555554444', brand: 'mastercard', onSession: succeeds, offSession: succeeds },
  {
    number: '4000000000000002',
    brand: 'visa',
    methodId: 'pm_card_chargeDeclined',
    onSession: 'generic_decline',
    offSession: 'generic_decline',
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    onSession: 'insufficient_funds',
    offSession: 'insufficient_funds',
  },
  { number: '4000000000000069', brand: 'visa', onSession: 'expired_card', offSession: 'expired_card' },
  {
    number: '4000000000000341',
    brand: 'visa',
    methodId: 'pm_card_chargeCustomerFail',
    onSession: succeeds,
    offSession: 'generic_decline',
  },
  { number: '4000002760003184', brand: 'visa', onSession: succeeds, offSession: 'requires_action' },
]

export type FailureReason = Exclude<ChargeResult, 'succeeds'> | 'incorrect_number' | 'live_card' | 'no_method'

const FAILURES: Readonly<Record<FailureReason, { code: string; decline_code?: string; message: string }>> = {
  generic_decline: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired_card: { code: 'expired_card', message: 'Your card has expired.' },
  incorrect_number: { code: 'incorrect_number', message: 'Your card number is incorrect.' },
  live_card: {
    code: 'card_declined',
    decline_code: 'test_mode_live_card',
    message: 'Your card was declined. Your request was in test mode, but used a non test card.',
  },
  requires_action: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
  no_method: {
    code: 'resource_missing',
    message:
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
  },
}

export function describeFailure(reason: FailureReason) {
  return FAILURES[reason]
}

/** A declined card is 402; a customer without a card is 400. */
export function toPaymentError(reason: FailureReason): PaymentError {
  const [status, type] = reason === 'no_method' ? [400, 'invalid_request_error'] : [402, 'card_error']
  return new PaymentError(status as number, { ...FAILURES[reason], type: type as string })
}

export function findTestCard(methodId: string): TestCard | undefined {
  return TEST_CARDS.find((card) => card.methodId === methodId)
}

/** Reads a card number as a person types it. Only a card that pays on a page can be used there. */
export function readCard(typed: string): { card: TestCard } | { refusal: FailureReason } {
  const number = typed.replace(/[\s-]/g, '')
  const card = TEST_CARDS.find((candidate) => candidate.number === number)
  if (!card) return { refusal: /^\d{12,19}$/.test(number) && passesLuhn(number) ? 'live_card' : 'incorrect_number' }
  return card.onSession === 'succeeds' ? { card } : { refusal: card.onSession }
}

function passesLuhn(number: string): boolean {
  const sum = [...number]
    .reverse()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0)
  return sum % 10 === 0
}

export function attachCard(payments: Payments, customer: Customer, card: TestCard): PaymentMethod {
  const { onSession, offSession } = card
  if (onSession !== 'succeeds') throw toPaymentError(onSession)
  const method: PaymentMethod = {
    id: payments.newId('paymentMethod'),
    object: 'payment_method',
    card: { brand: card.brand, last4: card.number.slice(-4) },
    created: nowInSeconds(payments),
    customer: customer.id,
    type: 'card',
  }
  payments.state.paymentMethods.set(method.id, method)
  payments.state.cards.set(method.id, { onSession, offSession })
  payments.events.emit('payment_method.attached', method)
  return method
}

/** Makes the card the default of the customer and of the customer's subscriptions. */
export function replaceDefaultCard({ events, state }: Payments, customer: Customer, { id }: PaymentMethod): void {
  events.change('customer.updated', customer, () => {
    customer.invoice_settings.default_payment_method = id
  })
  for (const subscription of state.subscriptions.values()) {
    if (subscription.customer !== customer.id) continue
    events.change('customer.subscription.updated', subscription, () => {
      subscription.default_payment_method = id
    })
  }
}

/** The payment method of the subscription, or else the customer's default one. */
export function findDefaultMethod(
  { state }: Pick<Payments, 'state'>,
  customerId: string,
  subscription?: Subscription,
): PaymentMethod | undefined {
  const customer = state.customers.get(customerId)
  const id = subscription?.default_payment_method ?? customer?.invoice_settings.default_payment_method
  return state.paymentMethods.get(id ?? '')
}
