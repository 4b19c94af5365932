export interface Settlement {
  amountDue: number
  /** What remains on the customer's balance once the invoice is final. */
  endingBalance: number
}

/** Cards are not charged less than this; the zero-decimal currencies have their own minimum. */
const MINIMUM_CHARGE = 50
const MINIMUM_CHARGES: Readonly<Record<string, number>> = { gbp: 30, jpy: 50, mxn: 1_000 }

/**
 * What an invoice asks for after the customer's balance. A credit pays first;
 * a total below zero becomes credit; an amount too small to charge is carried
 * over to the next invoice.
 */
export function settle(total: number, balance: number, currency: string): Settlement {
  const owed = total + balance
  if (owed >= (MINIMUM_CHARGES[currency] ?? MINIMUM_CHARGE)) return { amountDue: owed, endingBalance: 0 }
  return { amountDue: 0, endingBalance: owed }
}
