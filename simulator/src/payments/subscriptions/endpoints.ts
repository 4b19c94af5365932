import { toPaymentError } from '../cards.ts'
import { requirePrice } from '../catalog.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import { findDefaultMethod } from '../customers.ts'
import { defineEndpoint, type Endpoint, listObjects, PAGING, requireObject } from '../http/endpoint.ts'
import { invalidRequest, missingObject } from '../http/errors.ts'
import { boolean, choice, list, natural, object, optional, type Params, text } from '../http/params.ts'
import type { Subscription } from '../objects.ts'
import { endSubscription } from './collection.ts'
import { ITEM, resolveItems } from './items.ts'
import { setCancellation, startSubscription } from './periods.ts'
import { updateItems } from './updates.ts'

const NEW_SUBSCRIPTION = object({
  customer: text,
  default_payment_method: optional(text),
  items: list(object({ price: text, quantity: optional(natural) })),
})

const UPDATE = object({
  cancel_at_period_end: optional(boolean),
  items: optional(list(ITEM)),
  payment_behavior: optional(choice('pending_if_incomplete')),
  proration_behavior: optional(choice('create_prorations', 'always_invoice')),
  proration_date: optional(natural),
})

export const SUBSCRIPTION_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint('POST', '/subscriptions', NEW_SUBSCRIPTION, createSubscription),
  defineEndpoint(
    'GET',
    '/subscriptions',
    object({ ...PAGING, customer: text, status: optional(choice('all')) }),
    ({ state }, { customer: customerId, limit, status }) => {
      const { id } = requireObject(state.customers, customerId, 'customer', 'customer')
      return listObjects(state.subscriptions, { url: '/v1/subscriptions', limit }, (subscription) => {
        return subscription.customer === id && (status === 'all' || subscription.status !== 'canceled')
      })
    },
  ),
  defineEndpoint('POST', '/subscriptions/:id', UPDATE, (payments, params, id) => {
    const subscription = requireObject(payments.state.subscriptions, id, 'subscription')
    updateSubscription(payments, subscription, params)
    return subscription
  }),
  defineEndpoint('DELETE', '/subscriptions/:id', object({}), (payments, _params, id) => {
    const subscription = requireObject(payments.state.subscriptions, id, 'subscription')
    if (subscription.status === 'canceled') throw missingObject('subscription', id)
    endSubscription(payments, subscription)
    return subscription
  }),
]

function createSubscription(payments: Payments, params: Params<typeof NEW_SUBSCRIPTION>): Subscription {
  const customer = requireObject(payments.state.customers, params.customer, 'customer', 'customer')
  const methodId = params.default_payment_method
  const method =
    methodId === undefined ? findDefaultMethod(payments, customer.id) : payments.state.paymentMethods.get(methodId)
  if (methodId !== undefined && method?.customer !== customer.id) {
    throw missingObject('PaymentMethod', methodId, 'default_payment_method')
  }
  if (!method) throw toPaymentError('no_method')
  const items = params.items.map(({ price, quantity }, index) => ({
    price: requirePrice(payments, price, `items[${index}][price]`),
    quantity: quantity ?? 1,
  }))
  return startSubscription(payments, { customer, items, method, metadata: {}, presence: 'offSession' })
}

function updateSubscription(payments: Payments, subscription: Subscription, params: Params<typeof UPDATE>): void {
  if (subscription.status === 'canceled') {
    const message = 'A canceled subscription can only update its cancellation_details and metadata.'
    throw invalidRequest(message, { code: 'invalid_canceled_subscription_fields' })
  }
  if (params.items !== undefined && params.cancel_at_period_end !== undefined) {
    throw invalidRequest('The simulator updates either `items` or `cancel_at_period_end`.', { param: 'items' })
  }
  const isInvoiced = params.proration_behavior === 'always_invoice'
  if (isInvoiced && params.payment_behavior === undefined) {
    const message = 'The simulator charges updates with `payment_behavior=pending_if_incomplete` only.'
    throw invalidRequest(message, { param: 'payment_behavior' })
  }
  updateItems(payments, subscription, {
    items: resolveItems(payments, subscription, params.items ?? []),
    prorationDate: params.proration_date ?? nowInSeconds(payments),
    isInvoiced,
  })
  const isCanceled = params.cancel_at_period_end
  if (isCanceled === undefined || isCanceled === subscription.cancel_at_period_end) return
  setCancellation(payments, subscription, isCanceled, isCanceled)
}
