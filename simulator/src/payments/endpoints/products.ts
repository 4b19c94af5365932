import { nowOf, type Payments } from '../context.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid } from '../http/errors.ts'
import { CREATED, PAGING, pageOf } from '../http/lists.ts'
import { boolean, emptyable, list, metadata, object, optional, type Params, text } from '../http/params.ts'
import { mergedMetadata } from '../metadata.ts'
import { type Product, productObject } from '../objects/catalogue.ts'

const FIELDS = {
  active: optional(boolean),
  description: optional(emptyable(text)),
  metadata: optional(emptyable(metadata)),
  unit_label: optional(emptyable(text)),
}
const NEW_PRODUCT = object({ ...FIELDS, id: optional(text), name: text })
const CHANGED_PRODUCT = object({ ...FIELDS, name: optional(text) })
const FILTER = object({ ...PAGING, ...CREATED, active: optional(boolean), ids: optional(list(text)) })

export const PRODUCT_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/v1/products', NEW_PRODUCT, (payments, { params }) => createProduct(payments, params)),
  endpoint('GET', '/v1/products', FILTER, ({ state }, { params }) => {
    const products = [...state.products.values()]
      .filter(({ active }) => params.active === undefined || active === params.active)
      .filter(({ id }) => !params.ids || params.ids.includes(id))
    return pageOf(products, params, { url: '/v1/products', kind: 'product' })
  }),
  endpoint('GET', '/v1/products/:id', object({}), ({ state }, { id }) => found(state.products, id, 'product')),
  endpoint('POST', '/v1/products/:id', CHANGED_PRODUCT, (payments, { params, id }) => {
    const product = found(payments.state.products, id, 'product')
    payments.events.change('product.updated', product, () => {
      product.active = params.active ?? product.active
      product.name = params.name ?? product.name
      if (params.description !== undefined) product.description = params.description
      if (params.unit_label !== undefined) product.unit_label = params.unit_label
      if (params.metadata !== undefined) product.metadata = mergedMetadata(product.metadata, params.metadata)
      product.updated = nowOf(payments)
    })
    return product
  }),
]

type GivenProduct = Partial<Params<typeof NEW_PRODUCT>> & { name: string }

export function createProduct(payments: Payments, given: GivenProduct): Product {
  const id = given.id ?? payments.newId('product')
  if (payments.state.products.has(id)) {
    throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  }
  const product = productObject({
    id,
    active: given.active ?? true,
    created: nowOf(payments),
    description: given.description ?? null,
    metadata: mergedMetadata({}, given.metadata),
    name: given.name,
    unit_label: given.unit_label ?? null,
  })
  payments.state.products.set(id, product)
  payments.events.emit('product.created', product)
  return product
}
