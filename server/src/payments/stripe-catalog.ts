import type Stripe from 'stripe'
import type { CatalogueItem } from './payments.ts'

/** Marks what is ours in an account that may sell other things too. */
export const MARK = 'hubline'

/**
 * What a price is for. A lookup key moves on to a newer price, and whoever bought
 * the older one keeps it: so the mark and the product, which stay, come first.
 */
export function keyOf({ metadata, product, lookup_key: lookupKey }: Stripe.Price): string | null {
  const productId = typeof product === 'string' ? product : product.id
  return metadata[MARK] ?? (productId.startsWith(`${MARK}_`) ? productId : lookupKey)
}

export async function findPrices(stripe: Stripe, keys: readonly string[]): Promise<Map<string, string>> {
  const found = await stripe.prices.list({ lookup_keys: [...keys], active: true, limit: 100 })
  return new Map(found.data.flatMap((price) => (price.lookup_key === null ? [] : [[price.lookup_key, price.id]])))
}

/**
 * The hub knows a price by its lookup key alone. Whoever wants another amount
 * makes a price of their own and gives it the key; nothing here takes it back.
 */
export async function createMissingPrices(
  stripe: Stripe,
  catalogue: readonly CatalogueItem[],
): Promise<Record<string, string>> {
  const prices = await findPrices(
    stripe,
    catalogue.map(({ key }) => key),
  )
  for (const item of catalogue) {
    if (!prices.has(item.key)) prices.set(item.key, await createPrice(stripe, item))
  }
  return Object.fromEntries(prices)
}

async function createPrice(stripe: Stripe, { key, name, unitAmount, currency }: CatalogueItem): Promise<string> {
  const metadata = { [MARK]: key }
  const product = await ensureProduct(stripe, { id: key, name })
  const price = await stripe.prices.create(
    {
      product,
      currency,
      unit_amount: unitAmount,
      recurring: { interval: 'month' },
      lookup_key: key,
      transfer_lookup_key: true,
      metadata,
    },
    // Two operators may do this at once.
    { idempotencyKey: `${key}-price` },
  )
  return price.id
}

async function ensureProduct(stripe: Stripe, { id, name }: { id: string; name: string }): Promise<string> {
  const known = await stripe.products.list({ ids: [id], limit: 1 })
  if (known.data.length === 0) await stripe.products.create({ id, name }, { idempotencyKey: `${id}-product` })
  return id
}
