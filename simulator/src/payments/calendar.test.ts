import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cycleEndAfter } from './calendar.ts'
import type { Interval } from './objects/catalogue.ts'

const second = (text: string) => Date.parse(`${text}Z`) / 1_000

test('a cycle ends on the day of its anchor, or on the last day of a month that has no such day', () => {
  const cases: [anchor: string, interval: Interval, count: number, at: string, end: string][] = [
    ['2026-11-15T12:00:00', 'month', 1, '2026-11-15T12:00:00', '2026-12-15T12:00:00'],
    ['2026-11-15T12:00:00', 'month', 1, '2026-12-15T12:00:00', '2027-01-15T12:00:00'],
    ['2027-01-31T23:59:59', 'month', 1, '2027-01-31T23:59:59', '2027-02-28T23:59:59'],
    ['2027-01-31T23:59:59', 'month', 1, '2027-02-28T23:59:59', '2027-03-31T23:59:59'],
    ['2028-01-30T00:00:00', 'month', 1, '2028-01-30T00:00:00', '2028-02-29T00:00:00'],
    ['2028-02-29T06:00:00', 'year', 1, '2028-02-29T06:00:00', '2029-02-28T06:00:00'],
    ['2026-11-15T12:00:00', 'month', 3, '2026-11-15T12:00:00', '2027-02-15T12:00:00'],
    ['2026-11-15T12:00:00', 'week', 2, '2026-11-15T12:00:00', '2026-11-29T12:00:00'],
    ['2026-11-15T12:00:00', 'day', 1, '2026-11-17T13:00:00', '2026-11-18T12:00:00'],
  ]

  for (const [anchor, interval, interval_count, at, end] of cases) {
    const found = cycleEndAfter(second(anchor), { interval, interval_count }, second(at))
    assert.equal(new Date(found * 1_000).toISOString(), `${end}.000Z`, `${anchor} every ${interval_count} ${interval}`)
  }
})
