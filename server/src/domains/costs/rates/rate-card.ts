import { isObject, type JsonObject } from '../../../kernel/json/values.ts'
import { type Amount, countMinorDigits, parseAmount } from './amounts.ts'

/** The rates of all countries that have none of their own. */
const ANY = '*'
const DAY = /^\d{4}-\d\d-\d\d$/
const COUNTRY = /^[A-Z]{2}$/
const CATEGORY = /^[a-z][a-z0-9_-]{0,63}$/

/** The rates of messages from a day on, until the next card. */
type RateCard = { validFrom: string; rates: ReadonlyMap<string, Amount> }

/** The rate cards of an operator, oldest first. Each is valid until the next one. */
export type RateCards = { currency: string; minorDigits: number; cards: readonly RateCard[] }

/** The rate of a country and category by the card of a day; undefined if that card has none. */
export function findRate(
  { cards }: RateCards,
  { cardDay, country, category }: { cardDay: string | null; country: string; category: string },
): Amount | undefined {
  const rates = cards.find(({ validFrom }) => validFrom === cardDay)?.rates
  return rates?.get(toKey(country, category)) ?? rates?.get(toKey(ANY, category))
}

/** Reads the JSON of a file of rate cards. Throws a sentence that says what is wrong, and where. */
export function parseRateCards(json: string): RateCards {
  const list = parseJson(json)
  if (!Array.isArray(list) || list.length === 0) throw new Error('must be a JSON list with at least one rate card')
  const cards = list.map((card, index) => parseCard(card, `the rate card ${index + 1}`))
  const [first] = cards
  const currency = first?.currency ?? ''
  const other = cards.find((card) => card.currency !== currency)
  if (other) throw new Error(`has rate cards in ${currency} and in ${other.currency}: all must have one currency`)
  const days = cards.map(({ validFrom }) => validFrom)
  const repeated = days.find((day, index) => days.indexOf(day) !== index)
  if (repeated) throw new Error(`has two rate cards that are valid from ${repeated}`)
  const sorted = cards.toSorted((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
  return { currency, minorDigits: countMinorDigits(currency), cards: sorted }
}

/** The text of a number, not the number: 0.1 has no exact binary value. */
class Digits {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json, (_key, value, context?: { source?: string }) =>
      typeof value === 'number' ? new Digits(context?.source ?? String(value)) : value,
    )
  } catch (err) {
    throw new Error(`is not JSON: ${err instanceof Error ? err.message : err}`)
  }
}

function parseCard(card: unknown, place: string): RateCard & { currency: string } {
  requireObject(card, place)
  refuseOthers(card, ['currency', 'valid_from', 'rates'], place)
  const { currency, valid_from: validFrom, rates } = card
  if (typeof currency !== 'string' || !Intl.supportedValuesOf('currency').includes(currency)) {
    throw new Error(`needs as \`currency\` of ${place} a code of ISO 4217 such as BRL`)
  }
  if (typeof validFrom !== 'string' || !isDay(validFrom)) {
    throw new Error(`needs as \`valid_from\` of ${place} a day such as 2026-10-01`)
  }
  if (!Array.isArray(rates) || rates.length === 0) throw new Error(`needs \`rates\` in ${place}: a list with a rate`)
  const byKey = new Map<string, Amount>()
  for (const [index, rate] of rates.entries()) {
    const { key, amount } = parseRate(rate, `the rate ${index + 1} of ${place}`)
    if (byKey.has(key)) throw new Error(`has two rates of ${key} in ${place}`)
    byKey.set(key, amount)
  }
  return { currency, validFrom, rates: byKey }
}

function parseRate(rate: unknown, place: string): { key: string; amount: Amount } {
  requireObject(rate, place)
  refuseOthers(rate, ['country', 'category', 'amount'], place)
  const { country, category, amount } = rate
  if (typeof country !== 'string' || !(country === ANY || COUNTRY.test(country))) {
    throw new Error(`needs as \`country\` of ${place} two capital letters such as BR, or "*" for all others`)
  }
  if (typeof category !== 'string' || !CATEGORY.test(category)) {
    throw new Error(`needs as \`category\` of ${place} a category as the upstream spells it, such as marketing`)
  }
  const parsed = amount instanceof Digits || typeof amount === 'string' ? parseAmount(toDigits(amount)) : undefined
  if (parsed === undefined) {
    throw new Error(`needs as \`amount\` of ${place} what one message costs, as a decimal number such as 0.0625`)
  }
  return { key: toKey(country, category), amount: parsed }
}

function requireObject(value: unknown, place: string): asserts value is JsonObject {
  if (!isObject(value) || value instanceof Digits) throw new Error(`must have an object as ${place}`)
}

function toDigits(amount: string | Digits): string {
  return typeof amount === 'string' ? amount : amount.text
}

/** A misspelled member would otherwise be ignored. */
function refuseOthers(object: object, names: readonly string[], place: string): void {
  const other = Object.keys(object).find((name) => !names.includes(name))
  if (other !== undefined) throw new Error(`has \`${other}\` in ${place}, which is not one of ${names.join(', ')}`)
}

function isDay(text: string): boolean {
  const time = new Date(text)
  return DAY.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}

function toKey(country: string, category: string): string {
  return `${country} ${category}`
}
