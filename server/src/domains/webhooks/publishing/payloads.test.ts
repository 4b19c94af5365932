import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../../../test/receiver.ts'
import { listEncodings } from '../../../../test/stored-secrets.ts'
import { startInbound } from '../../inbound/test/fixture.ts'
import {
  buildEnv,
  createRequests,
  parseEnvelope,
  startSecondHub,
  startWebhooks,
  startWithUpstream,
} from '../test/fixture.ts'

const TEXT = 'Pão de açúcar 🥖 \u2028\u007f "quoted" \\ / \n'

test('the envelope has id, event, channel_id, occurred_at and data, and nothing else', {
  rules: ['payload.normalized-is-one-envelope'],
}, async (t) => {
  const { hub, endpoint, publish, arrived } = await startWebhooks(t)
  const crm = await endpoint()
  const channelId = '01980000-0000-7000-8000-000000000001'
  const occurredAt = '2026-03-01T12:00:00.250Z'

  await publish({ kind: 'message.received', channelId, occurredAt, data: { message: { id: 'x', from: null } } })
  await hub.deliver()

  const [one] = arrived(crm)
  const { id, ...rest } = parseEnvelope(one!)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(rest, {
    event: 'message.received',
    channel_id: channelId,
    occurred_at: occurredAt,
    data: { message: { id: 'x', from: null } },
  })
})

test('occurred_at of an event without its own time is the time of recording, in UTC milliseconds', async (t) => {
  const { hub, endpoint, publish, arrived } = await startWebhooks(t)
  const crm = await endpoint()

  const before = hub.clock.now()
  await publish({})
  const after = hub.clock.now()
  await hub.deliver()

  const { occurred_at, channel_id } = parseEnvelope(arrived(crm)[0]!)
  assert.match(occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(new Date(occurred_at) >= before && new Date(occurred_at) <= after)
  assert.equal(channel_id, null)
})

test('every endpoint, retry, replay and process sends the same bytes of an event', {
  rules: ['payload.bytes-are-made-once', 'payload.event-id-repeats'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, replay, only, arrived } = await startWebhooks(t)
  const [crm, erp] = [await endpoint(), await endpoint({ event_types: ['account.update'] })]
  await publish({ data: { change: { field: TEXT } } })

  receiver.answer(({ path }) => (path === erp.path ? 200 : 503))
  await hub.deliver()
  receiver.answer(200)
  await hub.clock.advance('6 seconds')
  const beside = await startSecondHub(t, receiver)
  await beside.deliver()
  await replay(crm, await only(crm))
  await hub.deliver()

  const [first, retried, replayed] = arrived(crm)
  const [other] = arrived(erp)
  assert.equal(receiver.received.length, 4)
  for (const same of [retried, replayed, other]) assert.deepEqual(same?.body, first!.body)
  assert.deepEqual(parseEnvelope(first!).data, { change: { field: TEXT } })
})

test('two identical events have different ids', async (t) => {
  const { hub, endpoint, publish, arrived } = await startWebhooks(t)
  const crm = await endpoint()

  await publish({}, {})
  await hub.deliver()

  const ids = arrived(crm).map((one) => parseEnvelope(one).id)
  assert.equal(new Set(ids).size, 2)
})

// Some receivers parse a body and print it again before they verify it; other characters than ASCII may change by that.
test('a body that the hub composes is ASCII JSON for any text', {
  rules: ['payload.composed-body-is-ascii'],
}, async (t) => {
  const { hub, endpoint, publish, sendTest, arrived } = await startWebhooks(t)
  const endpoints = [await endpoint(), await endpoint({ delivery_format: 'compat', payload_mode: 'upstream_raw' })]
  const channel = { id: '1', name: TEXT, external_id: TEXT, phone_number_id: '2', waba_id: '3', verified_name: TEXT }

  await publish({ kind: 'channel.connected', data: { channel, reason: null } })
  for (const one of endpoints) await sendTest(one)
  await hub.deliver()

  const [native, compat] = endpoints.map((one) => arrived(one).map(({ body }) => body))
  for (const bodies of [native!, compat!]) {
    assert.equal(bodies.length, 2)
    for (const body of bodies) assert.ok(body.every((byte) => byte >= 0x20 && byte < 0x7f))
  }
  const printed = (bodies: Buffer[]) => bodies.map((body) => JSON.parse(body.toString()))
  assert.ok(printed(native!).some(({ data }) => data.channel?.verified_name === TEXT))
  assert.ok(printed(compat!).some(({ verified_name }) => verified_name === TEXT))
})

test('a raw body has exactly the recorded bytes', {
  rules: ['payload.raw-is-the-upstreams-bytes', 'payload.mode-and-format-combine'],
}, async (t) => {
  const { hub, endpoint, publish, arrived } = await startWebhooks(t)
  const formats = [
    await endpoint({ payload_mode: 'upstream_raw' }),
    await endpoint({ payload_mode: 'upstream_raw', delivery_format: 'compat' }),
  ]
  const raw = Buffer.from(`\r\n{"n" : 12345678901234567890,\t"t":"é\\u00e9\\/ 🥖", "n":1e400}  `)

  await publish({ kind: 'upstream.raw', raw })
  await hub.deliver()

  for (const format of formats) assert.deepEqual(arrived(format)[0]?.body, raw)
})

test('an upstream change is delivered with its exact bytes, without an added id', {
  rules: ['payload.raw-is-the-upstreams-bytes'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const { hub, acme, channel, post } = await startInbound(t, { env: buildEnv(receiver) })
  const { endpoint, arrived } = createRequests(hub, receiver, acme)
  const raw = await endpoint({ payload_mode: 'upstream_raw', event_types: ['upstream.raw'] })
  const change = `{ "field":"account_alerts","value":{"n" : 9007199254740993,"t":"caf\\u00e9 é \\/ "} }`
  const body = `{"object":"whatsapp_business_account", "entry":[{"id":"${channel.number.wabaId}","changes":[${change}]}]}`

  const answered = await post(body)
  await hub.deliver()

  assert.equal(answered.status, 200)
  const [one] = arrived(raw)
  assert.ok(one?.body.includes(change), one?.body.toString())
  const parsed = JSON.parse(one!.body.toString())
  assert.deepEqual(Object.keys(parsed), ['object', 'entry'])
  assert.equal(parsed.entry.length, 1)
  assert.equal(parsed.entry[0].changes.length, 1)
})

test('an event without a raw form is delivered to a raw endpoint as the envelope', {
  rules: ['payload.raw-without-counterpart-is-normalized'],
}, async (t) => {
  const { hub, acme, endpoint, sendTest, arrived } = await startWebhooks(t)
  const [normalized, raw] = [await endpoint(), await endpoint({ payload_mode: 'upstream_raw' })]

  await acme.post('/api/v1/channels', { name: 'Padaria' })
  await hub.deliver()
  await sendTest(raw)
  await hub.deliver()

  const [created, tested] = arrived(raw)
  assert.equal(parseEnvelope(created!).event, 'channel.created')
  assert.deepEqual(created!.body, arrived(normalized)[0]?.body)
  assert.equal(parseEnvelope(tested!).event, 'webhook.test')
})

test('no delivery contains a channel token, an upstream token or an endpoint secret', {
  rules: ['token.is-in-no-webhook-body'],
}, async (t) => {
  const { up, hub, acme, receiver, connect, move, endpoint, sendTest, arrived } = await startWithUpstream(t)
  const kinds = [{}, { payload_mode: 'upstream_raw' }, { delivery_format: 'compat' }]
  const endpoints = await Promise.all(kinds.map((kind) => endpoint(kind)))

  const channel = await connect(acme)
  const path = `/api/v1/channels/${channel.id}`
  const body = { to: '5511987654321', type: 'text', text: { body: 'Bom dia!' } }
  await acme.post(`${path}/messages`, body, { headers: { 'idempotency-key': 'a key of ours' } })
  await up.simulator.control('POST', '/contacts/5511999990000/messages', {
    to: channel.number.phoneNumberId,
    type: 'text',
  })
  await move(acme, channel, 'FLAGGED')
  const { token } = (await acme.post(`${path}/regenerate-token`)).body.data
  await acme.delete(path)
  for (const one of endpoints) await sendTest(one)
  await hub.deliver()

  for (const one of endpoints) assert.ok(arrived(one).length >= 4)
  const sent = receiver.received.map((one) => one.body.toString() + JSON.stringify(one.headers)).join('\n')
  const secrets = [
    channel.token,
    token,
    channel.number.accessToken,
    channel.link,
    ...endpoints.map((one) => one.secret),
  ]
  for (const form of secrets.flatMap(listEncodings)) assert.ok(!sent.includes(form))
  assert.ok(!sent.includes('hub_ch_'))
})
