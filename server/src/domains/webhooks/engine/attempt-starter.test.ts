import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAttemptStarter } from './attempt-starter.ts'

test('attempts of a direct claim start before those of claims that wait', { rules: ['FAN-11'] }, async () => {
  const started: string[] = []
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const starter = createAttemptStarter<{ id: string; claimedAt: number }>({
    start({ id }) {
      started.push(id)
      if (started.length === 101) resolve()
    },
    releaseLate: () => assert.fail('an attempt was late'),
  })
  const toAttempt = (id: string) => ({ id, claimedAt: performance.now() + 60_000 })

  void starter.startAll(
    Array.from({ length: 100 }, () => toAttempt('claimed')),
    false,
  )
  const before = started.length
  void starter.startAll([toAttempt('direct')], true)
  await ended

  assert.ok(before < 100)
  assert.equal(started.indexOf('direct'), before)
})
