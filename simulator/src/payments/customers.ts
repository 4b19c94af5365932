import { type TestCard, toPaymentError } from './cards.ts'
import type { Payments } from './context.ts'
import type { Customer, PaymentMethod, Subscription } from './objects.ts'

export function attachCard(payments: Payments, customer: Customer, card: TestCard): PaymentMethod {
  const { number, onSession, offSession } = card
  if (onSession !== 'succeeds') throw toPaymentError(onSession)
  const method: PaymentMethod = {
    id: payments.newId('pm'),
    object: 'payment_method',
    card: { brand: 'visa', last4: number.slice(-4) },
    customer: customer.id,
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
