import { nowOf, type Payments } from '../context.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { missing } from '../http/errors.ts'
import { CREATED, PAGING, pageOf } from '../http/lists.ts'
import { emptyable, list, metadata, object, optional, type Params, text } from '../http/params.ts'
import { mergedMetadata } from '../metadata.ts'
import { type Customer, customerObject } from '../objects/customer.ts'

const FIELDS = {
  description: optional(emptyable(text)),
  email: optional(emptyable(text)),
  invoice_settings: optional(object({ default_payment_method: optional(emptyable(text)) })),
  metadata: optional(emptyable(metadata)),
  name: optional(emptyable(text)),
  phone: optional(emptyable(text)),
  preferred_locales: optional(list(text)),
}
const GIVEN = object(FIELDS)

export const CUSTOMER_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/v1/customers', GIVEN, (payments, { params }) => createCustomer(payments, params)),
  endpoint(
    'GET',
    '/v1/customers',
    object({ ...PAGING, ...CREATED, email: optional(text) }),
    ({ state }, { params }) => {
      const customers = [...state.customers.values()].filter(({ email }) => !params.email || email === params.email)
      return pageOf(customers, params, { url: '/v1/customers', kind: 'customer' })
    },
  ),
  endpoint('GET', '/v1/customers/:id', object({}), ({ state }, { id }) => found(state.customers, id, 'customer')),
  endpoint('POST', '/v1/customers/:id', GIVEN, (payments, { params, id }) => {
    const customer = found(payments.state.customers, id, 'customer')
    payments.events.change('customer.updated', customer, () => assign(payments, customer, params))
    return customer
  }),
  endpoint(
    'GET',
    '/v1/customers/:id/payment_methods',
    object({ ...PAGING, type: optional(text) }),
    (payments, call) => {
      const { id } = found(payments.state.customers, call.id, 'customer')
      const own = [...payments.state.paymentMethods.values()].filter(({ customer }) => customer === id)
      return pageOf(own, call.params, { url: `/v1/customers/${id}/payment_methods`, kind: 'payment_method' })
    },
  ),
]

export function createCustomer(payments: Payments, params: Partial<Params<typeof GIVEN>>): Customer {
  const customer = customerObject({
    id: payments.newId('customer'),
    created: nowOf(payments),
    description: null,
    email: null,
    invoice_prefix: payments.random.text(8).toUpperCase(),
    metadata: {},
    name: null,
    phone: null,
  })
  assign(payments, customer, params)
  payments.state.customers.set(customer.id, customer)
  payments.events.emit('customer.created', customer)
  return customer
}

function assign(payments: Payments, customer: Customer, given: Partial<Params<typeof GIVEN>>): void {
  const method = given.invoice_settings?.default_payment_method
  if (method) checkAttached(payments, customer.id, method, 'invoice_settings[default_payment_method]')
  if (method !== undefined) customer.invoice_settings.default_payment_method = method
  for (const name of ['description', 'email', 'name', 'phone'] as const) {
    const value = given[name]
    if (value !== undefined) customer[name] = value
  }
  if (given.metadata !== undefined) customer.metadata = mergedMetadata(customer.metadata, given.metadata)
  customer.preferred_locales = given.preferred_locales ?? customer.preferred_locales
}

/** A payment method can be used only by the customer it is attached to. */
export function checkAttached({ state }: Payments, customer: string, method: string, param: string): void {
  if (state.paymentMethods.get(method)?.customer !== customer) throw missing('PaymentMethod', method, param)
}
