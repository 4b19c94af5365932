import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RETRY_FOR_MS, retryWaitMs } from './retry-schedule.ts'

test('waits never shrink, and the last attempt is within a week of the event', () => {
  const waits: number[] = []
  let age = 0
  for (let wait = retryWaitMs(1, age); wait !== undefined; wait = retryWaitMs(waits.length + 1, age)) {
    waits.push(wait)
    age += wait
  }

  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  )
  assert.ok(age <= RETRY_FOR_MS)
  assert.ok(age > RETRY_FOR_MS - 86_400_000)
})
