import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Payments, Price } from '../../../payments/payments.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import { CATALOG, PRICE_KEYS, PRICED_ITEMS } from './catalog.ts'
import type { PriceView } from './schemas.ts'

const SHOWN_FOR_MS = 60_000

export type Prices = ReturnType<typeof createPrices>

/** The provider's prices of the plans and of an additional connection. */
export function createPrices({ isSandbox, now }: { isSandbox: boolean; now: Clock }) {
  let shown: { prices: Promise<PriceView[]>; until: number } | undefined

  /** In a sandbox the hub creates the prices by itself. A real account belongs to the operator. */
  async function fetchAll(payments: Payments): Promise<Map<string, Price>> {
    const keys = Object.values(PRICE_KEYS)
    const prices = unwrapPayment(await payments.fetchPrices(keys))
    if (!isSandbox || prices.size === keys.length) return prices
    unwrapPayment(await payments.createCatalog(CATALOG))
    return unwrapPayment(await payments.fetchPrices(keys))
  }

  async function fetchViews(payments: Payments): Promise<PriceView[]> {
    const prices = await fetchAll(payments)
    return PRICED_ITEMS.flatMap((item) => {
      const price = prices.get(PRICE_KEYS[item])
      if (!price) return []
      const { unitAmount: unit_amount, currency, interval, intervalCount: interval_count } = price
      return [{ item, unit_amount, currency, interval, interval_count }]
    })
  }

  return {
    /** One request a minute for all who look. A failure is not remembered. */
    async list(payments: Payments): Promise<PriceView[]> {
      if (shown && now().getTime() < shown.until) return shown.prices
      const prices = fetchViews(payments)
      const fetched = { prices, until: now().getTime() + SHOWN_FOR_MS }
      shown = fetched
      prices.catch(() => {
        if (shown === fetched) shown = undefined
      })
      return prices
    },

    /** The amount at which an item is sold now; undefined if the provider has none. */
    async findPrice(payments: Payments, item: keyof typeof PRICE_KEYS): Promise<Price | undefined> {
      return (await fetchAll(payments)).get(PRICE_KEYS[item])
    },

    async find(payments: Payments, item: keyof typeof PRICE_KEYS): Promise<string> {
      const lookupKey = PRICE_KEYS[item]
      const existing = unwrapPayment(await payments.findPrices([lookupKey])).get(lookupKey)
      if (existing !== undefined) return existing
      const created = isSandbox ? unwrapPayment(await payments.createCatalog(CATALOG)).prices[lookupKey] : undefined
      if (created !== undefined) return created
      throw new AppError('NOT_READY', 'prices_missing')
    },
  }
}
