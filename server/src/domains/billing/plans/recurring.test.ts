import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price } from '../../../payments/payments.ts'
import { computeRecurring, replaceItem } from './recurring.ts'

const MONTHLY: Price = { unitAmount: 9900, currency: 'brl', interval: 'month', intervalCount: 1 }

test('a subscription costs the sum of its items', () => {
  const items = [
    { price: MONTHLY, quantity: 1 },
    { price: { ...MONTHLY, unitAmount: 1900 }, quantity: 3 },
  ]

  assert.deepEqual(computeRecurring(items), { amount: 15_600, interval: 'month', intervalCount: 1 })
})

for (const [difference, price] of [
  ['no fixed amount', null],
  ['another interval', { ...MONTHLY, interval: 'year' }],
  ['every third month', { ...MONTHLY, intervalCount: 3 }],
  ['another currency', { ...MONTHLY, currency: 'usd' }],
] as const) {
  test(`the price of a subscription is not known if one of its items has ${difference}`, () => {
    assert.equal(
      computeRecurring([
        { price: MONTHLY, quantity: 1 },
        { price, quantity: 1 },
      ]),
      null,
    )
  })
}

test('a subscription without items has no price', () => {
  assert.equal(computeRecurring([]), null)
})

test('an item is replaced, added or removed', () => {
  const item = { id: 'si_1', lookupKey: null, quantity: 1, price: MONTHLY }
  const more = { price: MONTHLY, quantity: 2 }

  assert.deepEqual(replaceItem({ items: [item] }, undefined, more), [item, more])
  assert.deepEqual(replaceItem({ items: [item] }, item, more), [more])
  assert.deepEqual(replaceItem({ items: [item] }, item, { ...more, quantity: 0 }), [])
})
