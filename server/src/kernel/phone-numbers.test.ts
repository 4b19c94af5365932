import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSpellings } from './phone-numbers.ts'

test('a number is spelled as the upstream may write it', () => {
  const cases: [string, string[]][] = [
    ['5511976543210', ['5511976543210', '551176543210']],
    ['551176543210', ['551176543210', '5511976543210']],
    // A landline has no ninth digit.
    ['551133334444', ['551133334444']],
    ['5215512345678', ['5215512345678', '525512345678']],
    ['525512345678', ['525512345678', '5215512345678']],
    ['14155550123', ['14155550123']],
  ]

  for (const [digits, spellings] of cases) assert.deepEqual(listSpellings(digits), spellings, digits)
})
