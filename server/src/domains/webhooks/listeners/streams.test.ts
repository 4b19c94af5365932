import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel, holdTransaction } from '../../../../test/hub-with-upstream.ts'
import { startSending } from '../../messages/test/fixture.ts'
import { createRequests, eventually, startSecondHub, startWebhooks } from '../test/fixture.ts'
import { isSignedWith } from '../test/signature.ts'
import { acknowledge, attach, createListener } from './test/stream.ts'

test('a stream sends a delivery of each event with the headers and the exact body that an endpoint would get', {
  rules: ['listener.is-created-with-a-secret', 'listener.stream-is-lines-of-json', 'listener.headers-are-signed'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const created = await acme.post('/api/v1/listeners', {})
  const { listener, secret, stream_url } = created.body.data
  const stream = await attach(t, hub.url, acme, { id: listener.id, secret })

  await publish({ kind: 'message.received', data: { message: { text: 'olá 👋' } } })
  const { id, event, event_id, headers, body } = await stream.delivery()

  assert.deepEqual(listener, { id: listener.id, expires_after_seconds: 60 })
  assert.equal(stream_url, `${hub.context.publicUrl}/api/v1/listeners/${listener.id}/stream`)
  assert.match(secret, /^whsec_/)
  assert.equal(stream.headers.get('content-type'), 'application/x-ndjson')
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  assert.ok(isSignedWith({ method: 'POST', path: '/', headers: lowered, body: Buffer.from(body) }, secret))
  assert.deepEqual([lowered['x-hub-delivery-id'], lowered['content-type']], [id, 'application/json'])
  assert.match(lowered['user-agent'] ?? '', /^Hubline\//)
  const envelope = JSON.parse(body)
  assert.deepEqual([event, envelope.id, envelope.data.message.text], ['message.received', event_id, 'olá 👋'])
})

test('an unacknowledged delivery comes again with the same id after a disconnect, and an acknowledged one does not', {
  rules: ['listener.unacknowledged-comes-again', 'listener.acknowledged-does-not-come-again'],
}, async (t) => {
  const { hub, acme, publishMany, publish } = await startWebhooks(t)
  const listener = await createListener(acme)
  const first = await attach(t, hub.url, acme, listener)
  await publishMany(3)
  const [one, two, three] = await first.deliveries(3)

  const answer = await acknowledge(acme, listener, [two!.id, two!.id])
  first.hangUp()
  await publish({ kind: 'phone.quality' })
  const again = await (await attach(t, hub.url, acme, listener)).deliveries(3)

  assert.deepEqual(answer.body, { data: { acknowledged: 1 } })
  assert.deepEqual(
    again.map(({ id, body }) => ({ id, body })).slice(0, 2),
    [one!, three!].map(({ id, body }) => ({ id, body })),
  )
  assert.equal(again[2]!.event, 'phone.quality')
  assert.deepEqual((await acknowledge(acme, listener, [two!.id])).body, { data: { acknowledged: 0 } })
})

test('a stream that is attached to one process sends the events that another one publishes', {
  rules: ['listener.any-process-serves-it'],
}, async (t) => {
  const { hub, receiver, acme } = await startWebhooks(t)
  const other = await startSecondHub(t, receiver)
  const elsewhere = createRequests(other, receiver, acme)
  const listener = await createListener(acme)
  const stream = await attach(t, hub.url, acme, listener)

  await elsewhere.publish({ kind: 'phone.quality' })
  const first = await stream.delivery()
  await elsewhere.publish({ kind: 'template.status' })
  const second = await stream.delivery()

  assert.deepEqual([first.event, second.event], ['phone.quality', 'template.status'])
})

test('a stopping hub ends its streams with a last line, and another one goes on without a loss', {
  rules: ['listener.any-process-serves-it', 'listener.stop-loses-nothing'],
}, async (t) => {
  const { hub, receiver, acme, publish } = await startWebhooks(t)
  const listener = await createListener(acme)
  const stream = await attach(t, hub.url, acme, listener)
  await publish({ kind: 'phone.quality' })
  const before = await stream.delivery()

  await hub.stop()
  const last = await stream.end()
  const next = await startSecondHub(t, receiver)
  await createRequests(next, receiver, acme).publish({ kind: 'template.status' })
  const again = await (await attach(t, next.url, acme, listener)).deliveries(2)

  assert.deepEqual([last.type, last.reason, last.gone], ['end', 'stopping', false])
  assert.equal(again[0]!.id, before.id)
  assert.equal(again[1]!.event, 'template.status')
})

// Its id lies before those that the client has acknowledged already.
test('an event whose transaction commits late is sent, although later events were sent and acknowledged before', {
  rules: ['listener.late-commit-is-sent'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const listener = await createListener(acme)
  const stream = await attach(t, hub.url, acme, listener)
  const late = { organizationId: acme.organizationId, kind: 'phone.quality' as const, channelId: null, data: {} }
  const held = await holdTransaction(hub.sql, (tx) => hub.context.publish(tx, [late, late]))
  await hub.clock.advance('1 second')
  await publish({ kind: 'template.status' })
  const early = await stream.delivery()
  await acknowledge(acme, listener, [early.id])

  await held.release()
  const found = await stream.deliveries(2)

  assert.equal(early.event, 'template.status')
  assert.deepEqual(
    found.map(({ event }) => event),
    ['phone.quality', 'phone.quality'],
  )
  assert.ok(found.every(({ id }) => id < early.id))
})

test('an event that commits late while no stream is attached is in the next stream', async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const listener = await createListener(acme)
  const stream = await attach(t, hub.url, acme, listener)
  const late = { organizationId: acme.organizationId, kind: 'phone.quality' as const, channelId: null, data: {} }
  const held = await holdTransaction(hub.sql, (tx) => hub.context.publish(tx, [late]))
  await publish({ kind: 'template.status' })
  await acknowledge(acme, listener, [(await stream.delivery()).id])

  stream.hangUp()
  await held.release()

  assert.equal((await (await attach(t, hub.url, acme, listener)).delivery()).event, 'phone.quality')
})

test('a second stream replaces the first, whose last line says so', {
  rules: ['listener.second-stream-replaces-the-first'],
}, async (t) => {
  const { hub, receiver, acme, publish } = await startWebhooks(t)
  const other = await startSecondHub(t, receiver)
  const listener = await createListener(acme)
  const first = await attach(t, hub.url, acme, listener)
  const second = await attach(t, other.url, acme, listener)

  await publish({ kind: 'phone.quality' })

  const last = await first.end()
  assert.deepEqual([last.reason, last.gone], ['replaced', false])
  assert.equal((await second.delivery()).event, 'phone.quality')
})

test('a listener receives the kinds, channels and payloads that it was created with', {
  rules: ['listener.filters-as-an-endpoint'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const [one, two] = [await createChannel(acme), await createChannel(acme)]
  const [kinds, channel, raw] = [
    await createListener(acme, { event_types: ['message.received'] }),
    await createListener(acme, { all_channels: false, channel_ids: [two.id], event_types: ['message.received'] }),
    await createListener(acme, { payload_mode: 'upstream_raw' }),
  ]
  const bytes = '{"object":"x", "entry":[ 1.0 ]}'

  await publish({ kind: 'message.status', channelId: two.id })
  await publish({ kind: 'upstream.raw', channelId: one.id, raw: Buffer.from(bytes) })
  await publish({ kind: 'message.received', channelId: one.id }, { kind: 'message.received', channelId: two.id })

  const byKind = await (await attach(t, hub.url, acme, kinds)).deliveries(2)
  const byChannel = await (await attach(t, hub.url, acme, channel)).delivery()
  const byMode = await (await attach(t, hub.url, acme, raw)).delivery()
  assert.deepEqual(byKind.map(({ body }) => JSON.parse(body).channel_id).toSorted(), [one.id, two.id].toSorted())
  assert.equal(JSON.parse(byChannel.body).channel_id, two.id)
  assert.deepEqual([byMode.event, byMode.body], ['upstream.raw', bytes])
})

test('large payloads are sent whole, one after the other', async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const listener = await createListener(acme)
  const texts = Array.from({ length: 6 }, (_, n) => String(n).repeat(700_000))

  for (const text of texts) await publish({ data: { text } })
  // A hub that has not published them reads them from the database, which it does in parts.
  const reader = await attach(t, hub.url, acme, listener)
  const found = await reader.deliveries(texts.length)

  assert.deepEqual(found.map(({ body }) => JSON.parse(body).data.text).toSorted(), texts)
})

// The settlement of a send inserts its event by a statement of its own.
test('a message that is sent through the hub reaches a listener', async (t) => {
  const { hub, acme, channel, send } = await startSending(t)
  const listener = await createListener(acme, { event_types: ['message.sent'] })
  const stream = await attach(t, hub.url, acme, listener)

  const sent = await send()

  const { channel_id, data } = JSON.parse((await stream.delivery()).body)
  assert.deepEqual([channel_id, data.message.id], [channel.id, sent.body.data.message.id])
})

test('the metrics count open streams, and a HEAD request attaches none', async (t) => {
  const { hub, acme, publish } = await startWebhooks(t, { isOwn: true })
  const listener = await createListener(acme)
  const readGauge = async () =>
    /^hubline_listener_streams (\d+)$/m.exec((await hub.anonymous.get('/metrics')).text)?.[1]
  const stream = await attach(t, hub.url, acme, listener)

  const head = await fetch(`${hub.url}/api/v1/listeners/${listener.id}/stream`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${acme.key}`, 'x-hub-listener-secret': listener.secret },
  })
  await publish({ kind: 'phone.quality' })

  assert.equal(head.status, 405)
  assert.equal((await stream.delivery()).event, 'phone.quality')
  assert.equal(await readGauge(), '1')
  stream.hangUp()
  await eventually(async () => (await readGauge()) === '0')
})
