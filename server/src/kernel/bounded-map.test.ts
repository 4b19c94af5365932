import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedMap } from './bounded-map.ts'

test('a bounded map drops the entry that was set longest ago', () => {
  const map = new BoundedMap<string, number>(3).set('a', 1).set('b', 2).set('c', 3)

  map.set('a', 4).set('d', 5)

  assert.deepEqual(
    [...map],
    [
      ['c', 3],
      ['a', 4],
      ['d', 5],
    ],
  )
})

test('reading an entry of a bounded map does not keep it', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2)

  map.get('a')
  map.set('c', 3)

  assert.deepEqual([...map.keys()], ['b', 'c'])
})
