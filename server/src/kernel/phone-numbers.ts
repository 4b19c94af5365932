/**
 * A number as it was given, and as the upstream may write it: Brazilian mobile numbers with and without the ninth digit,
 * Mexican ones with and without the 1 after the country code.
 */
export function listSpellings(digits: string): string[] {
  const variants = [
    digits.replace(/^55(\d{2})9(\d{8})$/, '55$1$2'),
    digits.replace(/^55(\d{2})([6-9]\d{7})$/, '55$19$2'),
    digits.replace(/^521(\d{10})$/, '52$1'),
    digits.replace(/^52(\d{10})$/, '521$1'),
  ]
  return [...new Set([digits, ...variants])]
}
