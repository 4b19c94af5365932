import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ATTEMPTS_MAX, computeRetryWaitMs, RETRY_MS_MAX } from './retry-schedule.ts'

const WAITS_SECONDS = [5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400, 172_800]
const FAILED = WAITS_SECONDS.map((_wait, index) => index + 1)

function secondsAfter(attempts: number, random: number, retryAfter?: number | null): number {
  return (computeRetryWaitMs(attempts, random, retryAfter) ?? Number.NaN) / 1000
}

test('the waits are 5 s, 1 min, 5 min, 30 min, 2 h, 6 h, 12 h, 24 h and 48 h', {
  rules: ['delivery.waits-grow-over-four-days'],
}, () => {
  assert.deepEqual(
    FAILED.map((attempts) => secondsAfter(attempts, 0)),
    WAITS_SECONDS,
  )
})

test('jitter adds up to a tenth to each wait', { rules: ['delivery.waits-have-up-to-a-tenth-jitter'] }, () => {
  assert.deepEqual(
    FAILED.map((attempts) => secondsAfter(attempts, 1)),
    WAITS_SECONDS.map((wait) => wait + wait / 10),
  )
  assert.deepEqual(
    FAILED.map((attempts) => secondsAfter(attempts, 0.5)),
    WAITS_SECONDS.map((wait) => wait + wait / 20),
  )
})

test('ten attempts take about four days', { rules: ['delivery.waits-grow-over-four-days'] }, () => {
  const seconds = FAILED.reduce((sum, attempts) => sum + secondsAfter(attempts, 0), 0)

  assert.equal(seconds, ((3 * 24 + 20) * 60 + 36) * 60 + 5)
  assert.equal(ATTEMPTS_MAX, 10)
})

test('no wait follows the tenth failure, with or without Retry-After', () => {
  assert.equal(computeRetryWaitMs(10, 0), null)
  assert.equal(computeRetryWaitMs(10, 0.5, 60), null)
  assert.equal(computeRetryWaitMs(11, 0), null)
})

test('Retry-After lengthens a wait up to the following one', {
  rules: ['delivery.retry-after-lengthens-a-wait'],
}, () => {
  for (const attempts of FAILED.slice(0, -1)) {
    const [own = 0, next = 0] = WAITS_SECONDS.slice(attempts - 1)
    assert.equal(secondsAfter(attempts, 0, own + 1), own + 1)
    assert.equal(secondsAfter(attempts, 0, next), next)
    assert.equal(secondsAfter(attempts, 0, next + 1), next)
    assert.equal(secondsAfter(attempts, 1, next), next)
  }
})

test('Retry-After does not lengthen the last wait', { rules: ['delivery.retry-after-lengthens-a-wait'] }, () => {
  assert.equal(secondsAfter(9, 0, 400_000), 172_800)
})

test('a shorter Retry-After does not shorten a wait', () => {
  for (const attempts of FAILED) {
    for (const retryAfter of [null, undefined, 0, 1]) {
      assert.equal(secondsAfter(attempts, 0.3, retryAfter), secondsAfter(attempts, 0.3))
    }
  }
})

test('jitter applies to Retry-After', () => {
  assert.equal(secondsAfter(1, 0, 30), 30)
  assert.equal(secondsAfter(1, 1, 30), 33)
})

test('a wait is a whole number of milliseconds between the scheduled wait and the following one', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true })
  const retryAfter = fc.option(fc.nat({ max: 1_000_000 }))

  fc.assert(
    fc.property(fc.constantFrom(...FAILED), random, retryAfter, (attempts, drawn, requested) => {
      const wait = computeRetryWaitMs(attempts, drawn, requested) ?? Number.NaN
      const scheduled = (WAITS_SECONDS[attempts - 1] ?? 0) * 1000
      const next = (WAITS_SECONDS[attempts] ?? 0) * 1000
      assert.ok(Number.isInteger(wait) && wait >= scheduled && wait <= Math.max(scheduled * 1.1, next))
    }),
  )
})

test('an invalid number of attempts throws', () => {
  for (const attempts of [0, -1, 1.5, Number.NaN]) assert.throws(() => computeRetryWaitMs(attempts, 0), RangeError)
})

test('with the longest Retry-After and jitter, ten attempts take six days and an hour and a half', () => {
  const seconds = WAITS_SECONDS.slice(1).reduce((sum, wait) => sum + wait, 0) + 172_800 * 1.1

  assert.equal(RETRY_MS_MAX, seconds * 1000)
})
