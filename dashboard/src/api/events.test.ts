import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Webhook } from '@hubline/sdk'
import { EVENT_GROUPS, EVENT_KINDS, findSample, isEventKind, isInMode, isSubscribed } from './events.ts'

test('every kind stands in one group', () => {
  for (const kind of EVENT_KINDS) assert.equal(EVENT_GROUPS.filter(({ has }) => has(kind)).length, 1, kind)
})

test('names that every object has are no kinds', () => {
  for (const name of ['constructor', 'toString', '__proto__', '', undefined, 7]) assert.ok(!isEventKind(name))
  for (const kind of EVENT_KINDS) assert.ok(isEventKind(kind))
})

test('an endpoint gets normalized events or the raw payload, and events of its channels and tests in both modes', () => {
  for (const kind of EVENT_KINDS) {
    assert.equal(isInMode(kind, 'normalized'), kind !== 'upstream.raw', kind)
    const isRaw = kind === 'upstream.raw' || kind === 'webhook.test' || kind.startsWith('channel.')
    assert.equal(isInMode(kind, 'upstream_raw'), isRaw, kind)
  }
})

test('an endpoint is subscribed while it is active, to all kinds or to those that it names', () => {
  const every = { status: 'active', events: [], payload_mode: 'normalized' } as unknown as Webhook
  const some = { ...every, events: ['message.received'] } as Webhook

  assert.ok(isSubscribed(every, 'message.status'))
  assert.ok(!isSubscribed(every, 'upstream.raw'))
  assert.ok(isSubscribed(some, 'message.received'))
  assert.ok(!isSubscribed(some, 'message.status'))
  assert.ok(!isSubscribed({ ...some, status: 'paused' }, 'message.received'))
  assert.ok(!isSubscribed({ ...some, payload_mode: 'upstream_raw' }, 'message.received'))
})

test('every kind has a sample in both formats, and only the connection of a channel has another one in compat', () => {
  const differing = EVENT_KINDS.filter((kind) => {
    assert.ok(findSample(kind, 'native') !== undefined, kind)
    return findSample(kind, 'native') !== findSample(kind, 'compat')
  })

  assert.ok(differing.length > 0)
  assert.ok(differing.every((kind) => kind.startsWith('channel.')))
})
