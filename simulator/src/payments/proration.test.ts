import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prorated, unused } from './proration.ts'

const DAY = 86_400
const NOVEMBER = { start: 0, end: 30 * DAY }

test('a charge is the share of the period that is left, to the second and the cent', () => {
  const cases: [amount: number, days: number, at: number, expected: number][] = [
    [9_900, 30, 0, 9_900],
    [9_900, 30, 10 * DAY, 6_600],
    [5_970, 30, 10 * DAY, 3_980],
    [9_900, 30, 30 * DAY, 0],
    // 9900 * 2591999 / 2592000 is 9899.996, and 9900 / 2592000 is 0.004.
    [9_900, 30, 1, 9_900],
    [9_900, 30, 30 * DAY - 1, 0],
    // 9900 * 21 / 31 is 6706.45, and 9900 * 18 / 28 is 6364.29.
    [9_900, 31, 10 * DAY, 6_706],
    [9_900, 28, 10 * DAY, 6_364],
    // A half goes up: 101 / 2 is 50.5.
    [101, 30, 15 * DAY, 51],
    [29_900, 30, 12_345, 29_758],
    [0, 30, 10 * DAY, 0],
  ]

  for (const [amount, days, at, expected] of cases) {
    assert.equal(prorated(amount, { start: 0, end: days * DAY }, at), expected, `${amount} of ${days} days at ${at}`)
  }
})

// 5 × 500 for the last twenty of thirty days was charged as 1667, so ten days later 833.5 of it are unused, not 833.33.
test('a credit is a share of what was charged, not of what the price would be', () => {
  const debit = { amount: 1_667, period: { start: 10 * DAY, end: 30 * DAY }, charged: undefined }

  assert.equal(unused(debit, 20 * DAY), -834)
  assert.equal(prorated(2_500, NOVEMBER, 20 * DAY), 833)
  assert.equal(unused(debit, 10 * DAY), -1_667)
  assert.equal(unused(debit, 30 * DAY), 0)
})

test('a credit and a charge over the same time cancel out', () => {
  for (let at = 0; at <= NOVEMBER.end; at += 12_347) {
    for (const amount of [1, 99, 101, 1_667, 9_900, 29_900, 9_999_999]) {
      const debit = { amount, period: NOVEMBER, charged: undefined }
      assert.equal(unused(debit, at) + prorated(amount, NOVEMBER, at), 0, `${amount} at ${at}`)
    }
  }
})
