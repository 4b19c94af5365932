import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildLayers } from './layers.ts'

const figures = (messages: number, cost: string | null) => ({ messages, charged: messages, without_rate: 0, cost })

function day(key: string, categories: Record<string, [number, string | null]>) {
  const listed = Object.entries(categories).map(([category, [messages, cost]]) => ({
    category,
    ...figures(messages, cost),
  }))
  return { key, name: null, ...figures(1, null), categories: listed }
}

const DAYS = ['2026-11-01', '2026-11-02']

test('a chart has a layer for each usual category that has something, and one for the others', () => {
  const groups = [day('2026-11-02', { marketing: [2, '0.125'], service: [3, '0'], marketing_lite: [1, '0.5'] })]

  assert.deepEqual(
    buildLayers(groups, DAYS).map(({ category, values }) => [category, values]),
    [
      ['marketing', [0, 0.125]],
      ['', [0, 0.5]],
    ],
  )
})

test('without a rate card a chart has messages', () => {
  const groups = [day('2026-11-01', { utility: [2, null], service: [3, null] })]

  assert.deepEqual(
    buildLayers(groups, DAYS).map(({ values }) => values),
    [
      [2, 0],
      [3, 0],
    ],
  )
  assert.deepEqual(buildLayers([], DAYS), [])
})
