import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { setReader } from '../../test/reader.ts'
import { findEnd, parseDateRange, readDays, toTimes, writeDays, writeMoments } from './date-range.ts'

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

test('a range of moments is taken as it is, and may have no end or no beginning', () => {
  const [since, until] = ['2026-11-18T07:02:48.123Z', '2026-11-18T07:10:00.000Z']

  assert.deepEqual(toTimes(parseDateRange(writeMoments(since, until)), NOW), { since, until })
  assert.deepEqual(toTimes(parseDateRange(writeMoments(since, null)), NOW), { since })
  assert.deepEqual(toTimes(parseDateRange(writeMoments(null, until)), NOW), { until })
  assert.equal(parseDateRange(writeMoments(until, since)), undefined)
  assert.equal(parseDateRange('2026-13-18T07:02:48.123Z..'), undefined)
})

test('a day ends at midnight of the reader, and a minute when the next one begins', (t) => {
  setReader(t, { timeZone: 'America/Sao_Paulo' })

  assert.equal(findEnd('2026-11-17', '').toISOString(), '2026-11-18T03:00:00.000Z')
  assert.equal(findEnd('2026-11-17', '14:30').toISOString(), '2026-11-17T17:31:00.000Z')
})

test('an address with something else has no range', () => {
  for (const value of ['..', 'tomorrow', '2026-13-40..', '2026-02-31..', 7, undefined])
    assert.equal(parseDateRange(value), undefined)
  assert.equal(parseDateRange('2026-11-01..'), '2026-11-01..')
})

test('a range of days is read as it was written', () => {
  const days = fc
    .option(fc.date({ min: new Date('0001-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }), {
      nil: undefined,
    })
    .map((date) => date?.toISOString().slice(0, 10))
  fc.assert(
    fc.property(days, days, (from, to) => {
      assert.deepEqual(readDays(writeDays(from, to)), { from, to })
      assert.equal(parseDateRange(writeDays(from, to)), writeDays(from, to))
    }),
  )
})

test('a range begins and ends at midnight of the device, also on days of 23 and 25 hours', (t) => {
  const rows = [
    ['America/Sao_Paulo', '2026-11-01', '2026-11-01T03:00:00.000Z', '2026-11-02T03:00:00.000Z'],
    ['Asia/Tokyo', '2026-11-01', '2026-10-31T15:00:00.000Z', '2026-11-01T15:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['UTC', '2028-02-29', '2028-02-29T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    ['UTC', '0050-06-01', '0050-06-01T00:00:00.000Z', '0050-06-02T00:00:00.000Z'],
  ] as const
  for (const [timeZone, day, since, until] of rows) {
    setReader(t, { timeZone })
    assert.deepEqual(toTimes(writeDays(day, day), NOW), { since, until }, timeZone)
  }
})

test('a period in days has that many times 24 hours', (t) => {
  setReader(t, { timeZone: 'America/New_York' })
  const now = new Date('2026-11-05T12:00:00.000Z')

  assert.deepEqual(toTimes('7d', now), { since: '2026-10-29T12:00:00.000Z' })
  assert.deepEqual(toTimes('30d', now), { since: '2026-10-06T12:00:00.000Z' })
  assert.deepEqual(toTimes(undefined, now), {})
})
