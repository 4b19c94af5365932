import type { Payments } from '../context.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid, missing } from '../http/errors.ts'
import { PAGING, pageOf } from '../http/lists.ts'
import { boolean, emptyable, metadata, natural, object, optional, text } from '../http/params.ts'
import { isEnded, type Subscription } from '../objects/subscription.ts'
import { type ItemParams, plannedItems } from '../subscriptions/plan.ts'
import { type PaymentBehavior, type ProrationBehavior, updateSubscription } from '../subscriptions/updating.ts'
import { checkPendable, PAYMENT_BEHAVIOR, PRORATION } from './subscription-params.ts'

const OWN = { metadata: optional(emptyable(metadata)), quantity: optional(natural) }
const NEW_ITEM = object({ ...PRORATION, ...PAYMENT_BEHAVIOR, ...OWN, price: text, subscription: text })
const CHANGED_ITEM = object({
  ...PRORATION,
  ...PAYMENT_BEHAVIOR,
  ...OWN,
  off_session: optional(boolean),
  price: optional(text),
})
const REMOVED_ITEM = object({ ...PRORATION, ...PAYMENT_BEHAVIOR })

export const SUBSCRIPTION_ITEM_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/v1/subscription_items', NEW_ITEM, (payments, { params }) => {
    const subscription = found(payments.state.subscriptions, params.subscription, 'subscription', 'subscription')
    const { price, quantity } = params
    const ids = new Set(subscription.items.data.map(({ id }) => id))
    const item = { id: undefined, price, quantity, deleted: undefined, metadata: params.metadata }
    changeItem(payments, subscription, item, params)
    const all = [...subscription.items.data, ...(subscription.pending_update?.subscription_items ?? [])]
    return all.find(({ id }) => !ids.has(id)) ?? subscription
  }),
  endpoint('GET', '/v1/subscription_items', object({ ...PAGING, subscription: text }), (payments, { params }) => {
    const { id, items } = found(payments.state.subscriptions, params.subscription, 'subscription', 'subscription')
    const url = `/v1/subscription_items?subscription=${id}`
    return pageOf(items.data.toReversed(), params, { url, kind: 'subscription_item' })
  }),
  endpoint('GET', '/v1/subscription_items/:id', object({}), (payments, { id }) => placeOf(payments, id).item),
  endpoint('POST', '/v1/subscription_items/:id', CHANGED_ITEM, (payments, { params, id }) => {
    const { price, quantity } = params
    const item = { id, price, quantity, deleted: undefined, metadata: params.metadata }
    changeItem(payments, placeOf(payments, id).subscription, item, params)
    return placeOf(payments, id).item
  }),
  endpoint('DELETE', '/v1/subscription_items/:id', REMOVED_ITEM, (payments, { params, id }) => {
    checkPendable(params.payment_behavior, { deleted: true })
    const item = { id, price: undefined, quantity: undefined, deleted: true, metadata: undefined }
    changeItem(payments, placeOf(payments, id).subscription, item, params)
    return { id, object: 'subscription_item', deleted: true }
  }),
]

interface Terms {
  proration_behavior: ProrationBehavior | undefined
  proration_date: number | undefined
  payment_behavior: PaymentBehavior | undefined
}

function changeItem(payments: Payments, subscription: Subscription, item: ItemParams, terms: Terms): void {
  if (isEnded(subscription)) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
  }
  updateSubscription(payments, subscription, {
    items: plannedItems(payments, subscription, [item]),
    metadata: undefined,
    cancelAtPeriodEnd: undefined,
    prorationBehavior: terms.proration_behavior ?? 'create_prorations',
    prorationDate: terms.proration_date,
    paymentBehavior: terms.payment_behavior ?? 'allow_incomplete',
  })
}

function placeOf({ state }: Payments, id: string) {
  for (const subscription of state.subscriptions.values()) {
    const item = subscription.items.data.find((candidate) => candidate.id === id)
    if (item) return { subscription, item }
  }
  throw missing('subscription_item', id)
}
