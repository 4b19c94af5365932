import type { Payments } from './context.ts'
import { defineEndpoint, type Endpoint, listObjects, PAGING, requireObject } from './http/endpoint.ts'
import { invalidRequest, missingObject } from './http/errors.ts'
import { boolean, choice, list, metadata, natural, object, optional, type Params, text } from './http/params.ts'
import type { Price, Product } from './objects.ts'

const NEW_PRODUCT = object({ id: optional(text), name: text })

const NEW_PRICE = object({
  currency: text,
  lookup_key: optional(text),
  metadata: optional(metadata),
  product: text,
  recurring: object({ interval: choice('month') }),
  transfer_lookup_key: optional(boolean),
  unit_amount: natural,
})

export const CATALOG_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint('POST', '/products', NEW_PRODUCT, (payments, params) => {
    const id = params.id ?? payments.newId('prod')
    if (payments.state.products.has(id)) {
      throw invalidRequest('Product already exists.', { code: 'resource_already_exists', param: 'id' })
    }
    const product: Product = { id, object: 'product', name: params.name }
    payments.state.products.set(id, product)
    payments.events.emit('product.created', product)
    return product
  }),
  defineEndpoint('GET', '/products', object({ ...PAGING, ids: optional(list(text)) }), ({ state }, params) => {
    const { ids, limit } = params
    return listObjects(state.products, { url: '/v1/products', limit }, ({ id }) => !ids || ids.includes(id))
  }),
  defineEndpoint('POST', '/prices', NEW_PRICE, createPrice),
  defineEndpoint(
    'GET',
    '/prices',
    object({ ...PAGING, active: optional(boolean), lookup_keys: optional(list(text)) }),
    ({ state }, { active, limit, lookup_keys: keys }) => {
      return listObjects(state.prices, { url: '/v1/prices', limit }, (price) => {
        const isActive = active === undefined || price.active === active
        return isActive && (!keys || keys.includes(price.lookup_key ?? ''))
      })
    },
  ),
]

function createPrice(payments: Payments, params: Params<typeof NEW_PRICE>): Price {
  const currency = params.currency.toLowerCase()
  if (!/^[a-z]{3}$/.test(currency)) throw invalidRequest(`Invalid currency: ${currency}`, { param: 'currency' })
  const product = requireObject(payments.state.products, params.product, 'product', 'product')
  if (params.lookup_key) releaseLookupKey(payments, params.lookup_key, params.transfer_lookup_key ?? false)
  const price: Price = {
    id: payments.newId('price'),
    object: 'price',
    active: true,
    currency,
    lookup_key: params.lookup_key ?? null,
    metadata: params.metadata ?? {},
    product: product.id,
    recurring: { interval: 'month', interval_count: 1 },
    unit_amount: params.unit_amount,
  }
  payments.state.prices.set(price.id, price)
  payments.events.emit('price.created', price)
  return price
}

/** A lookup key belongs to one price, and moves to another only with `transfer_lookup_key`. */
function releaseLookupKey({ events, state }: Payments, key: string, isTransferred: boolean): void {
  const holder = [...state.prices.values()].find((price) => price.lookup_key === key)
  if (!holder) return
  if (!isTransferred) {
    throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
  }
  events.change('price.updated', holder, () => {
    holder.lookup_key = null
  })
}

export function requirePrice({ state }: Payments, id: string, param: string): Price {
  const price = state.prices.get(id)
  if (!price) throw missingObject('price', id, param)
  return price
}

export function findProductName({ state }: Pick<Payments, 'state'>, { product }: Pick<Price, 'product'>): string {
  return state.products.get(product)?.name ?? product
}
