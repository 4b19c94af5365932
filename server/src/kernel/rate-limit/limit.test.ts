import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { buildRateLimitHeaders, perHour, perMinute, requireWithinLimit } from './limit.ts'

const LIMIT = perMinute('webhooks', 120)

test('a limit has a bucket, a number of requests and a window', () => {
  assert.deepEqual(LIMIT, { bucket: 'webhooks', requests: 120, windowSeconds: 60 })
  assert.deepEqual(perHour('sign-up', 5), { bucket: 'sign-up', requests: 5, windowSeconds: 3600 })
})

test('the last request within the limit passes, and the next is refused until the window ends', () => {
  requireWithinLimit(LIMIT, { used: 120, reset_seconds: 9 })

  assert.throws(
    () => requireWithinLimit(LIMIT, { used: 121, reset_seconds: 9 }),
    (err) => err instanceof AppError && err.code === 'RATE_LIMITED' && err.retryAfterSeconds === 9,
  )
})

test('Retry-After is at least one second', () => {
  for (const seconds of [0, -1]) {
    assert.throws(
      () => requireWithinLimit(LIMIT, { used: 121, reset_seconds: seconds }),
      (err) => err instanceof AppError && err.retryAfterSeconds === 1,
    )
  }
})

test('the headers contain the limit, the remaining requests and the seconds until the reset', {
  rules: ['limit.headers-show-the-window'],
}, () => {
  assert.deepEqual(buildRateLimitHeaders(LIMIT, { used: 1, reset_seconds: 60 }), {
    'RateLimit-Limit': '120',
    'RateLimit-Remaining': '119',
    'RateLimit-Reset': '60',
  })
})

test('the headers contain no negative number', () => {
  assert.deepEqual(buildRateLimitHeaders(LIMIT, { used: 121, reset_seconds: -2 }), {
    'RateLimit-Limit': '120',
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': '0',
  })
})
