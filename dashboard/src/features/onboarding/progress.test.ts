import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey, Channel, Inspector, MessageEntry, Webhook } from '@hubline/sdk/console'
import { chooseChannel, isDone, type RefusedDelivery, STEPS, summarizeProgress } from './progress.ts'

type Recorded = Parameters<typeof summarizeProgress>[0]

const CHANNEL = {
  id: 'c',
  status: 'active',
  phone_number_id: '109',
  display_phone_number: '+55 11 95550-0199',
} as Channel
const NOTHING: Recorded = {
  channel: undefined,
  keys: [],
  endpoints: [],
  listeners: [],
  outbound: [],
  inbound: [],
  deliveries: [],
}

function delivery(id: string, more: Partial<RefusedDelivery>): RefusedDelivery {
  const base = { id, event: 'message.received', status: 'pending', last_error_code: null, delivered_at: null }
  return { ...base, created_at: `created ${id}`, webhookId: 'w', isHeld: false, ...more } as RefusedDelivery
}

function message(status: string, created_at = '2026-11-17T12:00:00Z'): MessageEntry {
  return { status, created_at } as MessageEntry
}

function listDone(recorded: Partial<Recorded>, inspector?: Inspector): string[] {
  const progress = { ...summarizeProgress({ ...NOTHING, ...recorded }), inspector }
  return STEPS.filter((step) => isDone(step, progress))
}

test('an inspector is a webhook endpoint, and what it gets is not received by the own code', () => {
  const inspector = { requests: [{ event: 'message.received', http_status: 200 }] } as Inspector

  assert.deepEqual(listDone({}, inspector), ['webhook'])
})

test('each step is done by what the hub has recorded, and by nothing else', () => {
  const pending = { ...CHANNEL, status: 'pending' } as Channel
  const rows: [Partial<Recorded>, string[]][] = [
    [{}, []],
    [{ channel: { ...CHANNEL, phone_number_id: null } }, ['create']],
    [{ channel: pending }, ['create']],
    [{ channel: CHANNEL }, ['create', 'connect']],
    [{ outbound: [message('failed'), message('unknown'), message('sending')] }, []],
    [{ outbound: [message('failed'), message('accepted')] }, ['send']],
    [{ endpoints: [{ id: 'w' } as Webhook] }, ['webhook']],
    [{ listeners: [{ created_at: '2026-11-17T11:00:00Z' }] }, ['webhook']],
    [{ deliveries: [delivery('1', { status: 'succeeded', event: 'webhook.test' })] }, []],
    [{ deliveries: [delivery('1', { status: 'retry' })] }, []],
    [{ deliveries: [delivery('1', { status: 'succeeded' })] }, ['receive']],
    [{ inbound: [message('received')] }, []],
  ]
  for (const [recorded, done] of rows) assert.deepEqual(listDone(recorded), done, JSON.stringify(recorded))
})

test('a listener has received a message only if the message came after it', () => {
  const listeners = [{ created_at: '2026-11-17T11:00:00Z' }]

  assert.deepEqual(listDone({ listeners, inbound: [message('received', '2026-11-17T10:59:59Z')] }), ['webhook'])
  assert.deepEqual(listDone({ listeners, inbound: [message('received', '2026-11-17T11:00:01Z')] }), [
    'webhook',
    'receive',
  ])
})

test('the newest delivery decides, whichever endpoint it is of', () => {
  const deliveries = [
    delivery('1', { status: 'succeeded', delivered_at: 'first' }),
    delivery('3', { status: 'succeeded', delivered_at: 'third', last_error_code: 'TIMEOUT' }),
    delivery('2', { status: 'dead', last_error_code: 'DNS_FAILED' }),
    delivery('4', { event: 'message.sent', last_error_code: 'TLS_FAILED' }),
  ]

  const { receivedAt, refused } = summarizeProgress({ ...NOTHING, deliveries })

  assert.equal(receivedAt, 'third')
  assert.equal(refused?.id, '3')
})

test('the steps are about a channel with a number, if there is one', () => {
  const pending = { ...CHANNEL, id: 'p', status: 'pending' } as Channel
  const empty = { ...CHANNEL, id: 'e', phone_number_id: null } as Channel

  assert.equal(chooseChannel([pending, CHANNEL, empty])?.id, 'c')
  assert.equal(chooseChannel([pending, empty])?.id, 'e')
  assert.equal(chooseChannel([]), undefined)
})

test('a key of the first steps is the active one of its name', () => {
  const keys = [
    { id: '1', name: 'first-key', status: 'revoked' },
    { id: '2', name: 'erp', status: 'active' },
    { id: '3', name: 'first-key', status: 'active' },
  ] as ApiKey[]

  assert.equal(summarizeProgress({ ...NOTHING, keys }).key?.id, '3')
})
