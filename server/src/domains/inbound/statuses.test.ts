import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { AT, type InboundFixture, iso, readData, startInbound } from './test/fixture.ts'
import { buildStatus, buildText, PERSON, USER_ID } from './test/samples.ts'

const NO_TIMES = { sent_at: null, delivered_at: null, read_at: null, failed_at: null }
const PRICING = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
const ERROR = { code: 131047, title: 'Re-engagement message', message: 'm', error_data: { details: 'Over 24 hours' } }

/** Delivers statuses of one message, by default one second apart. */
function deliverStatuses(fixture: InboundFixture, wamid: string, ...statuses: [string, object?][]): Promise<void> {
  return fixture.deliverMessages({
    statuses: statuses.map(([status, more], i) => buildStatus(wamid, status, { timestamp: String(AT + i), ...more })),
  })
}

function pickProgress(line: { status: string } & Record<string, unknown>) {
  const { status, sent_at, delivered_at, read_at, failed_at } = line
  return { status, sent_at, delivered_at, read_at, failed_at }
}

for (const [status, logged, at] of [
  ['sent', 'sent', 'sent_at'],
  ['delivered', 'delivered', 'delivered_at'],
  ['read', 'read', 'read_at'],
  ['played', 'read', 'read_at'],
  ['failed', 'failed', 'failed_at'],
] as const) {
  test(`the status ${status} is logged with its time, and published with the upstream's status object`, {
    rules: [
      'message.played-counts-as-read',
      'event.statuses-become-message-status',
      'event.status-data-has-the-upstreams-object',
    ],
  }, async (t) => {
    const fixture = await startInbound(t)
    const { id, wamid } = await fixture.send()
    const reported = buildStatus(wamid, status, {
      recipient_user_id: USER_ID,
      biz_opaque_callback_data: id,
      conversation: { id: 'c' },
    })

    await fixture.deliverMessages({ contacts: [{ profile: { name: 'Ana' }, wa_id: PERSON }], statuses: [reported] })

    const [line, ...others] = await fixture.log()
    assert.deepEqual(others, [])
    assert.deepEqual(line && pickProgress(line), { ...NO_TIMES, status: logged, [at]: iso(AT) })
    assert.deepEqual([line?.id, line?.to, line?.type], [id, PERSON, 'text'])
    assert.equal(line?.contact?.name, 'Ana')
    const events = (await fixture.events()).filter(({ kind }) => kind === 'message.status')
    assert.deepEqual(readData(events), [{ message: line, statuses_detail: reported }])
    assert.equal(events[0]?.occurred_at, iso(AT))
  })
}

test('a failed message has the error, and loses it when it is delivered later', {
  rules: ['message.arrived-one-has-no-failure'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()

  await deliverStatuses(fixture, wamid, ['failed', { errors: [ERROR, { code: 1 }] }])
  const [failed] = await fixture.log()
  await deliverStatuses(fixture, wamid, ['delivered'])

  const error = { code: 131047, title: 'Re-engagement message', details: 'Over 24 hours' }
  assert.deepEqual([failed?.status, failed?.error], ['failed', error])
  const [line] = await fixture.log()
  assert.deepEqual([line?.status, line?.error, line?.failed_at], ['delivered', null, null])
})

test('the pricing of a message is that of the first status with pricing', async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()

  await deliverStatuses(fixture, wamid, ['sent', { pricing: PRICING }], ['delivered'], ['read', { pricing: PRICING }])

  const [line] = await fixture.log()
  assert.deepEqual(line?.pricing, PRICING)
  assert.deepEqual(
    readData(await fixture.events(), 'message.status').map(({ message }) => message.pricing),
    [PRICING, PRICING, PRICING],
  )
})

test('a failure in the older form of errors keeps its details', {
  rules: ['message.error-details-come-from-error-data'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()
  const path = `/messages/${encodeURIComponent(wamid)}/status`

  await fixture.up.simulator.control('POST', path, { status: 'failed', code: 131047, older_form: true })

  const [line] = await fixture.log()
  const error = { code: 131047, title: 'Re-engagement message', details: 'Ordered by the control API.' }
  assert.deepEqual(line?.error, error)
  const [event] = readData(await fixture.events(), 'message.status')
  assert.deepEqual([event?.message.error, event?.statuses_detail.errors[0].error_data], [error, undefined])
})

for (const reached of ['delivered', 'read', 'played']) {
  test(`a failure that is reported after ${reached} sets neither the error nor the time of a failure`, {
    rules: ['message.status-never-falls-back', 'message.arrived-one-has-no-failure'],
  }, async (t) => {
    const fixture = await startInbound(t)
    const { wamid } = await fixture.send()

    await deliverStatuses(fixture, wamid, [reached])
    const before = await fixture.log()
    await deliverStatuses(fixture, wamid, ['failed', { errors: [ERROR] }])

    assert.deepEqual(await fixture.log(), before)
    assert.equal(readData(await fixture.events(), 'message.status').at(-1)?.statuses_detail.status, 'failed')
  })
}

test('a late status never moves a message back, and sets its own time unless it is a failure', {
  rules: [
    'message.status-never-falls-back',
    'event.status-data-has-the-upstreams-object',
    'message.arrived-one-has-no-failure',
  ],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()

  for (const [seconds, status] of [
    ['3', 'read'],
    ['2', 'delivered'],
    ['1', 'sent'],
    ['4', 'failed'],
  ] as const) {
    await deliverStatuses(fixture, wamid, [status, { timestamp: String(AT + Number(seconds)) }])
  }

  const [line] = await fixture.log()
  assert.deepEqual(line && pickProgress(line), {
    status: 'read',
    sent_at: iso(AT + 1),
    delivered_at: iso(AT + 2),
    read_at: iso(AT + 3),
    failed_at: null,
  })
  const events = readData(await fixture.events(), 'message.status')
  assert.deepEqual(
    events.map(({ message, statuses_detail }) => [statuses_detail.status, message.status]),
    [
      ['read', 'read'],
      ['delivered', 'read'],
      ['sent', 'read'],
      ['failed', 'read'],
    ],
  )
})

test('a repeated status, in one change or in several, is applied once', {
  rules: ['event.status-has-its-effect-once'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()

  await deliverStatuses(fixture, wamid, ['delivered'], ['delivered'])
  await deliverStatuses(fixture, wamid, ['delivered', { timestamp: String(AT + 60), errors: [ERROR] }])

  const [line] = await fixture.log()
  assert.deepEqual([line?.delivered_at, line?.error], [iso(AT), null])
  assert.equal(readData(await fixture.events(), 'message.status').length, 1)
})

test('read and played are two events, and the earlier time counts', {
  rules: ['message.played-counts-as-read'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()

  await deliverStatuses(
    fixture,
    wamid,
    ['played', { timestamp: String(AT + 9) }],
    ['read', { timestamp: String(AT + 3) }],
  )

  const [line] = await fixture.log()
  assert.deepEqual([line?.status, line?.read_at], ['read', iso(AT + 3)])
  assert.equal(readData(await fixture.events(), 'message.status').length, 2)
})

test('a status of a message that the hub did not send creates a placeholder of type unknown', {
  rules: ['message.unknown-status-makes-a-placeholder'],
}, async (t) => {
  const fixture = await startInbound(t)

  await deliverStatuses(
    fixture,
    'wamid.foreign',
    ['delivered', { timestamp: String(AT + 9) }],
    ['sent', { timestamp: String(AT + 5) }],
  )

  const [line, ...others] = await fixture.log()
  assert.deepEqual(others, [])
  assert.deepEqual(line, {
    id: line?.id,
    channel_id: fixture.channel.id,
    direction: 'outbound',
    type: 'unknown',
    status: 'delivered',
    from: fixture.channel.digits,
    to: PERSON,
    contact: null,
    upstream_message_id: 'wamid.foreign',
    content: null,
    context: null,
    error: null,
    pricing: null,
    created_at: iso(AT + 5),
    sent_at: iso(AT + 5),
    delivered_at: iso(AT + 9),
    read_at: null,
    failed_at: null,
  })
  const events = await fixture.events()
  assert.equal(readData(events, 'message.status').length, 2)
  assert.deepEqual(readData(events, 'message.sent'), [])
})

test('an unknown status changes nothing, and is a raw event only', async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()

  await deliverStatuses(fixture, wamid, ['deleted'], ['constructor'], ['__proto__'])

  const [line] = await fixture.log()
  assert.equal(line?.status, 'accepted')
  assert.deepEqual(readData(await fixture.events(), 'message.status'), [])
  assert.equal((await fixture.rawEvents()).length, 1)
})

test('a status does not change an inbound message, in either order', async (t) => {
  const fixture = await startInbound(t)

  await deliverStatuses(fixture, 'wamid.a', ['read'])
  await fixture.deliverMessages({ messages: [buildText('wamid.a'), buildText('wamid.b')] })
  await deliverStatuses(fixture, 'wamid.b', ['read'])

  for (const line of await fixture.log()) {
    assert.deepEqual([line.direction, line.type, line.from], ['inbound', 'text', PERSON])
    assert.deepEqual(pickProgress(line), { ...NO_TIMES, status: 'received' })
  }
  assert.equal(readData(await fixture.events(), 'message.received').length, 2)
})

test('any status settles a send with an unknown outcome, with one message.sent', {
  rules: ['send.any-status-settles-unknown'],
}, async (t) => {
  const fixture = await startInbound(t)
  await fixture.fault('reset_after', '/messages')
  await assert.rejects(fixture.send(), /SEND_RESULT_UNKNOWN/)
  const [unknown] = await fixture.log()
  const opaque = { biz_opaque_callback_data: unknown?.id }

  await deliverStatuses(fixture, 'wamid.late', ['delivered', opaque])
  await deliverStatuses(fixture, 'wamid.late', ['read', opaque], ['sent', opaque])

  assert.equal(unknown?.status, 'unknown')
  const [line, ...others] = await fixture.log()
  assert.deepEqual([line?.id, line?.status, line?.upstream_message_id], [unknown?.id, 'read', 'wamid.late'])
  assert.deepEqual([line?.content, others], [{ body: 'Bom dia!' }, []])
  const kinds = (await fixture.events()).map(({ kind }) => kind).filter((kind) => kind.startsWith('message.'))
  assert.deepEqual(kinds, ['message.sent', 'message.status', 'message.status', 'message.status'])
})

for (const [which, statuses] of [
  ['first', ['sent', 'delivered']],
  ['last', ['delivered', 'sent']],
] as const) {
  test(`a send with an unknown outcome is settled if the ${which} of its statuses in a callback has its callback data`, {
    rules: ['send.unknown-outcome-is-409'],
  }, async (t) => {
    const { acme, channel, fault, log, deliverMessages } = await startInbound(t)
    await fault('reset_before', '/messages')
    const body = { to: '5511987654321', type: 'text', text: { body: 'Olá' } }
    const answer = await acme.post(`/api/v1/channels/${channel.id}/messages`, body, {
      headers: { 'idempotency-key': randomUUID() },
    })
    assert.equal(answer.body.error.code, 'SEND_RESULT_UNKNOWN')
    const id: string = answer.body.error.details.message_id

    await deliverMessages({
      statuses: statuses.map((status) =>
        buildStatus('wamid.X', status, status === 'sent' ? { biz_opaque_callback_data: id } : {}),
      ),
    })

    const entries = await log()
    assert.deepEqual(
      entries.map((entry) => [entry.id, entry.status, entry.upstream_message_id]),
      [[id, 'delivered', 'wamid.X']],
    )
  })
}
