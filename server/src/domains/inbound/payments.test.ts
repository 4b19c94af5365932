import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startWithUpstream } from '../webhooks/test/fixture.ts'
import {
  AT,
  buildCallback,
  buildMessagesEntry,
  type InboundFixture,
  iso,
  readData,
  startInbound,
} from './test/fixture.ts'
import { buildStatus, buildText, PERSON } from './test/samples.ts'
import { assertAllAccepted, startTwoProcesses } from './test/two-processes.ts'

const PAYMENT = {
  reference_id: 'order-1042',
  amount: { value: 2500, offset: 100 },
  currency: 'BRL',
  transaction: { id: 'T-9001', type: 'pix', status: 'success' },
}
const ORDER = {
  type: 'interactive',
  interactive: {
    type: 'order_details',
    body: { text: 'Seu pedido' },
    action: {
      name: 'review_and_pay',
      parameters: { reference_id: 'order-7', currency: 'BRL', total_amount: { value: 990, offset: 100 } },
    },
  },
}

function buildPayment(wamid: string, status: string, more: object = {}) {
  return buildStatus(wamid, status, { type: 'payment', payment: PAYMENT, ...more })
}

async function listPayments(fixture: InboundFixture) {
  return readData(await fixture.events(), 'payment.status')
}

for (const status of ['pending', 'captured', 'failed']) {
  test(`a payment status ${status} is payment.status, and leaves its message as it is`, {
    rules: ['message.other-status-types-change-nothing', 'event.payment-status-has-the-payment'],
  }, async (t) => {
    const fixture = await startInbound(t)
    const { id, wamid } = await fixture.send()
    await fixture.deliverMessages({ statuses: [buildStatus(wamid, 'delivered')] })
    const before = await fixture.log()

    await fixture.deliverMessages({ statuses: [buildPayment(wamid, status, { biz_opaque_callback_data: id })] })

    assert.deepEqual(await fixture.log(), before)
    const events = await fixture.events()
    assert.deepEqual(readData(events, 'payment.status'), [
      { message_id: id, upstream_message_id: wamid, status, payment: PAYMENT },
    ])
    assert.equal(events.at(-1)?.occurred_at, iso(AT))
    assert.equal(readData(events, 'message.status').length, 1)
    assert.equal((await fixture.rawEvents()).length, 2)
  })
}

test('a payment status of an unknown message makes no entry in the log, and has no message_id', {
  rules: ['message.other-status-types-change-nothing', 'event.payment-status-has-the-payment'],
}, async (t) => {
  const fixture = await startInbound(t)

  await fixture.deliverMessages({ statuses: [buildPayment('wamid.foreign', 'captured', { payment: undefined })] })

  assert.deepEqual(await fixture.log(), [])
  assert.deepEqual(await listPayments(fixture), [
    { message_id: null, upstream_message_id: 'wamid.foreign', status: 'captured', payment: null },
  ])
})

test('a payment status does not settle a send with an unknown outcome', {
  rules: ['message.other-status-types-change-nothing'],
}, async (t) => {
  const fixture = await startInbound(t)
  await fixture.fault('reset_before', '/messages')
  await assert.rejects(fixture.send(), /SEND_RESULT_UNKNOWN/)
  const [unknown] = await fixture.log()

  const opaque = { biz_opaque_callback_data: unknown?.id }
  await fixture.deliverMessages({ statuses: [buildPayment('wamid.paid', 'captured', opaque)] })

  assert.deepEqual(
    (await fixture.log()).map(({ id, status }) => [id, status]),
    [[unknown?.id, 'unknown']],
  )
})

test('a payment of a message that arrives in the same callback has its message_id', {
  rules: ['event.payment-status-has-the-payment'],
}, async (t) => {
  const fixture = await startInbound(t)

  await fixture.deliverMessages({
    statuses: [buildPayment('wamid.app', 'pending'), buildStatus('wamid.app', 'sent')],
  })

  const [line] = await fixture.log()
  assert.deepEqual([line?.upstream_message_id, line?.status], ['wamid.app', 'sent'])
  assert.deepEqual(
    (await listPayments(fixture)).map(({ message_id }) => message_id),
    [line?.id],
  )
})

test('the same payment status in several changes is one event, and another status is another', {
  rules: ['event.status-has-its-effect-once'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()
  const captured = buildPayment(wamid, 'captured')

  await fixture.deliverMessages({ statuses: [buildPayment(wamid, 'pending'), captured, captured] })
  await fixture.deliverMessages({ messages: [buildText('wamid.in')], statuses: [captured] })
  await fixture.deliverMessages({ statuses: [buildPayment(wamid, 'failed'), buildStatus(wamid, 'failed')] })

  assert.deepEqual(
    (await listPayments(fixture)).map(({ status }) => status),
    ['pending', 'captured', 'failed'],
  )
  assert.equal((await fixture.log())[0]?.status, 'failed')
})

test('the same payment status at two processes at once is one event', {
  rules: ['event.status-has-its-effect-once'],
}, async (t) => {
  const fixture = await startTwoProcesses(t)
  const { wamid } = await fixture.send()
  // Each change has other bytes, so that only the status repeats.
  const bodies = Array.from({ length: 12 }, (_, i) =>
    buildCallback(
      buildMessagesEntry(fixture.channel, {
        statuses: [buildPayment(wamid, 'captured'), buildPayment(`wamid.${i}`, 'pending')],
      }),
    ),
  )

  assertAllAccepted(await fixture.postContending('seen_changes', bodies, 2))

  const statuses = (await listPayments(fixture)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 'captured').length, 1)
  assert.equal(statuses.length, 13)
})

test('a status of another type than message, such as a call, changes nothing', {
  rules: ['message.other-status-types-change-nothing'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()

  await fixture.deliverMessages({ statuses: [buildStatus(wamid, 'failed', { type: 'call' })] })
  await fixture.deliverMessages({ statuses: [buildStatus(wamid, 'delivered', { type: 'message' })] })

  const [line] = await fixture.log()
  assert.deepEqual([line?.status, line?.failed_at], ['delivered', null])
})

test('each member of a group has statuses of their own, and the same status of a member counts once', {
  rules: ['event.status-has-its-effect-once'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()
  const of = (member: string, seconds: number) =>
    buildStatus(wamid, 'delivered', {
      timestamp: String(AT + seconds),
      recipient_type: 'group',
      recipient_participant_id: member,
    })

  await fixture.deliverMessages({ statuses: [of('5511900000001', 9), of('5511900000002', 5)] })
  await fixture.deliverMessages({ statuses: [of('5511900000001', 60)] })

  const [line] = await fixture.log()
  assert.deepEqual([line?.status, line?.delivered_at], ['delivered', iso(AT + 5)])
  assert.deepEqual(
    readData(await fixture.events(), 'message.status').map(
      ({ statuses_detail }) => statuses_detail.recipient_participant_id,
    ),
    ['5511900000001', '5511900000002'],
  )
})

test('normalized endpoints of both formats that name payment.status, or no kind, receive it, and raw ones do not', {
  rules: ['event.further-kinds-reach-normalized-only'],
}, async (t) => {
  const { hub, up, acme, connect, endpoint, arrived } = await startWithUpstream(t)
  const { id: channelId } = await connect(acme)
  const named = await endpoint({ event_types: ['payment.status'], delivery_format: 'compat' })
  const every = await endpoint()
  const other = await endpoint({ event_types: ['message.status'] })
  const raw = await endpoint({ payload_mode: 'upstream_raw', event_types: ['payment.status', 'upstream.raw'] })
  const sent = await acme.post(
    `/api/v1/channels/${channelId}/messages`,
    { to: PERSON, ...ORDER },
    { headers: { 'idempotency-key': randomUUID() } },
  )
  assert.equal(sent.status, 202, sent.text)
  const { id, upstream_message_id: wamid } = sent.body.data.message

  await up.simulator.control('POST', `/messages/${encodeURIComponent(wamid)}/payment`, { status: 'captured' })
  await hub.deliver()

  const kinds = (of: { path: string }) => arrived(of).map((received) => JSON.parse(received.body.toString()))
  for (const receiver of [named, every]) {
    const [payment, ...more] = kinds(receiver).filter(({ event }) => event === 'payment.status')
    assert.deepEqual(more, [])
    assert.deepEqual(
      [payment.data.message_id, payment.data.upstream_message_id, payment.data.status],
      [id, wamid, 'captured'],
    )
    assert.deepEqual(
      [payment.data.payment.reference_id, payment.data.payment.amount, payment.data.payment.transaction.status],
      ['order-7', { value: 990, offset: 100 }, 'success'],
    )
  }
  assert.equal(arrived(named).length, 1)
  assert.deepEqual(
    kinds(other).filter(({ event }) => event === 'payment.status'),
    [],
  )
  const rawBodies = kinds(raw)
  assert.ok(rawBodies.every(({ object }) => object === 'whatsapp_business_account'))
  const statuses = rawBodies.flatMap(({ entry }) => entry[0].changes[0].value.statuses ?? [])
  assert.deepEqual(
    statuses.filter(({ type }: { type?: string }) => type === 'payment').map((s: { status: string }) => s.status),
    ['captured'],
  )
})
