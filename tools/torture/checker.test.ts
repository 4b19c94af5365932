import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { check, type History } from './checker.ts'

const SECRET = 'whsec_1'
const PATH = '/tenant-1/steady-0'
const WAMID = 'wamid.1'
const PERSON = '5511910000001'

// biome-ignore lint/suspicious/noExplicitAny: lines of ledgers have any shape
type Line = any

/** An arrival of an event, as the receiver's ledger has it. */
function arrive(event: Line, changes: Line = {}): Line {
  const raw = Buffer.from(JSON.stringify(event))
  const deliveryId = changes.deliveryId ?? `delivery of ${event.id}`
  const signature = `sha256=${createHmac('sha256', SECRET).update(`1.${deliveryId}.`).update(raw).digest('hex')}`
  const headers = { deliveryId, timestamp: '1', version: 'v2', signature }
  return { at: 30, path: PATH, ...headers, body: raw.toString('base64'), isTaken: true, result: 'ok', ...changes }
}

const message = (status = 'read') => ({ id: 'm1', upstream_message_id: WAMID, status, direction: 'outbound' })
const event = (kind: string, changes: Line = {}) => ({
  id: kind,
  event: kind,
  data: { message: message(), ...changes },
})

/** A tenant sent one message, whose status `read` was reported, and a customer wrote one. Nothing is wrong. */
function buildHistory(): History {
  const accepted = { data: { message: { id: 'm1', upstream_message_id: WAMID } } }
  const inbound = { id: 'm2', upstream_message_id: 'wamid.2', status: 'received', direction: 'inbound' }
  const received = { ...event('message.received'), data: { message: { upstream_message_id: 'wamid.2' } } }
  const webhook = { data: { webhook: { id: 'e1' }, secret: SECRET } }
  const updates = [
    { id: WAMID, status: 'read', phone: '1' },
    { id: 'wamid.2', status: null, phone: '1' },
  ]
  const sends = { tenant: 'tenant-1', key: 'torture-1', status: 202, answer: accepted }
  return {
    calls: [
      { kind: 'connect a channel', tenant: 'tenant-1', from: 1, at: 2, phone: '1', status: 200 },
      { kind: 'create an endpoint', tenant: 'tenant-1', from: 3, at: 4, path: PATH, status: 201, answer: webhook },
      { kind: 'send', from: 10, at: 20, ...sends },
      { kind: 'final send', from: 50, at: 60, ...sends },
      {
        kind: 'final log',
        tenant: 'tenant-1',
        from: 70,
        at: 80,
        status: 200,
        answer: { data: { messages: [message(), inbound] } },
      },
      {
        kind: 'final usage',
        tenant: 'tenant-1',
        from: 80,
        at: 90,
        status: 200,
        answer: { data: { usage: { messages_sent: 1 } } },
      },
    ],
    upstream: [
      { entry: 'message', at: 15, phone: '1', text: 'tenant-1 torture-1', opaque: 'm1', wamid: WAMID, isTaken: true },
      { entry: 'inbound', at: 20, phone: '1', id: 'wamid.2', text: 'tenant-1 inbound-1' },
      { entry: 'callback', from: 20, at: 25, status: 200, updates },
    ],
    receivers: [
      arrive(event('message.sent')),
      arrive(event('message.status', { statuses_detail: { status: 'read' } })),
      arrive(received),
    ],
  }
}

function findRules(change: (history: History) => void): string[] {
  const history = buildHistory()
  change(history)
  return check(history).findings.map(({ verdict, rule }) => `${verdict}: ${rule}`)
}

const find = (lines: Line[], kind: string): Line => lines.find((line) => line.kind === kind || line.entry === kind)

/** The customer, whose message was acknowledged, is erased. */
function erase({ calls, upstream }: History, status: 'running' | 'done'): void {
  const erasure = { id: 'x1', status }
  find(upstream, 'inbound').person = PERSON
  calls.push(
    {
      kind: 'erase a person',
      tenant: 'tenant-1',
      person: PERSON,
      from: 60,
      at: 61,
      status: 202,
      answer: { data: { erasure } },
    },
    {
      kind: 'show an erasure',
      tenant: 'tenant-1',
      erasure: 'x1',
      from: 70,
      at: 71,
      status: 200,
      answer: { data: { erasure } },
    },
  )
}

/** The tenant has set one additional connection of its plan, which the provider charged. */
function subscribe({ calls, upstream }: History, changed: Line = {}): void {
  const paid = { hubline_starter_monthly: 1, hubline_connection_monthly: 1 }
  const subscription = { plan: 'starter', addons: 1 }
  const request = { tenant: 'tenant-1', from: 60, at: 61, plan: 'plan-1' }
  calls.push(
    { ...request, kind: 'set additional connections', status: 0, answer: null },
    { ...request, kind: 'set additional connections', status: 201, answer: { data: { addons: { total: 1 } } } },
    {
      kind: 'final subscription',
      tenant: 'tenant-1',
      organization: 'o1',
      from: 90,
      at: 91,
      status: 200,
      answer: { data: { subscription } },
    },
  )
  upstream.push({ entry: 'subscription', organization: 'o1', paid, changes: 1, ...changed })
}

const show = (from: number, delivery: Line): Line => ({
  kind: 'show a delivery',
  tenant: 'tenant-1',
  endpoint: 'e1',
  from,
  at: from,
  status: 200,
  answer: { data: { delivery } },
})

test('the checker finds nothing in a history in which nothing is wrong', () => {
  assert.deepEqual(
    findRules(() => undefined),
    [],
  )
})

const BROKEN: Record<string, (history: History) => void> = {
  'lost: a key sends at most once': ({ upstream }) => upstream.push(find(upstream, 'message')),
  'lost: a 202 was sent': ({ upstream }) => {
    find(upstream, 'message').isTaken = false
  },
  'lost: a repeat gets the same 202': ({ calls }) => {
    find(calls, 'final send').answer = { data: { message: { id: 'm9', upstream_message_id: WAMID } } }
  },
  'lost: a 202 stays': ({ calls }) => {
    const answer = { error: { code: 'SEND_RESULT_UNKNOWN' } }
    calls.push({ ...find(calls, 'send'), from: 30, at: 40, status: 409, answer })
  },
  'lost: a 202 names the message that was sent': ({ upstream }) => {
    find(upstream, 'message').opaque = 'm9'
  },
  'late: a key is settled': ({ calls }) =>
    Object.assign(find(calls, 'final send'), { status: 409, answer: { error: { code: 'OPERATION_IN_PROGRESS' } } }),
  'lost: a key is settled as the ledger says': ({ calls }) =>
    Object.assign(find(calls, 'final send'), { status: 409, answer: { error: { code: 'SEND_RESULT_UNKNOWN' } } }),
  'lost: a 202 is in the log': ({ calls }) => find(calls, 'final log').answer.data.messages.shift(),
  'lost: an acknowledged callback is in the log once': ({ calls }) =>
    find(calls, 'final log').answer.data.messages.pop(),
  'lost: a message stays with its tenant': ({ calls }) => {
    find(calls, 'final log').tenant = 'tenant-2'
  },
  'lost: a status is recorded': ({ calls }) => {
    find(calls, 'final log').answer.data.messages[0].status = 'delivered'
  },
  'lost: a message keeps its direction': ({ calls }) => {
    find(calls, 'final log').answer.data.messages[1].direction = 'outbound'
  },
  'lost: a status never falls': ({ calls }) =>
    calls.push(
      { kind: 'read the log', tenant: 'tenant-1', from: 30, at: 31, answer: { data: { messages: [message('read')] } } },
      { kind: 'read the log', tenant: 'tenant-1', from: 40, at: 41, answer: { data: { messages: [message('sent')] } } },
    ),
  'lost: a delivery is signed': ({ receivers }) => {
    receivers[0].signature = 'sha256=00'
  },
  'lost: a delivery has at most ten attempts': ({ receivers }) => receivers.push(...Array(10).fill(receivers[0])),
  'lost: a delivery is one event for one endpoint': ({ receivers }) =>
    receivers.push(arrive(event('phone.quality'), { deliveryId: receivers[0].deliveryId })),
  'lost: a final state never changes': ({ calls, receivers }) => {
    const id = receivers[0].deliveryId
    calls.push(show(40, { id, status: 'dead', attempts: 1 }), show(50, { id, status: 'retry', attempts: 1 }))
  },
  'lost: a success arrived': ({ calls }) => calls.push(show(40, { id: 'd9', status: 'succeeded', attempts: 1 })),
  'lost: an event is recorded once': ({ receivers }) =>
    receivers.push(arrive({ ...event('message.sent'), id: 'again' })),
  'lost: an event reaches its endpoints': ({ receivers }) => receivers.pop(),
  'late: an event reaches its endpoints': ({ calls, receivers }) => {
    receivers.pop()
    calls.push(show(40, { id: 'd9', status: 'retry', attempts: 1 }))
  },
  'lost: tenants are apart': ({ calls, receivers }) => {
    calls.push({ kind: 'connect a channel', tenant: 'tenant-2', from: 1, at: 2, phone: '2', status: 200 })
    receivers.push(arrive({ id: 'x', event: 'webhook.test', data: { text: 'tenant-2 key-9' } }))
  },
  'lost: a revoked key is refused': ({ calls }) =>
    calls.push(
      { kind: 'revoke a key', tenant: 'tenant-1', apiKey: 'k', from: 30, at: 31, status: 200 },
      { kind: 'use a key', tenant: 'tenant-1', apiKey: 'k', from: 40, at: 41, status: 200 },
    ),
  'late: an erasure is done': (history) => erase(history, 'running'),
  'lost: an erased person is gone': (history) => {
    erase(history, 'done')
    Object.assign(find(history.calls, 'final log').answer.data.messages[1], { from: PERSON })
  },
  'lost: usage equals the log': ({ calls }) => {
    find(calls, 'final usage').answer.data.usage.messages_sent = 2
  },
  'lost: a plan is what is paid': (history) => subscribe(history, { paid: { hubline_pro_monthly: 1 } }),
  'lost: a key is charged once': (history) => subscribe(history, { changes: 2 }),
}

for (const [expected, change] of Object.entries(BROKEN)) {
  test(`the checker finds "${expected}"`, () => {
    const found = findRules(change)

    assert.ok(found.includes(expected), JSON.stringify(found))
  })
}

test('the events of a person who was erased are not expected, nor is what an endpoint does not want', () => {
  const erased = findRules((history) => {
    erase(history, 'done')
    history.receivers.pop()
  })
  const unwanted = findRules(({ calls, receivers }) => {
    find(calls, 'create an endpoint').eventTypes = ['message.sent', 'message.status']
    receivers.pop()
  })

  assert.deepEqual([erased, unwanted], [[], []])
})

test('a plan that was paid, with a key that was repeated without an answer, is as it must be', () => {
  assert.deepEqual(findRules(subscribe), [])
})

test('an event of a callback that was posted before its endpoint was created is not expected', () => {
  const found = findRules(({ upstream, receivers }) => {
    upstream.push({ ...find(upstream, 'callback'), from: 2, at: 3, status: 0 })
    receivers.splice(1)
  })

  assert.deepEqual(found, [])
})

test('of two rotations of a secret at the same time either may be the last', () => {
  const rotation = { kind: 'rotate a secret', tenant: 'tenant-1', endpoint: 'e1', from: 5, status: 200 }
  const rotate = (secrets: string[], changes: Line = {}) =>
    findRules(({ calls, receivers }) => {
      calls.push(...secrets.map((secret, n) => ({ ...rotation, at: 6 + n, answer: { data: { secret } }, ...changes })))
      for (const arrival of receivers) arrival.at += 60_000
    })

  assert.deepEqual(rotate([SECRET, 'whsec_2']), [])
  assert.deepEqual(rotate(['whsec_2', SECRET]), [])
  assert.ok(rotate(['whsec_2']).includes('lost: a delivery is signed'))
  assert.deepEqual(rotate([''], { status: 0, answer: null }), [])
})

test('an event within a pause of its endpoint is not expected', () => {
  const found = findRules(({ calls, receivers }) => {
    receivers.pop()
    calls.push({
      kind: 'set an endpoint',
      tenant: 'tenant-1',
      endpoint: 'e1',
      to: 'paused',
      from: 15,
      at: 16,
      status: 200,
    })
  })

  assert.deepEqual(found, [])
})
