import type Stripe from 'stripe'
import type { CatalogItem } from './payments.ts'

/** The metadata key that marks the hub's objects in an account that may also sell other products. */
export const METADATA_KEY = 'hubline'

/**
 * The catalog key of a price. A lookup key can move to a newer price while subscribers keep the older one, so the
 * metadata and the product id, which never change, come first.
 */
export function readPriceKey({ metadata, product, lookup_key: lookupKey }: Stripe.Price): string | null {
  const productId = typeof product === 'string' ? product : product.id
  return metadata[METADATA_KEY] ?? (productId.startsWith(`${METADATA_KEY}_`) ? productId : lookupKey)
}

export async function findPrices(stripe: Stripe, keys: readonly string[]): Promise<Map<string, string>> {
  const found = await stripe.prices.list({ lookup_keys: [...keys], active: true, limit: 100 })
  return new Map(found.data.flatMap((price) => (price.lookup_key === null ? [] : [[price.lookup_key, price.id]])))
}

/** An operator who wants another amount moves the lookup key to a price of their own; an existing price stays unchanged. */
export async function createMissingPrices(
  stripe: Stripe,
  catalog: readonly CatalogItem[],
): Promise<Record<string, string>> {
  const prices = await findPrices(
    stripe,
    catalog.map(({ key }) => key),
  )
  for (const item of catalog) {
    if (!prices.has(item.key)) prices.set(item.key, await createPrice(stripe, item))
  }
  return Object.fromEntries(prices)
}

async function createPrice(stripe: Stripe, { key, name, unitAmount, currency }: CatalogItem): Promise<string> {
  const product = await ensureProduct(stripe, { id: key, name })
  const price = await stripe.prices.create(
    {
      product,
      currency,
      unit_amount: unitAmount,
      recurring: { interval: 'month' },
      lookup_key: key,
      transfer_lookup_key: true,
      metadata: { [METADATA_KEY]: key },
    },
    // Two operators may run this at the same time.
    { idempotencyKey: `${key}-price` },
  )
  return price.id
}

async function ensureProduct(stripe: Stripe, { id, name }: { id: string; name: string }): Promise<string> {
  const existing = await stripe.products.list({ ids: [id], limit: 1 })
  if (existing.data.length === 0) await stripe.products.create({ id, name }, { idempotencyKey: `${id}-product` })
  return id
}
