import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startReceiver } from '../../../test/receiver.ts'
import { startBilling } from '../billing/test/fixture.ts'
import { newContact, startSecondHub, startSending } from '../messages/test/fixture.ts'
import { buildEnv, createRequests, failTimes, startWebhooks } from '../webhooks/test/fixture.ts'
import { openSessions, openStream, requestStream } from './test/stream.ts'

test('a send, its status and an inbound message are updates with the ids of the message and its channel', {
  rules: ['live.updates-have-no-content', 'live.message-changes'],
}, async (t) => {
  const { hub, up, acme, channel, send, wait } = await startSending(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const stream = await openStream(t, hub.url, ana)

  const { id } = (await send()).body.data.message
  const created = await stream.find('message.created')
  await wait(5)
  const updated = await stream.find('message.updated')
  await up.simulator.control('POST', `/contacts/${newContact()}/messages`, {
    to: channel.number.phoneNumberId,
    type: 'text',
    text: { body: 'a secret text' },
  })
  await wait(5)
  const received = await stream.find('message.created')

  assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/)
  for (const update of [created, updated]) {
    assert.deepEqual([update.message_id, update.channel_id], [id, channel.id])
    assert.deepEqual(Object.keys(update).sort(), ['channel_id', 'id', 'kind', 'message_id'])
  }
  const { messages } = (await acme.get(`/api/v1/channels/${channel.id}/messages?direction=inbound`)).body.data
  assert.equal(received.message_id, messages[0].id)
})

test('a refused send is an update, although it has no event', { rules: ['live.message-changes'] }, async (t) => {
  const { hub, acme, send, fault } = await startSending(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  await fault('error', '/messages', { code: 131_009, status: 400 })
  const stream = await openStream(t, hub.url, ana)

  assert.equal((await send()).status, 400)

  assert.ok((await stream.find('message.created')).message_id)
})

test('a delivery is an update when it is created and after an attempt, and so is its endpoint when it changes', {
  rules: ['live.delivery-changes', 'live.endpoint-changes'],
}, async (t) => {
  const { hub, acme, endpoint, patch, publish, only } = await startWebhooks(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const stream = await openStream(t, hub.url, ana)

  const created = await endpoint()
  const first = await stream.find('endpoint.updated')
  await publish({ kind: 'phone.quality' })
  const queued = await stream.find('delivery.created')
  await hub.deliver()
  const ended = await stream.find('delivery.updated')
  await patch(created, { status: 'paused' })
  const paused = await stream.find('endpoint.updated')

  const delivery = await only(created)
  assert.deepEqual([first.endpoint_id, paused.endpoint_id], [created.id, created.id])
  for (const update of [queued, ended]) {
    assert.deepEqual([update.endpoint_id, update.delivery_id], [created.id, delivery.id])
  }
})

test('an endpoint that the hub pauses, and a channel whose status changes, are updates', {
  rules: ['live.endpoint-changes', 'live.channel-and-template-changes'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const { hub, acme, channel, move } = await startSending(t, { env: buildEnv(receiver) })
  const { endpoint, publish, publishMany } = createRequests(hub, receiver, acme)
  const failing = await endpoint({ event_types: ['account.update'] })
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const stream = await openStream(t, hub.url, ana)

  await move(acme, channel, 'FLAGGED')
  const degraded = await stream.find('channel.updated')
  await failTimes({ hub, receiver, publish, publishMany }, 20)
  const paused = await stream.find('endpoint.updated')

  assert.equal(degraded.channel_id, channel.id)
  assert.equal(paused.endpoint_id, failing.id)
})

test('a subscription that is canceled in the portal of the payment provider is an update', {
  rules: ['live.subscription-changes'],
}, async (t) => {
  const billing = await startBilling(t)
  const acme = await billing.createSubscriber()
  const ana = await billing.hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const stream = await openStream(t, billing.hub.url, ana)

  const customer = await billing.findCustomerId(acme)
  await billing.control('POST', `/payments/customers/${customer}/portal`, { action: 'cancel' })
  const { id: _, ...update } = await stream.find('subscription.updated')

  assert.deepEqual(update, { kind: 'subscription.updated' })
})

test('a template whose review changes is an update of its channel', {
  rules: ['live.channel-and-template-changes'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const created = await acme.post('/api/v1/channels', { name: 'Padaria' })
  const channelId: string = created.body.data.channel.id
  const stream = await openStream(t, hub.url, ana)

  await publish({ kind: 'template.status', channelId, data: { template: { id: '1' }, change: { reason: 'a secret' } } })
  const { id: _, ...update } = await stream.find('template.updated')

  assert.deepEqual(update, { kind: 'template.updated', channel_id: channelId })
})

test('a stream gets what another process changes', { rules: ['live.covers-every-process'] }, async (t) => {
  const { hub, up, acme, path } = await startSending(t)
  const other = await startSecondHub(t, up)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const stream = await openStream(t, other.url, ana)

  // The other process learns a moment later that somewhere a stream is open.
  const found = stream.find('message.created')
  const sent: string[] = []
  do {
    const body = { to: newContact(), type: 'text', text: { body: 'x' } }
    const headers = { 'idempotency-key': `from-another-process-${sent.length}` }
    sent.push((await acme.post(path, body, { headers })).body.data.message.id)
  } while (!(await Promise.race([found.then(() => true), delay(200, false)])))

  assert.ok(sent.includes((await found).message_id ?? ''))
})

test('a stream has only the updates of its organization, and that of another one is 404', {
  rules: ['live.stays-in-its-organization'],
}, async (t) => {
  const { hub, acme, endpoint, publish } = await startWebhooks(t)
  const [ana, bob] = [await hub.person({ organizationId: acme.organizationId, role: 'viewer' }), await hub.person()]
  const own = await endpoint()
  const streams = [await openStream(t, hub.url, bob), await openStream(t, hub.url, ana)] as const

  await publish({ kind: 'phone.quality' })
  await streams[1].find('delivery.created')
  const channel = await bob.post('/api/v1/channels', { name: 'Padaria' })
  const [first, ...rest] = [await streams[0].next()]
  const foreign = await requestStream(hub.url, bob, { organizationId: acme.organizationId })

  assert.deepEqual([first.kind, first.channel_id, rest], ['channel.updated', channel.body.data.channel.id, []])
  assert.notEqual(first.endpoint_id, own.id)
  assert.equal(foreign.status, 404)
})

test('a member of two organizations watches either, whichever the session acts for', {
  rules: ['live.stays-in-its-organization'],
}, async (t) => {
  const { hub, acme, publish, endpoint } = await startWebhooks(t)
  const ana = await hub.person()
  const { userId, organizationId } = ana
  await hub.sql`insert into memberships (organization_id, user_id, role) values (${acme.organizationId}, ${userId}, 'viewer')`
  await endpoint()

  const stream = await openStream(t, hub.url, ana, { organizationId: acme.organizationId })
  await openStream(t, hub.url, ana, { organizationId })
  await publish({ kind: 'phone.quality' })

  assert.ok((await stream.find('delivery.created')).endpoint_id)
})

test('a fourth stream of a session is refused in any process, until another one closes', {
  rules: ['live.session-has-three-streams'],
}, async (t) => {
  const { hub, up, acme } = await startSending(t)
  const other = await startSecondHub(t, up)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const opened = await Promise.all([hub, other, hub].map(({ url }) => openStream(t, url, ana)))

  const refused = await requestStream(other.url, ana)
  opened[0]?.hangUp()
  while ((await hub.sql`select 1 from live_update_streams where organization_id = ${acme.organizationId}`).length > 2);

  assert.equal(refused.status, 403)
  const { error } = (await refused.json()) as { error: { details: object } }
  assert.partialDeepStrictEqual(error.details, { quota: 'streams', limit: 3, used: 3 })
  await openStream(t, hub.url, ana)
})

test('a session gets three of several concurrent streams', { rules: ['live.session-has-three-streams'] }, async (t) => {
  const { hub } = await startWebhooks(t)
  const ana = await hub.person()
  const abort = new AbortController()
  t.after(() => abort.abort())

  const answers = await Promise.all(Array.from({ length: 8 }, () => requestStream(hub.url, ana, {}, abort.signal)))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 403, 403, 403, 403, 403])
})

test('a person gets twelve of several concurrent streams in several sessions', {
  rules: ['live.person-has-twelve-streams'],
}, async (t) => {
  const { hub } = await startWebhooks(t)
  const ana = await hub.person()
  const sessions = await openSessions(hub, ana, 6)
  const abort = new AbortController()
  t.after(() => abort.abort())

  const answers = await Promise.all(
    sessions.flatMap((session) => Array.from({ length: 3 }, () => requestStream(hub.url, session, {}, abort.signal))),
  )
  const other = await requestStream(hub.url, await hub.person(), {}, abort.signal)

  const refused = answers.filter(({ status }) => status === 403)
  assert.equal(refused.length, 6)
  assert.match((await refused[0]?.text()) ?? '', /"details":\{"quota":"streams","limit":12,"used":12,/)
  assert.equal(other.status, 200)
})
