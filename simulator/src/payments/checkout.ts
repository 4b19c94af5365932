import { type FailureReason, readCard } from './cards.ts'
import { requirePrice } from './catalog.ts'
import { nowInSeconds, type Payments } from './context.ts'
import { attachCard } from './customers.ts'
import { defineEndpoint, type Endpoint, listObjects, PAGING, requireObject } from './http/endpoint.ts'
import { invalidRequest } from './http/errors.ts'
import { choice, list, metadata, natural, object, optional, type Params, text, url } from './http/params.ts'
import type { CheckoutSession } from './objects.ts'
import { startSubscription } from './subscriptions/periods.ts'

const EXPIRES_AFTER_SECONDS = 86_400

const NEW_SESSION = object({
  // The simulator supports cards only, so the filter has no effect.
  allowed_payment_method_types: optional(list(choice('card'))),
  cancel_url: optional(url),
  client_reference_id: optional(text),
  customer: text,
  line_items: list(object({ price: text, quantity: optional(natural) })),
  mode: choice('subscription'),
  subscription_data: optional(object({ metadata: optional(metadata) })),
  success_url: url,
})

const FILTER = object({ ...PAGING, customer: text, status: optional(choice('open', 'complete', 'expired')) })

export const CHECKOUT_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint('POST', '/checkout/sessions', NEW_SESSION, createSession),
  defineEndpoint('GET', '/checkout/sessions', FILTER, ({ state }, { customer, limit, status }) => {
    const { id } = requireObject(state.customers, customer, 'customer', 'customer')
    return listObjects(state.checkoutSessions, { url: '/v1/checkout/sessions', limit }, (session) => {
      return session.customer === id && (!status || session.status === status)
    })
  }),
  defineEndpoint('GET', '/checkout/sessions/:id', object({}), ({ state }, _params, id) =>
    requireObject(state.checkoutSessions, id, 'checkout.session', 'session'),
  ),
  defineEndpoint('POST', '/checkout/sessions/:id/expire', object({}), (payments, _params, id) => {
    const session = requireObject(payments.state.checkoutSessions, id, 'checkout.session')
    if (session.status !== 'open') {
      const status = `This Checkout Session has a status of \`${session.status}\`.`
      throw invalidRequest(`Only Checkout Sessions with a status in ["open"] can be expired. ${status}`)
    }
    expireSession(payments, session)
    return session
  }),
]

function createSession(payments: Payments, params: Params<typeof NEW_SESSION>): CheckoutSession {
  const items = readLineItems(payments, params.line_items)
  const customer = requireObject(payments.state.customers, params.customer, 'customer', 'customer')
  const id = payments.newId('cs_test')
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    amount_total: items.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0),
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    currency: items[0]?.price.currency ?? '',
    customer: customer.id,
    expires_at: nowInSeconds(payments) + EXPIRES_AFTER_SECONDS,
    status: 'open',
    subscription: null,
    success_url: params.success_url,
    url: `${payments.url()}/c/pay/${id}`,
  }
  payments.state.checkoutSessions.set(id, session)
  payments.state.orders.set(id, { items, metadata: params.subscription_data?.metadata ?? {} })
  payments.schedule.at('checkout', id, session.expires_at)
  return session
}

function readLineItems(payments: Payments, lineItems: Params<typeof NEW_SESSION>['line_items']) {
  const param = 'line_items'
  if (lineItems.length === 0) {
    throw invalidRequest('Missing required param: line_items.', { param, code: 'parameter_missing' })
  }
  const items = lineItems.map(({ price, quantity }, index) => {
    if (!quantity) throw invalidRequest('Quantity is required. Add `quantity` to `line_items`.', { param })
    return { price: requirePrice(payments, price, `line_items[${index}][price]`), quantity }
  })
  if (new Set(items.map(({ price }) => price.currency)).size > 1) {
    throw invalidRequest('Checkout does not support multiple prices with different currencies.', { param })
  }
  return items
}

export function expireSession({ events, schedule }: Payments, session: CheckoutSession): void {
  if (session.status !== 'open') return
  schedule.cancel('checkout', session.id)
  session.status = 'expired'
  session.url = null
  events.emit('checkout.session.expired', session)
}

/**
 * Pays on the page. The subscription is made after the payment, so a declined card changes nothing: the session
 * stays open for another card.
 */
export function payCheckout(payments: Payments, session: CheckoutSession, typed: string): FailureReason | undefined {
  const { events, schedule, state } = payments
  const order = state.orders.get(session.id)
  const customer = state.customers.get(session.customer)
  if (session.status !== 'open' || !order || !customer) {
    throw invalidRequest(`This Checkout Session is ${session.status}.`)
  }
  const read = readCard(typed)
  if ('refusal' in read) return read.refusal
  const method = attachCard(payments, customer, read.card)
  const { id } = startSubscription(payments, { ...order, customer, method, presence: 'onSession' })
  schedule.cancel('checkout', session.id)
  session.status = 'complete'
  session.subscription = id
  session.url = null
  events.emit('checkout.session.completed', session)
  return undefined
}
