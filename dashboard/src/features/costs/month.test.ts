import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMonth, projectMonth, toMonthName } from './month.ts'
import { parseCostsSearch } from './search.ts'

test('a month has all of its days in UTC, and those that have begun', () => {
  const november = describeMonth('2026-11', new Date('2026-11-18T23:59:59Z'))

  assert.deepEqual([november.since, november.until, november.begun], ['2026-11-01', '2026-12-01', 18])
  assert.deepEqual([november.days.length, november.days[0], november.days.at(-1)], [30, '2026-11-01', '2026-11-30'])
  assert.equal(describeMonth('2028-02', new Date('2028-03-01T00:00:00Z')).begun, 29)
  assert.equal(describeMonth('2026-12', new Date('2026-11-30T23:59:59Z')).begun, 0)
})

test('the pace of a month is that of its days so far, and only of a month that runs', () => {
  const now = new Date('2026-11-18T12:00:00Z')

  assert.equal(projectMonth(9113, describeMonth('2026-11', now)), (9113 / 18) * 30)
  assert.equal(projectMonth(9113, describeMonth('2026-10', now)), null)
  assert.equal(projectMonth(0, describeMonth('2026-12', now)), null)
})

test('the month before January is December', () => {
  assert.deepEqual(
    [toMonthName(new Date('2026-01-31T12:00:00Z')), toMonthName(new Date('2026-01-31T12:00:00Z'), 1)],
    ['2026-01', '2025-12'],
  )
})

test('an address with something else than a month or a channel shows the current month of all channels', () => {
  assert.deepEqual(parseCostsSearch({ month: '2026-13', channel_id: 'x' }), {})
  assert.deepEqual(parseCostsSearch({ month: '2026-11' }), { month: '2026-11' })
})
