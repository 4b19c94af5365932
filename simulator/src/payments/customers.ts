import { TEST_METHODS, type TestCard, toPaymentError } from './cards.ts'
import type { Payments } from './context.ts'
import { defineEndpoint, type Endpoint, requireObject } from './http/endpoint.ts'
import { metadata, object, optional, text } from './http/params.ts'
import type { Customer, PaymentMethod, Subscription } from './objects.ts'

const NEW_CUSTOMER = object({ email: optional(text), metadata: optional(metadata), name: optional(text) })

export const CUSTOMER_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint('POST', '/v1/customers', NEW_CUSTOMER, (payments, params) => {
    const customer: Customer = {
      id: payments.newId('cus'),
      object: 'customer',
      balance: 0,
      email: params.email ?? null,
      invoice_settings: { default_payment_method: null },
      metadata: params.metadata ?? {},
      name: params.name ?? null,
      next_invoice_sequence: 1,
    }
    payments.state.customers.set(customer.id, customer)
    payments.events.emit('customer.created', customer)
    return customer
  }),
  defineEndpoint('POST', '/v1/payment_methods/:id/attach', object({ customer: text }), (payments, params, id) => {
    const customer = requireObject(payments.state.customers, params.customer, 'customer', 'customer')
    return attachCard(payments, customer, requireObject(TEST_METHODS, id, 'PaymentMethod'))
  }),
]

export function attachCard(payments: Payments, customer: Customer, card: TestCard): PaymentMethod {
  const { brand, number, onSession, offSession } = card
  if (onSession !== 'succeeds') throw toPaymentError(onSession)
  const method: PaymentMethod = {
    id: payments.newId('pm'),
    object: 'payment_method',
    card: { brand, last4: number.slice(-4) },
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
