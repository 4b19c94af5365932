import type { Period } from './objects/subscription.ts'

/** What a customer was charged for an item, over the time that the charge paid for. */
export interface Debit {
  amount: number
  period: Period
  /** Where it was charged; undefined while it waits for the next invoice. */
  charged: { invoice: string; line: string } | undefined
}

/** The part of an amount that falls on the time from `at` to the end of the period, to the second and the cent. */
export function prorated(amount: number, period: Period, at: number): number {
  const [remaining, whole] = [period.end - at, period.end - period.start]
  return whole <= 0 ? 0 : rounded(BigInt(amount) * BigInt(remaining), BigInt(whole))
}

/**
 * The credit for time paid and not used. It is a share of what was charged,
 * not of what the price would be now: who was charged a rounded amount for the
 * last ten days gets half of that amount back five days later.
 */
export function unused(debit: Debit, at: number): number {
  const amount = prorated(debit.amount, debit.period, at)
  return amount === 0 ? 0 : -amount
}

/** Halves go away from zero, so that a credit and a charge over the same time cancel out. */
function rounded(numerator: bigint, denominator: bigint): number {
  const isNegative = numerator < 0n
  const magnitude = isNegative ? -numerator : numerator
  const quotient = (2n * magnitude + denominator) / (2n * denominator)
  return Number(isNegative ? -quotient : quotient)
}
