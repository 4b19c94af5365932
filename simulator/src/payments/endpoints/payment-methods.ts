import { TEST_METHODS } from '../cards.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid, missing } from '../http/errors.ts'
import { PAGING, pageOf } from '../http/lists.ts'
import { choice, object, optional, text } from '../http/params.ts'
import { attachCard } from '../payment-methods.ts'

const TYPE = optional(choice('card'))

export const PAYMENT_METHOD_ENDPOINTS: readonly Endpoint[] = [
  endpoint('GET', '/v1/payment_methods', object({ ...PAGING, customer: text, type: TYPE }), ({ state }, { params }) => {
    const { id } = found(state.customers, params.customer, 'customer', 'customer')
    const own = [...state.paymentMethods.values()].filter(({ customer }) => customer === id)
    return pageOf(own, params, { url: '/v1/payment_methods', kind: 'payment_method' })
  }),
  endpoint('GET', '/v1/payment_methods/:id', object({}), ({ state }, { id }) => {
    return found(state.paymentMethods, id, 'PaymentMethod')
  }),
  endpoint('POST', '/v1/payment_methods/:id/attach', object({ customer: text }), (payments, { params, id }) => {
    const customer = found(payments.state.customers, params.customer, 'customer', 'customer')
    const number = TEST_METHODS[id]
    if (number !== undefined) return attachCard(payments, customer, number)
    const method = found(payments.state.paymentMethods, id, 'PaymentMethod')
    if (method.customer === customer.id) return method
    throw invalid('The payment method you provided has already been attached to a customer.')
  }),
  endpoint('POST', '/v1/payment_methods/:id/detach', object({}), ({ events, state }, { id }) => {
    const method = found(state.paymentMethods, id, 'PaymentMethod')
    if (method.customer === null) throw missing('PaymentMethod', id)
    for (const customer of state.customers.values()) {
      if (customer.invoice_settings.default_payment_method !== id) continue
      events.change('customer.updated', customer, () => {
        customer.invoice_settings.default_payment_method = null
      })
    }
    for (const subscription of state.subscriptions.values()) {
      if (subscription.default_payment_method !== id) continue
      events.change('customer.subscription.updated', subscription, () => {
        subscription.default_payment_method = null
      })
    }
    method.customer = null
    events.emit('payment_method.detached', method)
    return method
  }),
  endpoint('GET', '/v1/payment_intents/:id', object({}), ({ state }, { id }) => {
    return found(state.paymentIntents, id, 'payment_intent')
  }),
]
