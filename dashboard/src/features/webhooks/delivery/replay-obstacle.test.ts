import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findReplayObstacle } from './replay-obstacle.ts'

const ACTIVE = { status: 'active', payload_mode: 'normalized' } as const
const ENDED = { status: 'dead', event: 'message.received' } as const

test('a delivery that has ended can be replayed to an active endpoint', () => {
  for (const status of ['succeeded', 'dead', 'canceled'] as const) {
    assert.equal(findReplayObstacle(ACTIVE, { ...ENDED, status }, { gone: null }), undefined)
  }
  assert.equal(findReplayObstacle(ACTIVE, ENDED, undefined), undefined)
})

test('each obstacle to a replay has its reason, and the one that never ends comes first', () => {
  assert.equal(findReplayObstacle(ACTIVE, { ...ENDED, status: 'retry' }, { gone: null }), 'open')
  assert.equal(findReplayObstacle({ ...ACTIVE, status: 'paused' }, ENDED, { gone: null }), 'inactive')
  assert.equal(findReplayObstacle({ ...ACTIVE, payload_mode: 'upstream_raw' }, ENDED, { gone: null }), 'mode')
  assert.equal(findReplayObstacle({ ...ACTIVE, status: 'paused' }, ENDED, { gone: 'erased' }), 'erased')
  assert.equal(findReplayObstacle(ACTIVE, ENDED, { gone: 'past_retention' }), 'past_retention')
})
