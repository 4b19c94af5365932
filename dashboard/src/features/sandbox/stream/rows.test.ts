import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatMessage, MessageEntry } from '@hubline/sdk/console'
import { type EndpointDelivery, listRows, readIdTime } from './rows.ts'

const ID = '01a1ead5-af16-7055-a80e-2642de34ac6a'
const AT = readIdTime(ID)
const WAMID = 'wamid.1'

function toText(offsetMs: number): string {
  return new Date(AT + offsetMs).toISOString()
}

const NO_TIMES = { sent_at: null, delivered_at: null, read_at: null, failed_at: null }
const OUTBOUND = { id: ID, direction: 'outbound', upstream_message_id: WAMID, ...NO_TIMES } as MessageEntry
const BUBBLE = { id: WAMID, from: 'business', at: toText(30) } as ChatMessage
const DELIVERY_ID = '01a1ead5-af34-7055-a80e-2642de34ac6a'
const DELIVERY = { id: DELIVERY_ID, delivered_at: null, endpoint: { id: 'e', name: 'loja-demo' } }

test('reports in whole seconds stand after the call that they report on, in their order', () => {
  const second = new Date(Math.floor(AT / 1000) * 1000).toISOString()
  const log = [{ ...OUTBOUND, sent_at: second, delivered_at: second }]

  const rows = listRows({ chat: [BUBBLE], log, deliveries: [DELIVERY as never], links: new Map() }, 'all')

  assert.deepEqual(
    rows.map(({ key }) => key),
    [`delivered-${ID}`, `sent-${ID}`, `delivery-${DELIVERY_ID}`, `upstream-${WAMID}`, `message-${ID}`],
  )
})

test('a message that the upstream refused at once has no callback', () => {
  const log = [{ ...OUTBOUND, upstream_message_id: null, failed_at: toText(10) }]

  const rows = listRows({ chat: [], log, deliveries: [], links: new Map() }, 'all')

  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['api'],
  )
})

test("a customer's message is a row of the phone, and its callback a row of the hub", () => {
  const chat = [{ ...BUBBLE, from: 'customer', at: toText(-5) } as ChatMessage]
  const log = [{ ...OUTBOUND, direction: 'inbound' } as MessageEntry]

  const rows = listRows({ chat, log, deliveries: [], links: new Map() }, 'all')
  const callbacks = listRows({ chat, log, deliveries: [], links: new Map() }, 'callbacks')

  assert.deepEqual(
    rows.map(({ kind, wamid }) => [kind, wamid]),
    [
      ['callback', WAMID],
      ['phone', WAMID],
    ],
  )
  assert.deepEqual(
    callbacks.map(({ kind }) => kind),
    ['callback'],
  )
})

test('a delivery belongs to the bubble of its message, and knows how long the way took', () => {
  const bubble = { ...BUBBLE, from: 'customer', at: toText(-40) } as ChatMessage
  const log = [{ ...OUTBOUND, direction: 'inbound' } as MessageEntry]
  const delivery = { ...DELIVERY, event: 'message.received', delivered_at: toText(25) } as EndpointDelivery

  const [row] = listRows(
    { chat: [bubble], log, deliveries: [delivery], links: new Map([[DELIVERY_ID, ID]]) },
    'deliveries',
  )

  assert.ok(row?.kind === 'delivery')
  assert.equal(row.wamid, WAMID)
  assert.deepEqual(row.journey, { toHub: 40, toCode: 25 })
})
