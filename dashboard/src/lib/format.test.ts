import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Language } from '@hubline/locales/languages.ts'
import fc from 'fast-check'
import { setReader } from '../../test/reader.ts'
import {
  formatAge,
  formatBytes,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatLongMoment,
  formatMoment,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPhone,
  formatTimeLeft,
  formatUtc,
  shortenId,
} from './format.ts'

/** Spaces that do not break look like others. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}

/** Each value in English and in Brazilian Portuguese. */
function assertWritten<Value>(
  t: TestContext,
  write: (value: Value) => string,
  rows: readonly (readonly [Value, string, string])[],
): void {
  for (const [position, language] of (['en', 'pt-BR'] satisfies Language[]).entries()) {
    setReader(t, { language })
    for (const row of rows) assert.equal(plain(write(row[0])), row[position + 1], `${row[0]} in ${language}`)
  }
}

test('numbers have the separators of the language', (t) => {
  assertWritten(t, formatNumber, [
    [0, '0', '0'],
    [-1234.5, '-1,234.5', '-1.234,5'],
    [1_000_000, '1,000,000', '1.000.000'],
  ])
})

test('a share has one decimal, and two above 99.9%', (t) => {
  assertWritten(t, formatPercent, [
    [0, '0%', '0%'],
    [0.5, '50%', '50%'],
    [1 / 3, '33.3%', '33,3%'],
    [0.9985, '99.9%', '99,9%'],
    [0.9994, '99.94%', '99,94%'],
    [1, '100%', '100%'],
  ])
})

test('only the whole is 100%', (t) => {
  setReader(t, {})
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (ratio) => {
      assert.equal(formatPercent(ratio) === '100%', ratio === 1)
    }),
    { examples: [[0.99996], [0.999999], [1 - Number.EPSILON / 2]] },
  )
})

test('an amount is in the smallest unit of its currency, which not every currency divides by a hundred', (t) => {
  const rows = [
    [4900, 'brl', 'R$49.00', 'R$ 49,00'],
    [-1050, 'usd', '-$10.50', '-US$ 10,50'],
    [123_456_789, 'eur', '€1,234,567.89', '€ 1.234.567,89'],
    [500, 'jpy', '¥500', 'JP¥ 500'],
    [1500, 'kwd', 'KWD 1.500', 'KWD 1,500'],
    [0, 'brl', 'R$0.00', 'R$ 0,00'],
  ] as const
  for (const [cents, currency, english, portuguese] of rows) {
    assertWritten(t, (value: number) => formatMoney(value, currency), [[cents, english, portuguese]])
  }
})

test('a moment is written in the time zone of the device, with 24 hours', (t) => {
  const at = '2026-11-17T02:05:09.042Z'
  setReader(t, { timeZone: 'America/Sao_Paulo', now: '2026-11-17T12:00:00Z' })
  assert.equal(formatClock(at), '23:05:09')
  assert.equal(formatClock(at, 'minute'), '23:05')
  assert.equal(formatClock(at, 'millisecond'), '23:05:09.042')
  assert.equal(formatDay(at), 'Nov 16')
  assert.equal(formatClock('2026-11-17T03:00:00Z'), '00:00:00')

  setReader(t, { timeZone: 'Asia/Tokyo', language: 'pt-BR' })
  assert.equal(formatClock(at, 'millisecond'), '11:05:09,042')
  assert.equal(formatDay(at), '17 de nov.')
})

test('a moment of today has no day, and one of another year has its year', (t) => {
  setReader(t, { timeZone: 'America/Sao_Paulo', now: '2026-11-17T12:00:00Z' })
  assert.equal(formatMoment('2026-11-17T03:00:00Z'), '00:00')
  assert.equal(formatMoment('2026-11-17T03:00:00Z', 'second'), '00:00:00')
  assert.equal(formatMoment('2026-11-17T02:59:00Z'), 'Nov 16 23:59')
  assert.equal(formatMoment('2026-11-18T03:00:00Z'), 'Nov 18 00:00')
  assert.equal(formatMoment('2025-11-17T12:00:00Z'), 'Nov 17, 2025 09:00')
})

test('a day has its year by the time zone in which it is written', (t) => {
  setReader(t, { timeZone: 'UTC', now: '2027-01-05T12:00:00Z' })
  assert.equal(formatDay('2027-01-01T01:00:00Z', { timeZone: 'America/Sao_Paulo' }), 'Dec 31, 2026')

  setReader(t, { timeZone: 'America/Sao_Paulo' })
  assert.equal(formatDay('2027-01-01', { timeZone: 'UTC' }), 'Jan 1')
})

test('a moment that matters has its year', (t) => {
  assertWritten(t, formatLongMoment, [
    ['2026-11-24T14:05:00Z', 'November 24, 2026 at 2:05 PM', '24 de novembro de 2026 às 14:05'],
  ])
})

test('a moment in UTC is to the millisecond, in every time zone of the device', (t) => {
  setReader(t, { timeZone: 'Asia/Kolkata' })
  assert.equal(formatUtc('2026-11-24T14:05:00.5+05:30'), '2026-11-24 08:35:00.500 UTC')
})

test('a length of time has the separators of the language and international symbols', (t) => {
  assertWritten(t, formatDuration, [
    [-5, '< 1 ms', '< 1 ms'],
    [0, '< 1 ms', '< 1 ms'],
    [12, '12 ms', '12 ms'],
    [1500, '1.5 s', '1,5 s'],
    [90 * 60_000, '1 h 30 min', '1 h 30 min'],
    [1234 * 86_400_000, '1,234 d', '1.234 d'],
  ])
})

test('an age is whole seconds in the first minute, then whole minutes, and never less than a second', (t) => {
  assertWritten(t, formatAge, [
    [-60_000, '1 s', '1 s'],
    [0, '1 s', '1 s'],
    [59_999, '59 s', '59 s'],
    [60_000, '1 min', '1 min'],
    [119_999, '1 min', '1 min'],
    [3_599_999, '59 min', '59 min'],
    [90 * 60_000 + 59_000, '1 h 30 min', '1 h 30 min'],
  ])
})

test('the remaining time is never shown as less than it is', (t) => {
  assertWritten(t, formatTimeLeft, [
    [1, '1 s', '1 s'],
    [1001, '2 s', '2 s'],
    [59_001, '1 min', '1 min'],
    [60_000, '1 min', '1 min'],
  ])
})

test('a size is written in the largest unit that it fills', (t) => {
  assertWritten(t, formatBytes, [
    [0, '0 bytes', '0 byte'],
    [1, '1 byte', '1 byte'],
    [999, '999 bytes', '999 bytes'],
    [1000, '1 kB', '1 kB'],
    [1550, '1.6 kB', '1,6 kB'],
    [999_940, '999.9 kB', '999,9 kB'],
    [999_950, '1 MB', '1 MB'],
    [16_000_000, '16 MB', '16 MB'],
    [1_234_567_890, '1,234.6 MB', '1.234,6 MB'],
  ])
})

test('a Brazilian number has its area, and any other number a plus', () => {
  const rows = [
    ['5511955500199', '+55 11 95550-0199'],
    ['+55 (11) 95550-0199', '+55 11 95550-0199'],
    ['551133334444', '+55 11 3333-4444'],
    ['55119555001990', '+55119555001990'],
    ['14155550199', '+14155550199'],
    ['', ''],
    ['hidden', 'hidden'],
  ]
  for (const [phone, written] of rows) assert.equal(formatPhone(phone!), written)
})

test('a number that is written keeps all its digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,15}$/), (phone) => {
      assert.equal(formatPhone(phone).replaceAll(/\D/g, ''), phone)
      assert.equal(formatPhone(formatPhone(phone)), formatPhone(phone))
    }),
  )
})

test('an id is shortened only if that makes it shorter', () => {
  assert.equal(shortenId('01a1e042-6c20-7b93-a4d8-f15e02c97b46'), '01a1e042…7b46')
  assert.equal(shortenId('0123456789abcdef'), '0123456789abcdef')
})

test('a count that stops at a limit says that there may be more', (t) => {
  setReader(t, {})
  assert.deepEqual(
    [0, 999, 1000].map((count) => formatCount(count, 1000)),
    ['0', '999', '1,000+'],
  )
})
