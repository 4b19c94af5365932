import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDateRange, toTimes, writeDays } from './date-range.ts'

const NOW = new Date(2026, 10, 17, 14, 30)

test('a named period ends now or at midnight of the reader', () => {
  assert.deepEqual(toTimes('24h', NOW), { since: new Date(2026, 10, 16, 14, 30).toISOString() })
  assert.deepEqual(toTimes('today', NOW), { since: new Date(2026, 10, 17).toISOString() })
  assert.deepEqual(toTimes('yesterday', NOW), {
    since: new Date(2026, 10, 16).toISOString(),
    until: new Date(2026, 10, 17).toISOString(),
  })
})

test('the last of two days counts as a whole, and either may be left out', () => {
  assert.deepEqual(toTimes(writeDays('2026-10-30', '2026-10-31'), NOW), {
    since: new Date(2026, 9, 30).toISOString(),
    until: new Date(2026, 10, 1).toISOString(),
  })
  assert.deepEqual(toTimes(writeDays(undefined, '2026-12-31'), NOW), { until: new Date(2027, 0, 1).toISOString() })
  assert.equal(writeDays(undefined, undefined), undefined)
})

test('an address with something else has no range', () => {
  for (const value of ['..', 'tomorrow', '2026-13-40..', 7, undefined]) assert.equal(parseDateRange(value), undefined)
  assert.equal(parseDateRange('2026-11-01..'), '2026-11-01..')
})
