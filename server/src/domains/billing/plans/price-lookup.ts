import { AppError } from '../../../kernel/errors.ts'
import type { Payments } from '../../../payments/payments.ts'
import { unwrapPayment } from '../provider/payment-result.ts'
import { CATALOG, PRICE_KEYS } from './catalog.ts'

export type Prices = ReturnType<typeof createPrices>

/** Finds the provider's price of a plan or an additional connection. */
export function createPrices({ isSandbox }: { isSandbox: boolean }) {
  return {
    async find(payments: Payments, item: keyof typeof PRICE_KEYS): Promise<string> {
      const lookupKey = PRICE_KEYS[item]
      const existing = unwrapPayment(await payments.findPrices([lookupKey])).get(lookupKey)
      if (existing !== undefined) return existing
      // The hub creates prices by itself only in a sandbox. A real account belongs to the operator.
      const created = isSandbox ? unwrapPayment(await payments.createCatalog(CATALOG)).prices[lookupKey] : undefined
      if (created !== undefined) return created
      const message = 'The prices are not set up yet. The operator creates them with: npm run admin -- setup-billing'
      throw new AppError('NOT_READY', message)
    },
  }
}
