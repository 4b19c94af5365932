import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createAttemptStarter } from './attempt-starter.ts'

const CLAIM_MAX = 256

/** A starter, the ids of what it has started, and how many it has released. */
function createStarter({ onStart = () => {} } = {}) {
  const started: string[] = []
  const released: string[] = []
  const starter = createAttemptStarter<{ id: string; claimedAt: number }>({
    start: ({ id }) => {
      started.push(id)
      onStart()
    },
    releaseLate: (late) => void released.push(...late.map(({ id }) => id)),
    claimMax: CLAIM_MAX,
  })
  function startAll(id: string, count: number, isDirect = false, claimedAt = performance.now() + 60_000): void {
    const attempts = Array.from({ length: count }, () => ({ id, claimedAt }))
    void starter.startAll(attempts, isDirect)
  }
  return { started, released, startAll, getClaimLimit: starter.getClaimLimit }
}

test('an attempt of a direct claim starts at once while a large claim is starting', {
  rules: ['fanout.claims-take-turns'],
}, async () => {
  const { started, startAll } = createStarter()

  startAll('claimed', 100)
  const before = started.length
  startAll('direct', 1, true)

  assert.ok(before > 0 && before < 100)
  assert.deepEqual(started.slice(before), ['direct'])
  while (started.length < 101) await nextTurn()
})

test('an iteration of the event loop starts only a few of many attempts of direct claims', {
  rules: ['fanout.claims-take-turns'],
}, async () => {
  const { started, startAll } = createStarter()
  startAll('claimed', 100)
  const before = started.length

  for (let claim = 0; claim < 40; claim++) startAll('direct', 2, true)
  const atOnce = started.length - before
  while (started.length < 180) await nextTurn()

  assert.equal(atOnce, before)
  assert.deepEqual(new Set(started.slice(before, before + 80)), new Set(['direct']))
})

test('no more are claimed than start in time beside those that wait, as fast as the last ones did', {
  rules: ['fanout.slow-worker-claims-fewer'],
}, async (t) => {
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const { started, startAll, getClaimLimit } = createStarter({
    onStart: () => {
      nowMs += 1
    },
  })
  const inTime = Number.POSITIVE_INFINITY

  startAll('first', 32, false, inTime)
  await nextTurn()
  const limits = [getClaimLimit()]
  startAll('next', 100, false, inTime)
  limits.push(getClaimLimit())
  while (started.length < 132) await nextTurn()
  limits.push(getClaimLimit())

  // 32 attempts took 32 ms, so 100 start in 100 ms; then 68 of 100 wait.
  assert.deepEqual(limits, [100, 32, 100])
})

test('after attempts that were too late fewer are claimed, and as many as before when the next ones are in time', {
  rules: ['fanout.slow-worker-claims-fewer'],
}, async () => {
  const { started, released, startAll, getClaimLimit } = createStarter()
  const limits = [getClaimLimit()]

  startAll('late', CLAIM_MAX, false, Number.NEGATIVE_INFINITY)
  while (released.length < CLAIM_MAX) await nextTurn()
  limits.push(getClaimLimit())
  for (let claims = 0; getClaimLimit() < CLAIM_MAX && claims < 100; claims++) {
    const count = started.length + getClaimLimit()
    startAll('in time', getClaimLimit())
    while (started.length < count) await nextTurn()
  }

  assert.deepEqual(limits, [CLAIM_MAX, 8])
  assert.equal(getClaimLimit(), CLAIM_MAX)
})
