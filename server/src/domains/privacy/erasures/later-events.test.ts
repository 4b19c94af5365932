import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMessagesEntry } from '../../inbound/test/fixture.ts'
import { buildText, CONTACT, NAME, OTHER, OTHER_CONTACT, startErasures, TYPED, USER_ID, WA_ID } from './test/fixture.ts'

type Fixture = Awaited<ReturnType<typeof startErasures>>

/** Returns the stored events and callbacks of the channel as text. */
async function readStored({ sql, channel }: Pick<Fixture, 'sql' | 'channel'>): Promise<string[]> {
  const rows = await sql<{ body: string }[]>`
    select encode(body, 'escape') as body from events where channel_id = ${channel.id}
    union all
    select encode(body, 'escape') from callbacks where position(${Buffer.from(channel.number.phoneNumberId)} in body) > 0`
  return rows.map(({ body }) => body)
}

function assertForgotten(stored: string[]): void {
  for (const text of [TYPED, WA_ID, USER_ID, NAME]) {
    assert.deepEqual(
      stored.filter((body) => body.includes(text)),
      [],
      text,
    )
  }
}

test('a delivery of what the person wrote after the request stays open', {
  rules: ['erasure.later-messages-stay'],
}, async (t) => {
  const { hub, channel, deliver, endpoint, receiver, request, finish, log } = await startErasures(t)
  const failing = await endpoint({ event_types: ['message.received'] })
  receiver.answer(500)
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  await hub.deliver()
  const erasure = await request({ phone: TYPED })
  await hub.clock.advance('1 minute')
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  await hub.deliver()

  const done = await finish(erasure)

  const statuses = (await log(failing)).map(({ status }) => status)
  assert.deepEqual([statuses, done.counts.deliveries_canceled], [['retry', 'canceled'], 1])
})

test('the events of a message that has a status between the request and its erasure are deleted', {
  rules: ['erasure.later-messages-stay'],
}, async (t) => {
  const { hub, channel, deliver, send, sql, request, finish } = await startErasures(t)
  const { wamid } = await send({ to: TYPED, type: 'text', text: { body: 'segredo' } })
  const erasure = await request({ phone: TYPED })
  await hub.clock.advance('1 minute')
  const status = { id: wamid, status: 'delivered', timestamp: '1790000009', recipient_id: WA_ID }
  await deliver(
    buildMessagesEntry(channel, { statuses: [status] }),
    buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }),
  )

  await finish(erasure)
  await deliver(buildMessagesEntry(channel, { statuses: [{ ...status, status: 'read' }] }))

  const rows = await sql<{ kind: string; body: string }[]>`
    select kind, encode(body, 'escape') as body
    from events
    where channel_id = ${channel.id} and kind like 'message.%'
    order by id`
  assert.deepEqual(
    rows.map(({ kind, body }) => [kind, body.includes(TYPED), body.includes('"name":"Zuleica Canary"')]),
    [
      ['message.received', false, true],
      ['message.status', false, false],
    ],
  )
})

test('a number that another organization has by now keeps nothing of the person from before', {
  rules: ['erasure.removes-every-trace', 'erasure.touches-no-other-organization'],
}, async (t) => {
  const { hub, acme, channel, deliver, erase, sql } = await startErasures(t)
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  await acme.delete(`/api/v1/channels/${channel.id}`)
  await hub.clock.advance('1 hour')
  const next = await hub.organization()
  const { number } = channel
  const { id } = (await next.post('/api/v1/channels', { name: 'Outra' })).body.data.channel
  const connection = { access_token: number.accessToken, waba_id: number.wabaId, phone_number_id: number.phoneNumberId }
  const connected = await next.post(`/api/v1/channels/${id}/connection`, connection)
  assert.equal(connected.status, 200, connected.text)
  const theirs = buildText(WA_ID)
  await hub.clock.advance('1 second')
  await deliver(buildMessagesEntry(channel, { messages: [theirs] }))

  const { counts } = await erase({ phone: TYPED })

  const rows = await sql<{ body: string }[]>`
    select encode(body, 'escape') as body from callbacks where position(${Buffer.from(number.phoneNumberId)} in body) > 0`
  assert.equal(counts.callbacks, 1)
  assert.deepEqual(
    rows.filter(({ body }) => body.includes(WA_ID)).map(({ body }) => body.includes(theirs.id)),
    [true],
  )
})

test('statuses of an erased message are stored without the recipient, in events and in the callback', {
  rules: ['erasure.late-arrivals-have-no-person'],
}, async (t) => {
  const fixture = await startErasures(t)
  const { channel, deliver, send, erase } = fixture
  const { id, wamid } = await send({ to: TYPED, type: 'text', text: { body: 'segredo' } })
  await erase({ phone: TYPED })
  const status = { id: wamid, timestamp: '1790000009', recipient_id: WA_ID, recipient_user_id: USER_ID }
  const conversation = { id: 'c1', origin: { type: 'service' } }
  const error = { code: 131026, title: `to ${TYPED}`, message: WA_ID, error_data: { details: `not ${WA_ID}` } }
  const other = { id: 'wamid.other', status: 'read', timestamp: '1790000010', recipient_id: OTHER }

  await deliver(
    buildMessagesEntry(channel, {
      contacts: [CONTACT, OTHER_CONTACT],
      statuses: [{ ...status, status: 'sent', conversation }, other],
    }),
    buildMessagesEntry(channel, { statuses: [{ ...status, status: 'failed', errors: [error] }] }),
  )

  const stored = await readStored(fixture)
  assertForgotten(stored)
  const shared = stored.filter((body) => body.includes('"sent"') && body.includes(OTHER))
  assert.equal(shared.length, 2, 'the raw event and the callback have the status of the other one')
  for (const body of shared)
    assert.ok(body.includes(wamid) && body.includes('Bruno Outro') && body.includes('"c1"'), body)
  const [row] = await fixture.sql`select recipient, error from messages where id = ${id}`
  assert.deepEqual({ ...row }, { recipient: null, error: { code: 131026, title: null, details: null } })
  const failed = stored.find((body) => body.includes('"statuses_detail"') && body.includes('"failed"'))
  assert.deepEqual(JSON.parse(failed ?? '').data.statuses_detail, {
    id: wamid,
    timestamp: '1790000009',
    status: 'failed',
    errors: [{ code: 131026 }],
  })
})

test('a callback that the upstream repeats after the erasure does not bring the person back', {
  rules: ['erasure.late-arrivals-have-no-person'],
}, async (t) => {
  const fixture = await startErasures(t)
  const { channel, deliver, erase } = fixture
  const [text, others] = [buildText(WA_ID), buildText(OTHER)]
  const repeated = buildMessagesEntry(channel, { messages: [text, others], contacts: [CONTACT, OTHER_CONTACT] })
  await deliver(repeated)
  await erase({ phone: TYPED })

  await deliver(repeated)
  await deliver(buildMessagesEntry(channel, { messages: [text], contacts: [CONTACT] }))

  const stored = await readStored(fixture)
  assertForgotten(stored)
  assert.ok(!stored.join().includes(text.text.body))
  assert.equal(stored.filter((body) => body.includes(others.text.body) && body.includes('"entry"')).length, 3)
})

test('a message that an erased person writes later is stored as it came', {
  rules: ['erasure.later-messages-stay'],
}, async (t) => {
  const fixture = await startErasures(t)
  const { channel, deliver, send, erase } = fixture
  const { wamid } = await send({ to: TYPED, type: 'text', text: { body: 'segredo' } })
  await erase({ phone: TYPED })
  const text = buildText(WA_ID)
  const status = { id: wamid, status: 'read', timestamp: '1790000009', recipient_id: WA_ID }

  await deliver(buildMessagesEntry(channel, { contacts: [CONTACT], messages: [text], statuses: [status] }))

  const stored = (await readStored(fixture)).filter((body) => body.includes('"entry"'))
  assert.equal(stored.length, 2)
  for (const body of stored)
    assert.ok(body.includes(text.text.body) && body.includes(NAME) && !body.includes('recipient_id'))
})

test('a payment of an erased message is published without the payment, and kept without the recipient', {
  rules: ['erasure.covers-payments'],
}, async (t) => {
  const fixture = await startErasures(t)
  const { hub, channel, deliver, send, sql, request, finish } = fixture
  const { id, wamid } = await send({ to: TYPED, type: 'text', text: { body: 'segredo' } })
  await finish(await request({ phone: TYPED }))
  await hub.clock.advance('1 minute')
  const payment = { reference_id: 'order-1', payer: { name: NAME, phone: WA_ID } }
  const status = {
    id: wamid,
    type: 'payment',
    status: 'captured',
    timestamp: '1790000009',
    recipient_id: WA_ID,
    payment,
  }

  await deliver(buildMessagesEntry(channel, { statuses: [status] }))
  await deliver(buildMessagesEntry(channel, { contacts: [], statuses: [status] }))

  assertForgotten(await readStored(fixture))
  const events = await sql<{ data: object }[]>`
    select convert_from(body, 'UTF8')::json -> 'data' as data
    from events
    where channel_id = ${channel.id}
      and kind = 'payment.status'`
  assert.deepEqual(
    events.map(({ data }) => data),
    [{ message_id: id, upstream_message_id: wamid, status: 'captured', payment: null }],
  )
})
