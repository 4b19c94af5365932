import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../../test/receiver.ts'
import { buildEnv, createRequests } from '../webhooks/test/fixture.ts'
import { AT, buildEntry, buildMetadata, type InboundFixture, iso, readData, startInbound } from './test/fixture.ts'
import { buildText, CONTACT, PERSON } from './test/samples.ts'

const PLACE = { phase: 1, chunk_order: 1, progress: 55 }

async function setImport({ channel, acme }: InboundFixture, import_history: string): Promise<void> {
  const answer = await acme.patch(`/api/v1/channels/${channel.id}`, { import_history })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.data.channel.import_history, import_history)
}

async function deliverHistory({ channel, deliver }: InboundFixture, members: object): Promise<void> {
  await deliver(buildEntry(channel, 'history', { ...buildMetadata(channel), ...members }))
}

function buildOld(id: string, more: object = {}) {
  return buildText(id, { history_context: { status: 'READ' }, ...more })
}

test('the history of a channel that imports it is history.message by contact, and neither logged nor counted', {
  rules: ['event.history-is-published-on-request'],
}, async (t) => {
  const fixture = await startInbound(t)
  await setImport(fixture, 'events')
  const { digits } = fixture.channel
  const sent = buildOld('wamid.2', { from: digits, to: PERSON, timestamp: String(AT + 60) })
  const file = buildOld('wamid.3', {
    type: 'media_placeholder',
    text: undefined,
    history_context: { status: 'PENDING' },
  })
  const other = { id: '5511900000001', messages: [buildOld('wamid.4', { from: '5511900000001' })] }

  await deliverHistory(fixture, {
    contacts: [CONTACT],
    history: [{ metadata: PLACE, threads: [{ id: PERSON, messages: [buildOld('wamid.1'), sent, file, {}] }, other] }],
  })

  const [first, second, ...more] = readData(await fixture.events(), 'history.message')
  assert.deepEqual(more, [])
  const members = { context: null, error: null }
  assert.deepEqual(first, {
    contact: { name: 'Ana Souza', user_id: CONTACT.user_id, wa_id: PERSON },
    messages: [
      {
        upstream_message_id: 'wamid.1',
        direction: 'inbound',
        type: 'text',
        status: 'read',
        from: PERSON,
        to: null,
        content: { body: 'Bom dia!' },
        ...members,
        created_at: iso(AT),
      },
      {
        upstream_message_id: 'wamid.2',
        direction: 'outbound',
        type: 'text',
        status: 'read',
        from: digits,
        to: PERSON,
        content: { body: 'Bom dia!' },
        ...members,
        created_at: iso(AT + 60),
      },
      {
        upstream_message_id: 'wamid.3',
        direction: 'inbound',
        type: 'media_placeholder',
        status: 'pending',
        from: PERSON,
        to: null,
        content: null,
        ...members,
        created_at: iso(AT),
      },
    ],
    phase: 1,
    progress: 55,
  })
  assert.deepEqual(second.contact, { name: null, user_id: null, wa_id: '5511900000001' })
  assert.deepEqual(await fixture.log(), [])
  const usage = await fixture.acme.get('/api/v1/usage')
  assert.deepEqual([usage.body.data.usage.messages_received, usage.body.data.usage.messages_sent], [0, 0])
})

test('a long chat is several events of up to 100 messages, and a file that follows is one without a phase', {
  rules: ['event.history-is-published-on-request'],
}, async (t) => {
  const fixture = await startInbound(t)
  await setImport(fixture, 'events')
  const messages = Array.from({ length: 250 }, (_, i) => buildOld(`wamid.${i}`))
  const image = { id: '7001', mime_type: 'image/jpeg', sha256: 'x' }
  const threads = [{ id: 'BR.hidden', messages }]

  await deliverHistory(fixture, { history: [{ metadata: PLACE, threads }] })
  await deliverHistory(fixture, { messages: [buildOld('wamid.file', { type: 'image', text: undefined, image })] })

  const events = readData(await fixture.events(), 'history.message')
  assert.deepEqual(
    events.map(({ messages: list, phase }) => [list.length, phase]),
    [
      [100, 1],
      [100, 1],
      [50, 1],
      [1, null],
    ],
  )
  assert.deepEqual(events[0].contact, { name: null, user_id: 'BR.hidden' })
  assert.deepEqual([events[3].contact.wa_id, events[3].messages[0].content], [PERSON, image])
})

test('history is off by default and after it was switched off: it is upstream.raw only', {
  rules: ['event.history-is-published-on-request'],
}, async (t) => {
  const fixture = await startInbound(t)
  const send = (id: string) =>
    deliverHistory(fixture, { history: [{ metadata: PLACE, threads: [{ id: PERSON, messages: [buildOld(id)] }] }] })
  const { channel } = (await fixture.acme.get(`/api/v1/channels/${fixture.channel.id}`)).body.data

  await send('wamid.1')
  await setImport(fixture, 'events')
  await setImport(fixture, 'off')
  await send('wamid.2')

  assert.equal(channel.import_history, 'off')
  assert.deepEqual(readData(await fixture.events(), 'history.message'), [])
  assert.equal((await fixture.rawEvents()).length, 2)
  const wrong = await fixture.acme.patch(`/api/v1/channels/${fixture.channel.id}`, { import_history: 'all' })
  assert.deepEqual([wrong.status, wrong.body.error.code], [400, 'INVALID_REQUEST'])
})

test('the deliveries of history are made after its callback was answered, and each endpoint gets it once', {
  rules: ['event.history-fan-out-is-deferred'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const fixture = await startInbound(t, { env: buildEnv(receiver) })
  const { hub, sql, acme } = fixture
  await sql`delete from deferred_fan_outs`
  const { endpoint, arrived } = createRequests(hub, receiver, acme)
  await setImport(fixture, 'events')
  const [crm, other] = [await endpoint(), await endpoint({ event_types: ['message.received'] })]
  const threads = [{ id: PERSON, messages: [buildOld('wamid.1')] }]

  await deliverHistory(fixture, { history: [{ metadata: PLACE, threads }] })
  const [queued] = await sql`select count(*)::int from delivery_queue where event_kind = 'history.message'`
  const [deferred] = await sql`select cardinality(endpoint_ids) as count from deferred_fan_outs`
  await hub.deliver()

  assert.deepEqual([queued?.count, deferred?.count], [0, 1])
  const kinds = (of: { path: string }) => arrived(of).map(({ body }) => JSON.parse(`${body}`).event)
  assert.deepEqual(kinds(crm), ['history.message'])
  assert.deepEqual(kinds(other), [])
})

for (const field of ['business_username_updates', 'business_username_update']) {
  test(`a change of ${field} is phone.quality, and an approved or deleted username changes the channel`, {
    rules: ['event.username-change-is-phone-quality'],
  }, async (t) => {
    const fixture = await startInbound(t)
    const sibling = await fixture.connectAnother({ owner: fixture.acme, wabaId: fixture.channel.number.wabaId })
    const read = async (of = fixture.channel) =>
      (await fixture.acme.get(`/api/v1/channels/${of.id}`)).body.data.channel.username
    const update = (status: string, time: number, username?: string) =>
      fixture.deliver(
        buildEntry(fixture.channel, field, { display_phone_number: fixture.channel.digits, username, status }, time),
      )
    const seen = [await read()]

    await update('reserved', AT + 1, 'padaria')
    seen.push(await read())
    await update('approved', AT + 3, 'padaria.porto')
    seen.push(await read())
    await update('approved', AT + 2, 'older')
    seen.push(await read())
    await update('deleted', AT + 4)
    seen.push(await read())

    assert.deepEqual(seen, [null, null, 'padaria.porto', 'padaria.porto', null])
    assert.equal(await read(sibling), null)
    const events = readData(await fixture.events(), 'phone.quality')
    assert.equal(events.length, 4)
    assert.deepEqual(events[1].change, {
      display_phone_number: fixture.channel.digits,
      username: 'padaria.porto',
      status: 'approved',
      field,
    })
    assert.deepEqual(readData(await fixture.events(sibling), 'phone.quality'), [])
  })
}
