import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatMessage, MessageEntry } from '@hubline/sdk/console'
import { noteTime } from './own-times.ts'
import { measurePath } from './path.ts'
import { readIdTime } from './rows.ts'

const ID = '01a1ead5-af16-7055-a80e-2642de34ac6a'
const WAMID = 'wamid.path'

function bubble(offsetMs: number): ChatMessage {
  return { id: WAMID, at: new Date(readIdTime(ID) + offsetMs).toISOString() } as ChatMessage
}

function message(direction: MessageEntry['direction']): MessageEntry {
  return { id: ID, direction, upstream_message_id: WAMID } as MessageEntry
}

test('the way of a customer leads over the upstream and the hub to the code', () => {
  noteTime(WAMID, 12)
  const path = measurePath({ message: message('inbound'), bubble: bubble(-40), journey: { toHub: 40, toCode: 25 } })

  assert.deepEqual(path, { direction: 'inbound', customer: 12, upstream: 40, code: 25 })
})

test('the way of a message of the business leads from the code to the upstream', () => {
  noteTime(ID, 7)
  const path = measurePath({ message: message('outbound'), bubble: bubble(30), journey: undefined })

  assert.deepEqual(path, { direction: 'outbound', customer: undefined, upstream: 30, code: 7 })
})

test('a part of which nothing is known has no time, and clocks that differ make none negative', () => {
  const unknown = measurePath({ message: message('inbound'), bubble: undefined, journey: undefined })
  const late = measurePath({ message: message('outbound'), bubble: bubble(-5), journey: undefined })

  assert.deepEqual([unknown.upstream, unknown.code], [undefined, undefined])
  assert.equal(late.upstream, 0)
})
