import { asObject } from '../../json.ts'
import { toPaymentError } from '../cards.ts'
import { requirePrice } from '../catalog.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import { findDefaultMethod } from '../customers.ts'
import { defineEndpoint, type Endpoint, listObjects, PAGING, requireObject } from '../http/endpoint.ts'
import { invalidRequest, missingObject } from '../http/errors.ts'
import { boolean, choice, list, natural, object, optional, type Params, type Read, text } from '../http/params.ts'
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

const NEW_ITEMS = object({
  items: list(ITEM),
  payment_behavior: choice('pending_if_incomplete'),
  proration_behavior: choice('always_invoice'),
  proration_date: optional(natural),
})
const CANCELLATION = object({ cancel_at_period_end: boolean })

/** Either changes items, which are charged at once, or cancels or resumes. */
const readUpdate: Read<Params<typeof NEW_ITEMS> | Params<typeof CANCELLATION>> = (form, path) =>
  asObject(form).items === undefined ? CANCELLATION(form, path) : NEW_ITEMS(form, path)

type Update = Params<typeof readUpdate>

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
  defineEndpoint('POST', '/subscriptions/:id', readUpdate, (payments, params, id) => {
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

function updateSubscription(payments: Payments, subscription: Subscription, update: Update): void {
  if (subscription.status === 'canceled') {
    const message = 'A canceled subscription can only update its cancellation_details and metadata.'
    throw invalidRequest(message, { code: 'invalid_canceled_subscription_fields' })
  }
  if ('items' in update) {
    const items = resolveItems(payments, subscription, update.items)
    updateItems(payments, subscription, items, update.proration_date ?? nowInSeconds(payments))
    return
  }
  const { cancel_at_period_end: isCanceled } = update
  if (isCanceled !== subscription.cancel_at_period_end) setCancellation(payments, subscription, isCanceled, isCanceled)
}
