import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const FULL = {
  code: 'RATE_LIMITED',
  retryAfterSeconds: 5,
  message: /At most 2 downloads of an organization may be in flight at once/,
}

test('each owner has a limit of its own', () => {
  const concurrency = createConcurrencyLimit(2, 'downloads_in_flight')
  concurrency.acquire('a')
  concurrency.acquire('a')

  assert.throws(() => concurrency.acquire('a'), FULL)
  concurrency.acquire('b')
  concurrency.acquire('b')
  assert.throws(() => concurrency.acquire('b'), FULL)
})

test('a released operation frees one slot, and releasing it twice frees no other', () => {
  const concurrency = createConcurrencyLimit(2, 'downloads_in_flight')
  const first = concurrency.acquire('a')
  concurrency.acquire('a')

  first[Symbol.dispose]()
  first[Symbol.dispose]()
  concurrency.acquire('a')

  assert.throws(() => concurrency.acquire('a'), FULL)
})

test('all owners share the total, and each refusal has the time of the limit', () => {
  const concurrency = createConcurrencyLimit(2, 'lists_in_flight', { totalMax: 3, retrySeconds: 1 })
  const first = concurrency.acquire('a')
  concurrency.acquire('a')
  concurrency.acquire('b')

  assert.throws(() => concurrency.acquire('a'), { code: 'RATE_LIMITED', retryAfterSeconds: 1, message: /At most 2/ })
  assert.throws(() => concurrency.acquire('c'), { code: 'RATE_LIMITED', retryAfterSeconds: 1, message: /in the hub/ })
  first[Symbol.dispose]()
  concurrency.acquire('c')
})
