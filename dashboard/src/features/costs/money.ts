import { formatNumber } from '../../lib/format.ts'

/** The smallest units of a currency in one of it: 100 cents, 1 yen. */
export function countMinorUnits(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return 10 ** maximumFractionDigits
}

/** An amount in units of its currency. With `digits` that many decimals, for what a single message costs. */
export function formatAmount(amount: number, currency: string, digits?: number): string {
  return formatNumber(amount, {
    style: 'currency',
    currency,
    ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  })
}

/** Parses an amount in the smallest units; undefined if it is no amount above zero. A comma or a point begins the decimals. */
export function parseMinorUnits(text: string, currency: string): number | undefined {
  if (!/^\d{1,10}(?:[.,]\d+)?$/.test(text.trim())) return undefined
  const units = Number(text.trim().replace(',', '.')) * countMinorUnits(currency)
  const whole = Math.round(units)
  return whole >= 1 && Math.abs(units - whole) < 1e-6 ? whole : undefined
}
