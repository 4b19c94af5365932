import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedMap } from './bounded-map.ts'

test('a map over its size evicts the oldest entries and reports them', () => {
  const forgotten: number[] = []
  const map = new BoundedMap<number>({ entriesMax: 2, forget: (value) => forgotten.push(value) })

  for (const key of ['a', 'b', 'c', 'd']) map.set(key, key.charCodeAt(0))
  map.set('d', 0)

  assert.deepEqual([...map.keys()], ['c', 'd'])
  assert.deepEqual(forgotten, [97, 98])
})

test('a map over its weight evicts the oldest entries, but not the newest', () => {
  const map = new BoundedMap<string>({ entriesMax: 100, weightMax: 10, weigh: (value) => value.length })

  for (const [key, length] of Object.entries({ a: 4, b: 4, c: 4, d: 1 })) map.set(key, 'x'.repeat(length))
  assert.deepEqual([...map.keys()], ['b', 'c', 'd'])
  map.set('b', 'x')
  map.delete('c')
  map.set('e', 'x'.repeat(8))
  assert.deepEqual([...map.keys()], ['d', 'b', 'e'])
  map.set('f', 'x'.repeat(50))
  assert.deepEqual([...map.keys()], ['f'])
})
