import type Stripe from 'stripe'
import { type CatalogItem, PRICE_INTERVALS, type Price } from './payments.ts'
import { SHORT_WAIT } from './stripe-client.ts'

/** The metadata key that marks the hub's objects in an account that may also sell other products. */
export const METADATA_KEY = 'hubline'

/**
 * The lookup key with which the hub created a price. It can move to a newer price while subscribers keep the older one,
 * so the metadata and the product id, which never change, come first.
 */
export function readLookupKey({ metadata, product, lookup_key: current }: Stripe.Price): string | null {
  const productId = typeof product === 'string' ? product : product.id
  return metadata[METADATA_KEY] ?? (productId.startsWith(`${METADATA_KEY}_`) ? productId : current)
}

export async function findPrices(stripe: Stripe, lookupKeys: readonly string[]): Promise<Map<string, string>> {
  const prices = await listPrices(stripe, lookupKeys)
  return new Map(prices.flatMap((price) => (price.lookup_key === null ? [] : [[price.lookup_key, price.id]])))
}

export async function fetchPrices(stripe: Stripe, lookupKeys: readonly string[]): Promise<Map<string, Price>> {
  const prices = await listPrices(stripe, lookupKeys, SHORT_WAIT)
  return new Map(
    prices.flatMap((stripePrice): [string, Price][] => {
      const price = readPrice(stripePrice)
      return price === null || stripePrice.lookup_key === null ? [] : [[stripePrice.lookup_key, price]]
    }),
  )
}

/** Null for a price without a fixed amount, or one that is charged once. */
export function readPrice({ unit_amount: unitAmount, currency, recurring }: Stripe.Price): Price | null {
  const interval = PRICE_INTERVALS.find((known) => known === recurring?.interval)
  if (unitAmount === null || recurring === null || interval === undefined) return null
  return { unitAmount, currency, interval, intervalCount: recurring.interval_count }
}

async function listPrices(stripe: Stripe, lookupKeys: readonly string[], options?: Stripe.RequestOptions) {
  return (await stripe.prices.list({ lookup_keys: [...lookupKeys], active: true, limit: 100 }, options)).data
}

/** An operator who wants another amount moves the lookup key to a price of their own; an existing price stays unchanged. */
export async function createMissingPrices(
  stripe: Stripe,
  catalog: readonly CatalogItem[],
): Promise<Record<string, string>> {
  const prices = await findPrices(
    stripe,
    catalog.map(({ lookupKey }) => lookupKey),
  )
  for (const item of catalog) {
    if (!prices.has(item.lookupKey)) prices.set(item.lookupKey, await createPrice(stripe, item))
  }
  return Object.fromEntries(prices)
}

async function createPrice(stripe: Stripe, { lookupKey, name, unitAmount, currency }: CatalogItem): Promise<string> {
  const product = await ensureProduct(stripe, { id: lookupKey, name })
  const price = await stripe.prices.create(
    {
      product,
      currency,
      unit_amount: unitAmount,
      recurring: { interval: 'month' },
      lookup_key: lookupKey,
      transfer_lookup_key: true,
      metadata: { [METADATA_KEY]: lookupKey },
    },
    // Two operators may run this at the same time.
    { idempotencyKey: `${lookupKey}-price` },
  )
  return price.id
}

async function ensureProduct(stripe: Stripe, { id, name }: { id: string; name: string }): Promise<string> {
  const existing = await stripe.products.list({ ids: [id], limit: 1 })
  if (existing.data.length === 0) await stripe.products.create({ id, name }, { idempotencyKey: `${id}-product` })
  return id
}
