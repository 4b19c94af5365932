import { attachCard, findTestCard } from './cards.ts'
import { nowInSeconds } from './context.ts'
import { defineEndpoint, type Endpoint, requireObject } from './http/endpoint.ts'
import { missingObject } from './http/errors.ts'
import { metadata, object, optional, text } from './http/params.ts'
import type { Customer } from './objects.ts'

const NEW_CUSTOMER = object({ email: optional(text), metadata: optional(metadata), name: optional(text) })

export const CUSTOMER_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint('POST', '/v1/customers', NEW_CUSTOMER, (payments, params) => {
    const customer: Customer = {
      id: payments.newId('customer'),
      object: 'customer',
      balance: 0,
      created: nowInSeconds(payments),
      email: params.email ?? null,
      invoice_prefix: payments.random.text(8).toUpperCase(),
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
    const card = findTestCard(id)
    if (!card) throw missingObject('PaymentMethod', id)
    return attachCard(payments, customer, card)
  }),
]
