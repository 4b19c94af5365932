import { AppError } from '../../../kernel/errors.ts'
import type { Payments } from '../../../payments/payments.ts'

export type BillingProvider = ReturnType<typeof createBillingProvider>

/** The payment provider; `payments` is undefined if billing is off. */
export function createBillingProvider(payments: Payments | undefined) {
  return {
    isOn: payments !== undefined,

    require(): Payments {
      if (payments) return payments
      throw new AppError('BILLING_OFF', 'billing_off')
    },
  }
}
