import { requirePrice } from '../catalog.ts'
import type { Payments } from '../context.ts'
import { invalidRequest, missingObject } from '../http/errors.ts'
import { natural, object, optional, type Params, text } from '../http/params.ts'
import type { Period, Subscription, SubscriptionItem } from '../objects.ts'
import type { ItemChange, ItemTerms } from '../state.ts'

export const ITEM = object({ id: optional(text), price: optional(text), quantity: optional(natural) })

type ItemParams = Params<typeof ITEM>

/** All items share one period, since all prices are monthly. */
export function findPeriod({ items }: Subscription): Period {
  const [first] = items.data
  return { start: first?.current_period_start ?? 0, end: first?.current_period_end ?? 0 }
}

export function buildItem({ id, price, quantity }: ItemTerms, { start, end }: Period): SubscriptionItem {
  return { id, object: 'subscription_item', current_period_end: end, current_period_start: start, price, quantity }
}

/** The new terms of the items that change. Params without an id add an item, they never replace one. */
export function resolveItems(payments: Payments, subscription: Subscription, itemParams: ItemParams[]): ItemTerms[] {
  const { data } = subscription.items
  const items = itemParams.map((params, index) => resolveItem(payments, subscription, params, `items[${index}]`))
  const kept = data.filter(({ id }) => !items.some((terms) => terms.id === id))
  const prices = [...kept, ...items].map(({ price }) => price.id)
  const twice = prices.find((id, index) => prices.indexOf(id) !== index)
  if (twice) {
    throw invalidRequest(`Cannot add multiple subscription items with the same plan: ${twice}`, { param: 'items' })
  }
  return items.filter(({ id, price, quantity }) => {
    const item = data.find((candidate) => candidate.id === id)
    return item?.price.id !== price.id || item.quantity !== quantity
  })
}

function resolveItem(payments: Payments, subscription: Subscription, params: ItemParams, path: string): ItemTerms {
  const item = subscription.items.data.find(({ id }) => id === params.id)
  if (params.id !== undefined && !item) throw missingObject('subscription_item', params.id, `${path}[id]`)
  const param = `${path}[price]`
  const price = params.price === undefined ? item?.price : requirePrice(payments, params.price, param)
  if (!price) throw invalidRequest(`Missing required param: ${param}.`, { param, code: 'parameter_missing' })
  if (price.currency !== subscription.currency) {
    const message = `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${subscription.currency}\`.`
    throw invalidRequest(message, { param })
  }
  return { id: item?.id ?? payments.newId('si'), price, quantity: params.quantity ?? item?.quantity ?? 1 }
}

/** Puts new terms into effect. The caller emits the event, together with what else it changes. */
export function applyItems({ state }: Payments, subscription: Subscription, { items, charges }: ItemChange): void {
  const period = findPeriod(subscription)
  for (const terms of items) {
    const item = subscription.items.data.find(({ id }) => id === terms.id)
    if (item) Object.assign(item, { price: terms.price, quantity: terms.quantity })
    else subscription.items.data.push(buildItem(terms, period))
  }
  for (const [id, charge] of charges) state.itemCharges.set(id, charge)
}
