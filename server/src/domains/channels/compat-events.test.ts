import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMPAT_EVENTS, type CompatEvent, toEventTypes } from './compat-events.ts'

const MEANT: [CompatEvent[] | undefined, string[]][] = [
  [['channel_connected'], ['channel.connected']],
  [['channel_disconnected'], ['channel.disconnected', 'channel.degraded']],
  [['channel_auto_imported'], ['channel.created']],
  [['event_received'], ['upstream.raw']],
  [['event_received', 'event_received'], ['upstream.raw']],
  [undefined, []],
  [[], []],
]

for (const [named, kinds] of MEANT) {
  test(`${named ? JSON.stringify(named) : 'nothing'} stands for ${JSON.stringify(kinds)}`, () => {
    assert.deepEqual(toEventTypes(named), kinds)
  })
}

test('all names together stand for every kind that they stand for alone', () => {
  assert.deepEqual(
    new Set(toEventTypes(COMPAT_EVENTS)),
    new Set(['channel.connected', 'channel.disconnected', 'channel.degraded', 'channel.created', 'upstream.raw']),
  )
})
