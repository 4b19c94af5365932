import { totalOf } from '../checkout/completing.ts'
import { expireSession } from '../checkout/expiring.ts'
import { lineItemsOfSession } from '../checkout/line-items.ts'
import { nowOf, type Payments } from '../context.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid } from '../http/errors.ts'
import { CREATED, PAGING, pageOf } from '../http/lists.ts'
import { choice, integer, list, metadata, natural, object, optional, type Params, text, url } from '../http/params.ts'
import { mergedMetadata } from '../metadata.ts'
import { type CheckoutSession, checkoutSessionObject, type Order } from '../objects/checkout-session.ts'
import { recurringPrice } from '../subscriptions/plan.ts'

const MINUTE = 60
const DAY = 86_400
const LINE_ITEMS_MAX = 20

const NEW_SESSION = object({
  // Cards are all that this provider takes, so that there is nothing to filter.
  allowed_payment_method_types: optional(list(choice('card'))),
  cancel_url: optional(url),
  client_reference_id: optional(text),
  customer: optional(text),
  customer_email: optional(text),
  expires_at: optional(integer),
  line_items: list(object({ price: text, quantity: optional(natural), metadata: optional(metadata) }), LINE_ITEMS_MAX),
  locale: optional(choice('auto', 'en', 'pt', 'pt-BR')),
  metadata: optional(metadata),
  mode: choice('subscription'),
  subscription_data: optional(object({ description: optional(text), metadata: optional(metadata) })),
  success_url: url,
  ui_mode: optional(choice('hosted_page')),
})

const FILTER = object({
  ...PAGING,
  ...CREATED,
  customer: optional(text),
  status: optional(choice('open', 'complete', 'expired')),
  subscription: optional(text),
})

const PLACE = { url: '/v1/checkout/sessions', kind: 'checkout.session' }

export const CHECKOUT_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/v1/checkout/sessions', NEW_SESSION, (payments, { params }) => createSession(payments, params)),
  endpoint('GET', '/v1/checkout/sessions', FILTER, ({ state }, { params }) => {
    if (params.customer !== undefined) found(state.customers, params.customer, 'customer', 'customer')
    const sessions = [...state.checkoutSessions.values()].filter(
      (session) =>
        (!params.customer || session.customer === params.customer) &&
        (!params.status || session.status === params.status) &&
        (!params.subscription || session.subscription === params.subscription),
    )
    return pageOf(sessions, params, PLACE)
  }),
  endpoint('GET', '/v1/checkout/sessions/:id', object({}), ({ state }, { id }) => {
    return found(state.checkoutSessions, id, 'checkout.session')
  }),
  endpoint(
    'POST',
    '/v1/checkout/sessions/:id',
    object({ metadata: optional(metadata) }),
    (payments, { params, id }) => {
      const session = found(payments.state.checkoutSessions, id, 'checkout.session')
      session.metadata = mergedMetadata(session.metadata, params.metadata)
      return session
    },
  ),
  endpoint('POST', '/v1/checkout/sessions/:id/expire', object({}), (payments, { id }) => {
    const session = found(payments.state.checkoutSessions, id, 'checkout.session')
    if (session.status !== 'open') {
      const state = `This Checkout Session has a status of \`${session.status}\`.`
      throw invalid(`Only Checkout Sessions with a status in ["open"] can be expired. ${state}`)
    }
    expireSession(payments, session)
    return session
  }),
  endpoint('GET', '/v1/checkout/sessions/:id/line_items', object(PAGING), (payments, { params, id }) => {
    const { id: known } = found(payments.state.checkoutSessions, id, 'checkout.session')
    const lines = lineItemsOfSession(payments, known)
    // Lines keep the order they were given in, which a list of the newest first would turn around.
    return pageOf(lines.reverse(), params, { url: `${PLACE.url}/${known}/line_items`, kind: 'item' })
  }),
]

function createSession(payments: Payments, params: Params<typeof NEW_SESSION>): CheckoutSession {
  const order = orderOf(payments, params)
  const created = nowOf(payments)
  const id = payments.newId('checkoutSession')
  const session = checkoutSessionObject({
    id,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_total: totalOf(order),
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created,
    currency: order.items[0]?.price.currency ?? 'usd',
    customer: customerIn(payments, params),
    customer_email: params.customer_email ?? null,
    expires_at: expiryOf(params.expires_at, created),
    locale: params.locale ?? null,
    metadata: mergedMetadata({}, params.metadata),
    success_url: params.success_url,
    url: `${payments.url()}/c/pay/${id}`,
  })
  payments.state.checkoutSessions.set(id, session)
  payments.state.orders.set(id, order)
  payments.schedule.at('checkout', id, session.expires_at)
  return session
}

function customerIn(payments: Payments, { customer, customer_email }: Params<typeof NEW_SESSION>): string | null {
  if (customer !== undefined && customer_email !== undefined) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.', { param: 'customer' })
  }
  return customer === undefined ? null : found(payments.state.customers, customer, 'customer', 'customer').id
}

function orderOf(payments: Payments, params: Params<typeof NEW_SESSION>): Order {
  if (params.line_items.length === 0) {
    throw invalid('Missing required param: line_items.', { param: 'line_items', code: 'parameter_missing' })
  }
  const items = params.line_items.map(({ price, quantity, metadata: own }, index) => {
    if (!quantity) throw invalid('Quantity is required. Add `quantity` to `line_items`.', { param: 'line_items' })
    const known = recurringPrice(payments, price, `line_items[${index}][price]`)
    return { lineId: payments.newId('checkoutLine'), price: known, quantity, metadata: mergedMetadata({}, own) }
  })
  checkTogether(items.map(({ price }) => price))
  const { description = null, metadata: own } = params.subscription_data ?? {}
  return { items, subscription: { description, metadata: mergedMetadata({}, own) } }
}

function checkTogether(prices: Order['items'][number]['price'][]): void {
  const [first, ...rest] = prices
  const other = rest.find(({ currency, recurring }) => {
    return currency !== first?.currency || JSON.stringify(recurring) !== JSON.stringify(first?.recurring)
  })
  if (other) {
    const sentence = 'Checkout does not support multiple prices with different currencies or billing intervals.'
    throw invalid(sentence, { param: 'line_items' })
  }
}

function expiryOf(given: number | undefined, created: number): number {
  const at = given ?? created + DAY
  if (at < created + 30 * MINUTE) {
    const sentence = 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.'
    throw invalid(sentence, { param: 'expires_at' })
  }
  if (at > created + DAY) {
    const sentence = 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.'
    throw invalid(sentence, { param: 'expires_at' })
  }
  return at
}
