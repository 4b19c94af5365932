import { nowOf, type Payments } from '../context.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid } from '../http/errors.ts'
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
import { type Price, priceObject, type Recurring } from '../objects/catalogue.ts'
import { createProduct } from './products.ts'

const INTERVAL = choice('day', 'week', 'month', 'year')
const LOOKUP_KEYS_MAX = 10

const NEW_PRICE = object({
  active: optional(boolean),
  currency: text,
  lookup_key: optional(text),
  metadata: optional(metadata),
  nickname: optional(text),
  product: optional(text),
  product_data: optional(object({ name: text, metadata: optional(metadata) })),
  recurring: optional(
    object({ interval: INTERVAL, interval_count: optional(natural), usage_type: optional(choice('licensed')) }),
  ),
  tax_behavior: optional(choice('exclusive', 'inclusive', 'unspecified')),
  transfer_lookup_key: optional(boolean),
  unit_amount: natural,
})

const CHANGED_PRICE = object({
  active: optional(boolean),
  lookup_key: optional(emptyable(text)),
  metadata: optional(emptyable(metadata)),
  nickname: optional(text),
  transfer_lookup_key: optional(boolean),
})

const PRICE_FILTER = object({
  ...PAGING,
  ...CREATED,
  active: optional(boolean),
  currency: optional(text),
  lookup_keys: optional(list(text, LOOKUP_KEYS_MAX)),
  product: optional(text),
  recurring: optional(object({ interval: optional(INTERVAL) })),
  type: optional(choice('one_time', 'recurring')),
})

export const PRICE_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/v1/prices', NEW_PRICE, (payments, { params }) => createPrice(payments, params)),
  endpoint('GET', '/v1/prices', PRICE_FILTER, ({ state }, { params }) => {
    const prices = [...state.prices.values()].filter((price) => isWanted(price, params))
    return pageOf(prices, params, { url: '/v1/prices', kind: 'price' })
  }),
  endpoint('GET', '/v1/prices/:id', object({}), ({ state }, { id }) => found(state.prices, id, 'price')),
  endpoint('POST', '/v1/prices/:id', CHANGED_PRICE, (payments, { params, id }) => {
    const price = found(payments.state.prices, id, 'price')
    if (params.lookup_key) claimLookupKey(payments, params.lookup_key, params.transfer_lookup_key ?? false, price)
    payments.events.change('price.updated', price, () => {
      price.active = params.active ?? price.active
      price.nickname = params.nickname ?? price.nickname
      if (params.lookup_key !== undefined) price.lookup_key = params.lookup_key
      if (params.metadata !== undefined) price.metadata = mergedMetadata(price.metadata, params.metadata)
    })
    return price
  }),
]

function createPrice(payments: Payments, params: Params<typeof NEW_PRICE>): Price {
  if (params.lookup_key) claimLookupKey(payments, params.lookup_key, params.transfer_lookup_key ?? false)
  const price = priceObject({
    id: payments.newId('price'),
    active: params.active ?? true,
    created: nowOf(payments),
    currency: currencyOf(params.currency),
    lookup_key: params.lookup_key ?? null,
    metadata: mergedMetadata({}, params.metadata),
    nickname: params.nickname ?? null,
    product: productOf(payments, params),
    recurring: params.recurring ? recurringOf(params.recurring) : null,
    tax_behavior: params.tax_behavior ?? 'unspecified',
    unit_amount: params.unit_amount,
  })
  payments.state.prices.set(price.id, price)
  payments.events.emit('price.created', price)
  return price
}

function recurringOf({ interval, interval_count }: NonNullable<Params<typeof NEW_PRICE>['recurring']>): Recurring {
  return { interval, interval_count: interval_count ?? 1, meter: null, trial_period_days: null, usage_type: 'licensed' }
}

function currencyOf(given: string): string {
  const currency = given.toLowerCase()
  if (/^[a-z]{3}$/.test(currency)) return currency
  throw invalid(`Invalid currency: ${given}. Stripe currently supports these currencies: usd, brl, eur, …`, {
    param: 'currency',
  })
}

function productOf(payments: Payments, { product, product_data }: Params<typeof NEW_PRICE>): string {
  if ((product === undefined) === (product_data === undefined)) {
    throw invalid('You must provide exactly one of `product` or `product_data`.', { param: 'product' })
  }
  if (product !== undefined) return found(payments.state.products, product, 'product', 'product').id
  return createProduct(payments, { name: '', ...product_data }).id
}

/** A key leads to one price; it moves to another only when it is told to. */
function claimLookupKey({ events, state }: Payments, key: string, isTransferred: boolean, claimant?: Price): void {
  const holder = [...state.prices.values()].find((price) => price.lookup_key === key && price !== claimant)
  if (!holder) return
  if (!isTransferred) {
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
  }
  events.change('price.updated', holder, () => {
    holder.lookup_key = null
  })
}

function isWanted(price: Price, filter: Params<typeof PRICE_FILTER>): boolean {
  return (
    (filter.active === undefined || price.active === filter.active) &&
    (filter.currency === undefined || price.currency === filter.currency) &&
    (filter.product === undefined || price.product === filter.product) &&
    (filter.type === undefined || price.type === filter.type) &&
    (filter.recurring?.interval === undefined || price.recurring?.interval === filter.recurring.interval) &&
    (filter.lookup_keys === undefined || filter.lookup_keys.includes(price.lookup_key ?? ''))
  )
}
