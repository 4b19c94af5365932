import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextWaitMs } from '../../outbox.ts'
import { RETRY_SCHEDULE } from './retry-schedule.ts'

test('retry waits never shrink, and the last attempt is within a week of the update', () => {
  const waits: number[] = []
  let age = 0
  for (;;) {
    const wait = nextWaitMs(RETRY_SCHEDULE, waits.length + 1, age)
    if (wait === undefined) break
    waits.push(wait)
    age += wait
  }

  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  )
  assert.ok(age <= RETRY_SCHEDULE.giveUpAfterMs)
  assert.ok(age > RETRY_SCHEDULE.giveUpAfterMs - 86_400_000)
})
