import { defaultMethod, verdictOn } from '../billing/charge.ts'
import { refusedCharge } from '../billing/failures.ts'
import type { Payments } from '../context.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid, missing } from '../http/errors.ts'
import { CREATED, PAGING, pageOf } from '../http/lists.ts'
import {
  boolean,
  choice,
  emptyable,
  list,
  metadata,
  natural,
  object,
  optional,
  type Params,
  text,
} from '../http/params.ts'
import { mergedMetadata } from '../metadata.ts'
import { isEnded, periodOf, type Subscription } from '../objects/subscription.ts'
import { scheduleCancellation } from '../subscriptions/applying.ts'
import { cancelNow } from '../subscriptions/canceling.ts'
import { plannedItems, recurringPrice } from '../subscriptions/plan.ts'
import { startSubscription } from '../subscriptions/starting.ts'
import { updateSubscription } from '../subscriptions/updating.ts'
import { checkAttached } from './customers.ts'
import { checkPendable, ITEM, PAYMENT_BEHAVIOR, PRORATION } from './subscription-params.ts'

const FEEDBACK = choice(
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
)
const CANCELLATION_DETAILS = object({
  comment: optional(emptyable(text)),
  feedback: optional(emptyable(FEEDBACK)),
})

const NEW_SUBSCRIPTION = object({
  ...PAYMENT_BEHAVIOR,
  customer: text,
  default_payment_method: optional(text),
  description: optional(text),
  items: list(object({ price: text, quantity: optional(natural), metadata: optional(metadata) })),
  metadata: optional(metadata),
  off_session: optional(boolean),
})

const CHANGED_SUBSCRIPTION = object({
  ...PRORATION,
  ...PAYMENT_BEHAVIOR,
  cancel_at: optional(emptyable(choice('min_period_end', 'max_period_end'))),
  cancel_at_period_end: optional(boolean),
  cancellation_details: optional(CANCELLATION_DETAILS),
  default_payment_method: optional(emptyable(text)),
  description: optional(emptyable(text)),
  items: optional(list(ITEM)),
  metadata: optional(emptyable(metadata)),
  off_session: optional(boolean),
})

const STATUSES = ['active', 'past_due', 'unpaid', 'canceled', 'incomplete', 'incomplete_expired'] as const

const FILTER = object({
  ...PAGING,
  ...CREATED,
  customer: optional(text),
  price: optional(text),
  status: optional(choice(...STATUSES, 'trialing', 'paused', 'ended', 'all')),
})

const CANCELED = object({
  cancellation_details: optional(CANCELLATION_DETAILS),
  invoice_now: optional(boolean),
  prorate: optional(boolean),
})

export const SUBSCRIPTION_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/v1/subscriptions', NEW_SUBSCRIPTION, (payments, { params }) => create(payments, params)),
  endpoint('GET', '/v1/subscriptions', FILTER, ({ state }, { params }) => {
    if (params.customer !== undefined) found(state.customers, params.customer, 'customer', 'customer')
    const subscriptions = [...state.subscriptions.values()].filter((one) => isWanted(one, params))
    return pageOf(subscriptions, params, { url: '/v1/subscriptions', kind: 'subscription' })
  }),
  endpoint('GET', '/v1/subscriptions/:id', object({}), ({ state }, { id }) => {
    return found(state.subscriptions, id, 'subscription')
  }),
  endpoint('POST', '/v1/subscriptions/:id', CHANGED_SUBSCRIPTION, (payments, { params, id }) => {
    const subscription = found(payments.state.subscriptions, id, 'subscription')
    update(payments, subscription, params)
    return subscription
  }),
  endpoint('DELETE', '/v1/subscriptions/:id', CANCELED, (payments, { params, id }) => {
    const subscription = found(payments.state.subscriptions, id, 'subscription')
    if (isEnded(subscription)) throw missing('subscription', id)
    describeCancellation(subscription, params.cancellation_details)
    cancelNow(payments, subscription, { prorates: params.prorate ?? false, invoices: params.invoice_now ?? false })
    return subscription
  }),
]

function create(payments: Payments, params: Params<typeof NEW_SUBSCRIPTION>): Subscription {
  const behavior = params.payment_behavior ?? 'allow_incomplete'
  if (behavior === 'pending_if_incomplete') {
    const sentence =
      '`pending_if_incomplete` is only used with updates and cannot be passed when creating a Subscription.'
    throw invalid(sentence, { param: 'payment_behavior' })
  }
  const customer = found(payments.state.customers, params.customer, 'customer', 'customer')
  const method = params.default_payment_method ?? null
  if (method !== null) checkAttached(payments, customer.id, method, 'default_payment_method')
  if (behavior !== 'default_incomplete' && !method && !customer.invoice_settings.default_payment_method) {
    throw refusedCharge('no_method')
  }
  if (behavior === 'error_if_incomplete') checkChargeable(payments, customer.id, method)
  const items = params.items.map(({ price, quantity, metadata: own }, index) => ({
    price: recurringPrice(payments, price, `items[${index}][price]`),
    quantity: quantity ?? 1,
    metadata: mergedMetadata({}, own),
  }))
  const { subscription } = startSubscription(payments, {
    customer,
    items,
    defaultPaymentMethod: method,
    description: params.description ?? null,
    metadata: mergedMetadata({}, params.metadata),
    presence: 'offSession',
    collects: behavior !== 'default_incomplete',
  })
  return subscription
}

/** Asked not to leave anything incomplete behind, the provider finds out before it begins. */
function checkChargeable(payments: Payments, customer: string, first: string | null): void {
  const method = defaultMethod(payments, undefined, customer, first)
  const verdict = method ? verdictOn(payments, method, 'offSession') : 'no_method'
  if (verdict !== 'succeeds') throw refusedCharge(verdict)
}

function update(payments: Payments, subscription: Subscription, params: Params<typeof CHANGED_SUBSCRIPTION>): void {
  checkChangeable(subscription, params)
  checkPendable(params.payment_behavior, {
    ...Object.fromEntries(
      (params.items ?? []).map((item, index) => [`items[${index}][deleted]`, item.deleted ?? false]),
    ),
    cancel_at: params.cancel_at !== undefined,
    cancellation_details: params.cancellation_details !== undefined,
    default_payment_method: params.default_payment_method !== undefined,
    description: params.description !== undefined,
  })
  const method = params.default_payment_method
  if (method) checkAttached(payments, subscription.customer, method, 'default_payment_method')
  updateSubscription(payments, subscription, {
    items: plannedItems(payments, subscription, params.items ?? []),
    metadata: params.metadata,
    cancelAtPeriodEnd: params.cancel_at_period_end,
    prorationBehavior: params.proration_behavior ?? 'create_prorations',
    prorationDate: params.proration_date,
    paymentBehavior: params.payment_behavior ?? 'allow_incomplete',
    also() {
      if (method !== undefined) subscription.default_payment_method = method
      if (params.description !== undefined) subscription.description = params.description
      if (params.cancel_at === null) subscription.cancel_at_period_end = false
      if (params.cancel_at !== undefined) {
        scheduleCancellation(payments, subscription, params.cancel_at === null ? null : periodOf(subscription).end)
      }
      describeCancellation(subscription, params.cancellation_details)
    },
  })
}

/** What has ended can only be described, and what has not begun can only be paid. */
function checkChangeable(subscription: Subscription, params: Params<typeof CHANGED_SUBSCRIPTION>): void {
  const { metadata: _metadata, cancellation_details: _details, ...rest } = params
  const isTouched = Object.values(rest).some((value) => value !== undefined)
  if (isTouched && isEnded(subscription)) {
    const sentence = 'A canceled subscription can only update its cancellation_details and metadata.'
    throw invalid(sentence, { code: 'invalid_canceled_subscription_fields' })
  }
  if (params.items !== undefined && subscription.status === 'incomplete') {
    throw invalid('A subscription with status `incomplete` can only have its metadata and default source updated.')
  }
}

function describeCancellation(
  subscription: Subscription,
  details: Params<typeof CANCELLATION_DETAILS> | undefined,
): void {
  const { cancellation_details: known } = subscription
  subscription.cancellation_details = {
    ...known,
    comment: details?.comment === undefined ? known.comment : details.comment,
    feedback: details?.feedback === undefined ? known.feedback : details.feedback,
  }
}

/** Without a status the list leaves out what was canceled. */
function isWanted(subscription: Subscription, { customer, price, status }: Params<typeof FILTER>): boolean {
  if (customer !== undefined && subscription.customer !== customer) return false
  if (price !== undefined && !subscription.items.data.some((item) => item.price.id === price)) return false
  if (status === 'all') return true
  if (status === 'ended') return isEnded(subscription)
  return status === undefined ? subscription.status !== 'canceled' : subscription.status === status
}
