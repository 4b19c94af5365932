import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settle } from './settlement.ts'

test('a credit pays first, a negative total becomes credit, and what is too little to charge is carried over', () => {
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
    assert.deepEqual(settle(total, balance, 'brl'), { amountDue, endingBalance }, `${total} at a balance of ${balance}`)
  }
})
