import { TEST_METHODS } from './cards.ts'
import { attachCard } from './customers.ts'
import { defineEndpoint, type Endpoint, listObjects, PAGING, requireObject } from './http/endpoint.ts'
import { invalidParam } from './http/errors.ts'
import { metadata, object, optional, text } from './http/params.ts'
import type { Customer } from './objects.ts'
import { endSubscription } from './subscriptions/collection.ts'

const NEW_CUSTOMER = object({ email: optional(text), metadata: optional(metadata), name: optional(text) })

export const CUSTOMER_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint('POST', '/customers', NEW_CUSTOMER, (payments, params) => {
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
  defineEndpoint('GET', '/customers/search', object({ ...PAGING, query: text }), (payments, { query, limit }) => {
    const [, key = '', value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(query) ?? []
    if (value === undefined) throw invalidParam("The simulator searches for metadata['key']:'value' only.", 'query')
    const page = { url: '/v1/customers/search', limit }
    const found = listObjects(payments.state.customers, page, (customer) => customer.metadata[key] === value)
    return { ...found, object: 'search_result', next_page: null }
  }),
  defineEndpoint('GET', '/customers/:id', object({}), ({ state }, _params, id) =>
    requireObject(new Map<string, object>([...state.customers, ...state.deletedCustomers]), id, 'customer'),
  ),
  defineEndpoint('DELETE', '/customers/:id', object({}), (payments, _params, id) => {
    const { state, events } = payments
    const customer = requireObject(state.customers, id, 'customer')
    for (const subscription of state.subscriptions.values()) {
      if (subscription.customer === id && subscription.status !== 'canceled') endSubscription(payments, subscription)
    }
    state.customers.delete(id)
    const deleted = { id, object: 'customer', deleted: true } as const
    state.deletedCustomers.set(id, deleted)
    events.emit('customer.deleted', customer)
    return deleted
  }),
  defineEndpoint('POST', '/payment_methods/:id/attach', object({ customer: text }), (payments, params, id) => {
    const customer = requireObject(payments.state.customers, params.customer, 'customer', 'customer')
    return attachCard(payments, customer, requireObject(TEST_METHODS, id, 'PaymentMethod'))
  }),
]
