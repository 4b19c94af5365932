import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatAmount, fromMinorUnits, parseAmount, toMinorUnits } from './amounts.ts'
import { findRate, parseRateCards } from './rate-card.ts'

const RATE = { country: 'BR', category: 'marketing', amount: '0.0625' }
const CARD = { currency: 'BRL', valid_from: '2026-10-01', rates: [RATE] }

const parse = (value: unknown) => parseRateCards(JSON.stringify(value))

test('a rate is that of the country, else that of all countries, by the card of the day', {
  rules: ['cost.rate-is-by-country-and-category'],
}, () => {
  const everywhere = { country: '*', category: 'marketing', amount: '0.5' }
  const cards = parse([
    { ...CARD, valid_from: '2026-11-01', rates: [everywhere] },
    { ...CARD, rates: [everywhere, RATE] },
  ])
  const find = (cardDay: string | null, country: string, category = 'marketing') => {
    const amount = findRate(cards, { cardDay, country, category })
    return amount === undefined ? undefined : formatAmount(amount, 2)
  }

  assert.deepEqual(
    cards.cards.map(({ validFrom }) => validFrom),
    ['2026-10-01', '2026-11-01'],
  )
  assert.deepEqual([find('2026-10-01', 'BR'), find('2026-10-01', 'PT')], ['0.0625', '0.50'])
  assert.deepEqual([find('2026-11-01', 'BR'), find('2026-11-01', 'unknown')], ['0.50', '0.50'])
  assert.deepEqual([find('2026-10-01', 'BR', 'utility'), find(null, 'BR')], [undefined, undefined])
})

test('an amount may be a number or a text, and keeps every digit', {
  rules: ['cost.rate-is-by-country-and-category'],
}, () => {
  const json = `[{"currency": "BRL", "valid_from": "2026-10-01", "rates": [
    {"country": "BR", "category": "marketing", "amount": 0.100000000001},
    {"country": "BR", "category": "utility", "amount": "999999999999.999999999999"}]}]`
  const cards = parseRateCards(json)
  const find = (category: string) => findRate(cards, { cardDay: '2026-10-01', country: 'BR', category }) ?? 0n

  assert.equal(formatAmount(find('marketing') * 3n, 2), '0.300000000003')
  assert.equal(formatAmount(find('utility'), 2), '999999999999.999999999999')
})

for (const [name, value, message] of [
  ['text', '[', /^is not JSON/],
  ['object', CARD, /^must be a JSON list/],
  ['empty list', [], /at least one rate card/],
  ['list of texts', ['BRL'], /must have an object as the rate card 1/],
  ['card without a currency', [{ ...CARD, currency: undefined }], /`currency` of the rate card 1/],
  ['card in an unknown currency', [{ ...CARD, currency: 'BRX' }], /`currency` of the rate card 1/],
  ['card without a day', [{ ...CARD, valid_from: undefined }], /`valid_from` of the rate card 1/],
  ['card of a day that is none', [CARD, { ...CARD, valid_from: '2026-02-30' }], /`valid_from` of the rate card 2/],
  ['card without rates', [{ ...CARD, rates: [] }], /`rates` in the rate card 1/],
  ['card with a misspelled member', [{ ...CARD, validFrom: '2026-10-01' }], /has `validFrom` in the rate card 1/],
  ['rate that is none', [{ ...CARD, rates: [1] }], /must have an object as the rate 1 of the rate card 1/],
  ['rate of a lower-case country', [{ ...CARD, rates: [{ ...RATE, country: 'br' }] }], /`country` of the rate 1/],
  ['rate of no category', [{ ...CARD, rates: [RATE, { ...RATE, category: '' }] }], /`category` of the rate 2/],
  ['rate with a misspelled member', [{ ...CARD, rates: [{ ...RATE, price: 1 }] }], /has `price` in the rate 1/],
  ['negative rate', [{ ...CARD, rates: [{ ...RATE, amount: -1 }] }], /`amount` of the rate 1/],
  ['rate with a comma', [{ ...CARD, rates: [{ ...RATE, amount: '0,06' }] }], /`amount` of the rate 1/],
  [
    'rate with an exponent',
    '[{"currency":"BRL","valid_from":"2026-10-01","rates":[{"country":"BR","category":"utility","amount":1e-3}]}]',
    /`amount` of the rate 1/,
  ],
  [
    'rate with too many digits',
    [{ ...CARD, rates: [{ ...RATE, amount: '0.0000000000001' }] }],
    /`amount` of the rate 1/,
  ],
  ['two rates of one country and category', [{ ...CARD, rates: [RATE, RATE] }], /two rates of BR marketing/],
  ['two cards of one day', [CARD, CARD], /two rate cards that are valid from 2026-10-01/],
  ['cards in two currencies', [CARD, { ...CARD, currency: 'USD', valid_from: '2026-11-01' }], /in BRL and in USD/],
] as const) {
  test(`a file with a ${name} is refused with a sentence that says where`, {
    rules: ['cost.unusable-rate-card-stops-the-start'],
  }, () => {
    assert.throws(() => (typeof value === 'string' ? parseRateCards(value) : parse(value)), { message })
  })
}

test('an amount is shown with all of its digits, and at least those of the currency', () => {
  const show = (text: string, minorDigits: number) => formatAmount(parseAmount(text) ?? -1n, minorDigits)

  assert.deepEqual(
    [show('0', 2), show('12.5', 2), show('12.0625', 2), show('12', 0)],
    ['0.00', '12.50', '12.0625', '12'],
  )
  assert.deepEqual([show('0.5', 0), show('1.5', 3), show('100', 2)], ['0.5', '1.500', '100.00'])
})

test('an amount survives being shown, and whole minor units are exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n - 1n }), fc.integer({ min: 0, max: 4 }), (amount, digits) => {
      assert.equal(parseAmount(formatAmount(amount, digits)), amount)
      const units = toMinorUnits(amount, digits)
      assert.ok(units * 10n ** BigInt(12 - digits) <= amount && amount < (units + 1n) * 10n ** BigInt(12 - digits))
    }),
  )
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 4 }), (units, digits) => {
      assert.equal(toMinorUnits(fromMinorUnits(units, digits), digits), BigInt(units))
    }),
  )
})
