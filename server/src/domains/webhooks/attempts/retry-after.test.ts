import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRetryAfter } from './retry-after.ts'

const NOW = new Date('2026-03-01T12:00:00.500Z')
const TWO_DAYS = 172_800

const VALID: [header: string, seconds: number][] = [
  ['0', 0],
  ['120', 120],
  [' 7 ', 7],
  ['007', 7],
  ['172800', TWO_DAYS],
  ['172801', TWO_DAYS],
  ['9'.repeat(400), TWO_DAYS],
  ['Sun, 01 Mar 2026 12:00:31 GMT', 31],
  ['Sun, 01 Mar 2026 12:00:00 GMT', 0],
  ['Sun, 01 Mar 2020 12:00:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', TWO_DAYS],
  ['Sunday, 01-Mar-26 12:01:00 GMT', 60],
  ['Sun Mar  1 12:02:00 2026', 120],
]

const INVALID = [
  '',
  '-5',
  '1.5',
  '1e3',
  '0x10',
  '10s',
  '5, 10',
  'soon',
  '2026-03-01T12:01:00Z',
  'Sun, 01 Mar 2026 12:01:00',
  'Sun, 99 Mar 2026 12:01:00 GMT',
  'Sun, 01 Mar 2026 12:01:00 +0100',
]

for (const [header, seconds] of VALID) {
  test(`Retry-After "${header.slice(0, 40)}" is ${seconds} s`, () => {
    assert.equal(parseRetryAfter(header, NOW), seconds)
  })
}

test('an invalid Retry-After is null', () => {
  assert.deepEqual(
    INVALID.filter((header) => parseRetryAfter(header, NOW) !== null),
    [],
  )
})
