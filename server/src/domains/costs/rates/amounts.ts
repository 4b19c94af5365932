/** Money as a whole number of the smallest part that a rate can have: no sum of rates is ever rounded. */
export type Amount = bigint

const DECIMALS = 12
const DECIMAL = new RegExp(`^(\\d{1,12})(?:\\.(\\d{1,${DECIMALS}}))?$`)

/** An amount from the digits of a decimal number in units of the currency; undefined if the text is not one. */
export function parseAmount(text: string): Amount | undefined {
  const [, units, decimals = ''] = DECIMAL.exec(text) ?? []
  return units === undefined ? undefined : BigInt(units + decimals.padEnd(DECIMALS, '0'))
}

/** All of its digits, and at least those that the currency has. */
export function formatAmount(amount: Amount, minorDigits: number): string {
  const digits = String(amount).padStart(DECIMALS + 1, '0')
  const decimals = digits.slice(-DECIMALS)
  const shown = decimals.replace(/0+$/, '').padEnd(minorDigits, '0')
  return shown === '' ? digits.slice(0, -DECIMALS) : `${digits.slice(0, -DECIMALS)}.${shown}`
}

/** Whole minor units, such as cents, rounded down. */
export function toMinorUnits(amount: Amount, minorDigits: number): bigint {
  return amount / 10n ** BigInt(DECIMALS - minorDigits)
}

/** The decimals of a currency: 2 for BRL, none for JPY. */
export function countMinorDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  } catch (err) {
    // The upstream may name what is no code of a currency.
    if (err instanceof RangeError) return 2
    throw err
  }
}

/** An amount of whole minor units. */
export function fromMinorUnits(units: number, minorDigits: number): Amount {
  return BigInt(units) * 10n ** BigInt(DECIMALS - minorDigits)
}
