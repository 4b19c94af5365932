import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitDuration } from './duration.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function write(ms: number): string {
  return splitDuration(ms)
    .map(({ count, unit }) => `${count} ${unit}`)
    .join(' ')
}

test('a length of time has two units at most, and no second one that is zero', () => {
  assert.equal(write(1.5 * HOUR), '1 h 30 min')
  assert.equal(write(2 * HOUR), '2 h')
  assert.equal(write(3 * MINUTE + 20 * SECOND), '3 min 20 s')
  assert.equal(write(2 * DAY + 3 * HOUR + 40 * MINUTE), '2 d 4 h')
  assert.equal(write(400 * DAY), '400 d')
  assert.equal(write(Number.POSITIVE_INFINITY), 'Infinity d')
})

test('a length that rounds up to the next unit is written in it', () => {
  assert.equal(write(0.4), '0 ms')
  assert.equal(write(999.4), '999 ms')
  assert.equal(write(999.6), '1 s')
  assert.equal(write(9949), '9.9 s')
  assert.equal(write(9960), '10 s')
  assert.equal(write(59.4 * SECOND), '59 s')
  assert.equal(write(59.6 * SECOND), '1 min')
  assert.equal(write(3599 * SECOND), '59 min 59 s')
  assert.equal(write(3599.6 * SECOND), '1 h')
  assert.equal(write(HOUR + 59 * MINUTE + 31 * SECOND), '2 h')
  assert.equal(write(DAY - 1 * MINUTE), '23 h 59 min')
  assert.equal(write(DAY - 1 * SECOND), '1 d')
  assert.equal(write(DAY), '1 d')
  assert.equal(write(2 * DAY - MINUTE), '2 d')
})
