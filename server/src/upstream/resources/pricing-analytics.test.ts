import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPricing } from './pricing-analytics.ts'

test('a cost that the upstream leaves out is null, and what is no volume is left out', () => {
  const points = [
    { start: 1, end: 2, pricing_category: 'MARKETING', volume: 2, cost: 4.6 },
    { start: 1, end: 2, pricing_category: 'UTILITY', volume: 1 },
    { start: 1, end: 2, pricing_category: 'UTILITY', volume: -1, cost: 1 },
    { start: 1, end: 2, volume: 1, cost: 'free' },
    null,
  ]

  assert.deepEqual(
    readPricing({ id: '1', currency: 'USD', pricing_analytics: { data: [{ data_points: points }, 7] } }),
    {
      currency: 'USD',
      points: [
        { category: 'MARKETING', volume: 2, cost: 4.6 },
        { category: 'UTILITY', volume: 1, cost: null },
        { category: 'unknown', volume: 1, cost: null },
      ],
    },
  )
  assert.deepEqual(readPricing({ id: '1' }), { currency: null, points: [] })
  assert.equal(readPricing({ error: {} }), undefined)
})
