import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlaces } from './places.ts'

const FULL = { code: 'RATE_LIMITED', retryAfterSeconds: 5, message: /There may be 2 downloads under way at once/ }

test('an owner has so many places, and another has as many', () => {
  const places = createPlaces(2, 'downloads')
  places.take('a')
  places.take('a')

  assert.throws(() => places.take('a'), FULL)
  places.take('b')
  places.take('b')
  assert.throws(() => places.take('b'), FULL)
})

test('a place that was given back is free, and giving it back twice frees no other', () => {
  const places = createPlaces(2, 'downloads')
  const first = places.take('a')
  places.take('a')

  first[Symbol.dispose]()
  first[Symbol.dispose]()
  places.take('a')

  assert.throws(() => places.take('a'), FULL)
})
