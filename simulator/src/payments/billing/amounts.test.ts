import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPeriodEnd } from '../subscriptions/periods.ts'
import { settleBalance } from './invoices.ts'
import { creditUnused, prorateAmount } from './lines.ts'

const DAY = 86_400
const MONTH = { start: 0, end: 30 * DAY }

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
    // Half a cent is rounded up: 101 / 2 is 50.5.
    [101, 30, 15 * DAY, 51],
    [29_900, 30, 12_345, 29_758],
    [0, 30, 10 * DAY, 0],
  ]

  for (const [amount, days, at, expected] of cases) {
    assert.equal(prorateAmount(amount, { start: 0, end: days * DAY }, at), expected, `${amount}, ${days} days, ${at}`)
  }
})

// 5 × 500 for the last 20 of 30 days was charged as 1667, so 10 days later 833.5 of it are unused, not 833.33.
test('a credit is a share of the charged amount, not of the price', () => {
  const charge = { amount: 1_667, period: { start: 10 * DAY, end: 30 * DAY } }

  assert.equal(creditUnused(charge, 20 * DAY), -834)
  assert.equal(prorateAmount(2_500, MONTH, 20 * DAY), 833)
  assert.equal(creditUnused(charge, 10 * DAY), -1_667)
  assert.equal(creditUnused(charge, 30 * DAY), 0)
})

test('a credit and a charge over the same time cancel each other out', () => {
  for (let at = 0; at <= MONTH.end; at += 12_347) {
    for (const amount of [1, 99, 101, 1_667, 9_900, 29_900, 9_999_999]) {
      assert.equal(
        creditUnused({ amount, period: MONTH }, at) + prorateAmount(amount, MONTH, at),
        0,
        `${amount} at ${at}`,
      )
    }
  }
})

test('credit pays first, a negative total becomes credit, and less than the minimum charge is carried over', () => {
  const cases: [total: number, balance: number, amountDue: number, endingBalance: number][] = [
    [9_900, 0, 9_900, 0],
    [9_900, -2_000, 7_900, 0],
    [9_900, -9_900, 0, 0],
    [9_900, -10_000, 0, -100],
    [-3_980, 0, 0, -3_980],
    [-3_980, -20, 0, -4_000],
    [49, 0, 0, 49],
    [50, 0, 50, 0],
    [9_900, 49, 9_949, 0],
    [0, 0, 0, 0],
  ]

  for (const [total, balance, amountDue, endingBalance] of cases) {
    assert.deepEqual(settleBalance(total, balance), { amountDue, endingBalance }, `${total} with balance ${balance}`)
  }
})

test('a period ends on the day of its anchor, or on the last day of a shorter month', () => {
  const cases: [anchor: string, at: string, end: string][] = [
    ['2026-11-15T12:00:00', '2026-11-15T12:00:00', '2026-12-15T12:00:00'],
    ['2026-11-15T12:00:00', '2026-12-15T12:00:00', '2027-01-15T12:00:00'],
    ['2027-01-31T23:59:59', '2027-01-31T23:59:59', '2027-02-28T23:59:59'],
    ['2027-01-31T23:59:59', '2027-02-28T23:59:59', '2027-03-31T23:59:59'],
    ['2028-01-30T00:00:00', '2028-01-30T00:00:00', '2028-02-29T00:00:00'],
  ]

  for (const [anchor, at, end] of cases) {
    const [from, now] = [anchor, at].map((text) => Date.parse(`${text}Z`) / 1_000)
    assert.equal(new Date(findPeriodEnd(from!, now!) * 1_000).toISOString(), `${end}.000Z`, `${anchor} at ${at}`)
  }
})
