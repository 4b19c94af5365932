import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startDeadline } from './deadline.ts'

function stopClock(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return (ms: number) => t.mock.timers.tick(ms)
}

test('a deadline aborts after its time with a timeout as the reason', (t) => {
  const tick = stopClock(t)
  using deadline = startDeadline(100)

  tick(99)
  assert.equal(deadline.signal.aborted, false)
  tick(1)
  assert.equal(deadline.signal.aborted, true)
  assert.match(String(deadline.signal.reason), /No response within 100 ms/)
})

test('an extension restarts the wait, up to the ceiling', (t) => {
  const tick = stopClock(t)
  using deadline = startDeadline(100, 250)

  tick(90)
  deadline.extend()
  tick(90)
  deadline.extend()
  assert.equal(deadline.signal.aborted, false)
  tick(69)
  assert.equal(deadline.signal.aborted, false)
  tick(1)
  assert.equal(deadline.signal.aborted, true)
})

test('a disposed deadline never aborts, even if it is extended afterwards', (t) => {
  const tick = stopClock(t)
  const deadline = startDeadline(100, 200)
  deadline[Symbol.dispose]()
  deadline.extend()

  tick(1_000)

  assert.equal(deadline.signal.aborted, false)
})
