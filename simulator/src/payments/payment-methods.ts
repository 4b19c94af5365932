import { createHash } from 'node:crypto'
import { type FailureReason, refusedCharge } from './billing/failures.ts'
import { type CardReading, readCard } from './cards.ts'
import { nowOf, type Payments } from './context.ts'
import type { Customer } from './objects/customer.ts'
import { type PaymentMethod, paymentMethodObject } from './objects/payment.ts'

type KnownCard = Extract<CardReading, { number: string }>

/** A card as it was typed in at a page: one that can be used there, or why it cannot. */
export function checkCard(typed: string): { card: KnownCard } | { refusal: FailureReason } {
  const reading = readCard(typed)
  if ('refusal' in reading) return reading
  const { onSession } = reading.card
  return onSession === 'succeeds' ? { card: reading } : { refusal: onSession }
}

/** Attaches the card with that number to a customer, as long as the bank lets it. */
export function attachCard(payments: Payments, customer: Customer, typed: string): PaymentMethod {
  const checked = checkCard(typed)
  if ('refusal' in checked) throw refusedCharge(checked.refusal)
  return attach(payments, customer, checked.card)
}

export function attach(payments: Payments, customer: Customer, { card, number }: KnownCard): PaymentMethod {
  const { events, newId, state } = payments
  const created = nowOf(payments)
  const method = paymentMethodObject({
    id: newId('paymentMethod'),
    created,
    customer: customer.id,
    email: customer.email,
    name: customer.name,
    face: {
      brand: card.brand,
      country: card.country,
      exp_month: 12,
      exp_year: new Date(created * 1_000).getUTCFullYear() + 3,
      fingerprint: createHash('sha256').update(number).digest('hex').slice(0, 16),
      last4: number.slice(-4),
    },
  })
  state.paymentMethods.set(method.id, method)
  state.cards.set(method.id, { onSession: card.onSession, offSession: card.offSession })
  events.emit('payment_method.attached', method)
  return method
}

/** Puts another card in the place of the one that the customer and their subscriptions pay with. */
export function replaceDefaultCard(payments: Payments, customer: Customer, method: PaymentMethod): void {
  const { events, state } = payments
  events.change('customer.updated', customer, () => {
    customer.invoice_settings.default_payment_method = method.id
  })
  const own = [...state.subscriptions.values()].filter((subscription) => subscription.customer === customer.id)
  for (const subscription of own.filter(({ default_payment_method }) => default_payment_method !== null)) {
    events.change('customer.subscription.updated', subscription, () => {
      subscription.default_payment_method = method.id
    })
  }
}
