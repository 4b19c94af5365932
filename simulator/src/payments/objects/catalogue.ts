const UNUSED_OF_PRODUCT = {
  images: [] as string[],
  livemode: false,
  marketing_features: [] as { name?: string }[],
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  url: null,
}

export type Product = typeof UNUSED_OF_PRODUCT & {
  id: string
  object: 'product'
  active: boolean
  created: number
  default_price: string | null
  description: string | null
  metadata: Record<string, string>
  name: string
  unit_label: string | null
  updated: number
}

type GivenProduct = Pick<Product, 'id' | 'active' | 'created' | 'description' | 'metadata' | 'name' | 'unit_label'>

export function productObject(given: GivenProduct): Product {
  return { ...UNUSED_OF_PRODUCT, object: 'product', default_price: null, updated: given.created, ...given }
}

const UNUSED_OF_PRICE = {
  billing_scheme: 'per_unit',
  custom_unit_amount: null,
  livemode: false,
  tiers_mode: null,
  transform_quantity: null,
}

export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Recurring {
  interval: Interval
  interval_count: number
  meter: null
  trial_period_days: null
  usage_type: 'licensed'
}

export type Price = typeof UNUSED_OF_PRICE & {
  id: string
  object: 'price'
  active: boolean
  created: number
  currency: string
  lookup_key: string | null
  metadata: Record<string, string>
  nickname: string | null
  product: string
  recurring: Recurring | null
  tax_behavior: 'exclusive' | 'inclusive' | 'unspecified'
  type: 'one_time' | 'recurring'
  unit_amount: number
  /** Amounts that may have fractions travel as text. */
  unit_amount_decimal: string
}

type GivenPrice = Omit<Price, keyof typeof UNUSED_OF_PRICE | 'object' | 'type' | 'unit_amount_decimal'>

export function priceObject(given: GivenPrice): Price {
  const type = given.recurring === null ? 'one_time' : 'recurring'
  return { ...UNUSED_OF_PRICE, object: 'price', type, unit_amount_decimal: String(given.unit_amount), ...given }
}

/** Subscription items still carry the older object beside their price. */
export function planOf(price: Price) {
  return {
    id: price.id,
    object: 'plan' as const,
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
