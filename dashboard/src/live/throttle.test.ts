import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { throttle } from './throttle.ts'

/** A throttled function whose runs end when the test says so. */
function startThrottle(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const runs: PromiseWithResolvers<void>[] = []
  const throttled = throttle(400, () => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { ...throttled, runs, settle, pass: (ms: number) => t.mock.timers.tick(ms) }
}

test('many calls lead to one run', (t) => {
  const { call, pass, runs } = startThrottle(t)

  call()
  call()
  pass(399)
  call()
  assert.equal(runs.length, 0)
  pass(1)

  assert.equal(runs.length, 1)
})

test('calls during a run lead to one more run after it, also where it failed', async (t) => {
  const { call, pass, runs, settle } = startThrottle(t)
  call()
  pass(400)

  call()
  call()
  pass(10_000)
  assert.equal(runs.length, 1)
  runs[0]?.reject(new Error('The hub did not answer.'))
  await settle()
  pass(400)
  assert.equal(runs.length, 2)

  runs[1]?.resolve()
  await settle()
  pass(10_000)
  assert.equal(runs.length, 2)
})

test('a canceled call does not run, and neither does one during a run', async (t) => {
  const { call, cancel, pass, runs, settle } = startThrottle(t)

  call()
  cancel()
  pass(400)
  assert.equal(runs.length, 0)

  call()
  pass(400)
  call()
  cancel()
  runs[0]?.resolve()
  await settle()
  pass(400)
  assert.equal(runs.length, 1)
})
