import type { Payments } from '../context.ts'
import { invalid, missing } from '../http/errors.ts'
import type { Metadata } from '../http/params.ts'
import { mergedMetadata } from '../metadata.ts'
import type { Price } from '../objects/catalogue.ts'
import type { Subscription, SubscriptionItem } from '../objects/subscription.ts'
import type { ItemChange } from './change.ts'

export interface ItemParams {
  id: string | undefined
  price: string | undefined
  quantity: number | undefined
  deleted: boolean | undefined
  metadata: Metadata | null | undefined
}

const ITEMS_MAX = 20

/** Reads which items change and into what. An entry without an id adds an item; it never replaces one. */
export function plannedItems(payments: Payments, subscription: Subscription, given: ItemParams[]): ItemChange[] {
  const changes = given.map((params, index) => plannedItem(payments, subscription, params, `items[${index}]`))
  checkWhole(subscription, changes)
  return changes.filter((change) => hasEffect(subscription, change))
}

function plannedItem(payments: Payments, subscription: Subscription, params: ItemParams, path: string): ItemChange {
  const item = subscription.items.data.find(({ id }) => id === params.id)
  if (params.id !== undefined && !item) throw missing('subscription_item', params.id, `${path}[id]`)
  if (params.deleted) {
    if (!item)
      throw invalid(`Missing required param: ${path}[id].`, { param: `${path}[id]`, code: 'parameter_missing' })
    return { id: item.id, isNew: false, terms: null }
  }
  const price = plannedPrice(payments, params, item, path)
  checkFits(price, subscription, `${path}[price]`)
  const terms = {
    id: item?.id ?? payments.newId('subscriptionItem'),
    price,
    quantity: params.quantity ?? item?.quantity ?? 1,
    metadata: mergedMetadata(item?.metadata ?? {}, params.metadata),
  }
  return { id: terms.id, isNew: item === undefined, terms }
}

function plannedPrice(payments: Payments, params: ItemParams, item: SubscriptionItem | undefined, path: string): Price {
  if (params.price !== undefined) return recurringPrice(payments, params.price, `${path}[price]`)
  if (item) return item.price
  throw invalid(`Missing required param: ${path}[price].`, { param: `${path}[price]`, code: 'parameter_missing' })
}

export function recurringPrice({ state }: Payments, id: string, param: string): Price {
  const price = state.prices.get(id)
  if (!price) throw missing('price', id, param)
  if (!price.active) throw invalid('The price specified is inactive. This field only accepts active prices.', { param })
  if (!price.recurring) {
    const sentence = `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`
    throw invalid(sentence, { param })
  }
  return price
}

/** All items of a subscription share a currency and, in this double, a billing interval. */
function checkFits(price: Price, subscription: Subscription, param: string): void {
  if (price.currency !== subscription.currency) {
    const sentence = `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${subscription.currency}\`.`
    throw invalid(sentence, { param })
  }
  const [first] = subscription.items.data
  const isSame = first === undefined || cycleOf(first.price) === cycleOf(price)
  if (!isSame) throw invalid('The simulator knows no subscriptions with mixed billing intervals.', { param })
}

function cycleOf({ recurring }: Price): string {
  return `${recurring?.interval_count} ${recurring?.interval}`
}

function checkWhole(subscription: Subscription, changes: ItemChange[]): void {
  const kept = subscription.items.data
    .filter((item) => !changes.some(({ id }) => id === item.id))
    .map((item) => item.price.id)
  const prices = [...kept, ...changes.flatMap(({ terms }) => (terms ? [terms.price.id] : []))]
  if (prices.length === 0) {
    const sentence =
      'A subscription must have at least one active plan. To cancel a subscription, please use the cancel API endpoint on /v1/subscriptions.'
    throw invalid(sentence, { param: 'items' })
  }
  if (prices.length > ITEMS_MAX)
    throw invalid(`A subscription can have at most ${ITEMS_MAX} items.`, { param: 'items' })
  const twice = prices.find((id, index) => prices.indexOf(id) !== index)
  if (twice) throw invalid(`Cannot add multiple subscription items with the same plan: ${twice}`, { param: 'items' })
}

/** Saying what is already so changes nothing and costs nothing. */
function hasEffect(subscription: Subscription, { id, terms }: ItemChange): boolean {
  const item = subscription.items.data.find((candidate) => candidate.id === id)
  if (!item || !terms) return true
  const isSameMetadata = JSON.stringify(item.metadata) === JSON.stringify(terms.metadata)
  return item.price.id !== terms.price.id || item.quantity !== terms.quantity || !isSameMetadata
}
