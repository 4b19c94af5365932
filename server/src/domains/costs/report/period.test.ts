import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePeriod } from './period.ts'

test('a day that does not exist is refused, alone and with a time', {
  rules: ['cost.period-is-at-most-400-days'],
}, () => {
  for (const since of ['2026-02-30', '2026-02-30T00:00:00Z', '\0', '2026-02-01T99:00:00Z']) {
    assert.throws(
      () => parsePeriod({ since, until: '2026-03-05' }, new Date('2026-03-10')),
      { code: 'INVALID_REQUEST' },
      since,
    )
  }
  assert.equal(
    parsePeriod({ since: '2026-02-28T23:30:00-03:00', until: '2026-03-05' }, new Date('2026-03-10')).since,
    '2026-03-01',
  )
})
