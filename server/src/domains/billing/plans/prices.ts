import { AppError } from '../../../kernel/errors.ts'
import type { Payments } from '../../../payments/payments.ts'
import { answerOf } from '../provider/payment-result.ts'
import { CATALOGUE, PRICE_KEYS } from './plans.ts'

export type Prices = ReturnType<typeof createPrices>

/** Prices at the provider, by what they are for. */
export function createPrices({ isSandbox }: { isSandbox: boolean }) {
  return {
    async find(payments: Payments, item: keyof typeof PRICE_KEYS): Promise<string> {
      const key = PRICE_KEYS[item]
      const found = answerOf(await payments.findPrices([key])).get(key)
      if (found !== undefined) return found
      // In a sandbox nobody minds. A real account is the operator's: nothing appears in it by itself.
      const made = isSandbox ? answerOf(await payments.setUp(CATALOGUE)).prices[key] : undefined
      if (made !== undefined) return made
      const message = 'The prices are not set up yet. The operator does it with: npm run admin -- setup-billing'
      throw new AppError('NOT_READY', message)
    },
  }
}
