import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel, holdTransaction } from '../../../../test/hub-with-upstream.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { EVENT_KIND_NAMES, type EventKind } from '../../events/catalog.ts'
import { startInbound } from '../../inbound/test/fixture.ts'
import { buildText } from '../../inbound/test/samples.ts'
import { buildEnv, createRequests, listKinds, startWebhooks } from '../test/fixture.ts'

test('a rolled back transaction leaves neither its events nor their deliveries', async (t) => {
  const { hub, acme, endpoint, log, receiver } = await startWebhooks(t)
  const crm = await endpoint()
  const event = { organizationId: acme.organizationId, kind: 'account.update' as const, channelId: null, data: {} }

  const undone = hub.sql.begin(async (tx) => {
    await hub.context.publish(tx, [event])
    throw new Error('something else failed')
  })

  await assert.rejects(undone, /something else failed/)
  await hub.deliver()
  assert.deepEqual(await log(crm), [])
  assert.deepEqual(receiver.received, [])
})

test('the deliveries of an event become visible together, at its commit', {
  rules: ['delivery.is-at-least-once'],
}, async (t) => {
  const { hub, acme, endpoint, statuses, receiver } = await startWebhooks(t)
  const endpoints = [await endpoint(), await endpoint()]
  const event = { organizationId: acme.organizationId, kind: 'account.update' as const, channelId: null, data: {} }

  const held = await holdTransaction(hub.sql, (tx) => hub.context.publish(tx, [event]))
  await hub.deliver()
  const before = await Promise.all(endpoints.map(statuses))
  await held.release()
  const after = await Promise.all(endpoints.map(statuses))
  await hub.deliver()

  assert.deepEqual(before, [[], []])
  assert.deepEqual(after, [['pending'], ['pending']])
  assert.equal(receiver.received.length, 2)
})

test('each event creates one delivery for each endpoint that subscribes to it', {
  rules: ['endpoint.no-event-types-means-all'],
}, async (t) => {
  const { hub, endpoint, log, publish, publishMany, arrived } = await startWebhooks(t)
  const [all, some, none] = [
    await endpoint(),
    await endpoint({ event_types: ['template.status', 'phone.quality'] }),
    await endpoint({ event_types: ['message.received'] }),
  ]

  await publish({ kind: 'template.status' }, { kind: 'phone.quality' }, { kind: 'account.update' })
  await publishMany(200)
  await hub.deliver()

  assert.equal(arrived(all).length, 203)
  assert.deepEqual(listKinds(arrived(some)).toSorted(), ['phone.quality', 'template.status'])
  assert.deepEqual(await log(none), [])
})

/** The kinds of each payload mode by the contract. A webhook.test is requested and not fanned out. */
const MODES: Record<EventKind, { normalized: boolean; upstream_raw: boolean }> = {
  'channel.created': { normalized: true, upstream_raw: true },
  'channel.connected': { normalized: true, upstream_raw: true },
  'channel.degraded': { normalized: true, upstream_raw: true },
  'channel.disconnected': { normalized: true, upstream_raw: true },
  'message.received': { normalized: true, upstream_raw: false },
  'message.sent': { normalized: true, upstream_raw: false },
  'message.status': { normalized: true, upstream_raw: false },
  'message.echo': { normalized: true, upstream_raw: false },
  'message.edited': { normalized: true, upstream_raw: false },
  'message.revoked': { normalized: true, upstream_raw: false },
  'payment.status': { normalized: true, upstream_raw: false },
  'contact.preferences': { normalized: true, upstream_raw: false },
  'contact.changed': { normalized: true, upstream_raw: false },
  'contact.synced': { normalized: true, upstream_raw: false },
  'call.received': { normalized: true, upstream_raw: false },
  'call.status': { normalized: true, upstream_raw: false },
  'group.changed': { normalized: true, upstream_raw: false },
  'flow.status': { normalized: true, upstream_raw: false },
  'history.message': { normalized: true, upstream_raw: false },
  'endpoint.paused': { normalized: true, upstream_raw: false },
  'cost.budget_reached': { normalized: true, upstream_raw: false },
  'template.status': { normalized: true, upstream_raw: false },
  'phone.quality': { normalized: true, upstream_raw: false },
  'account.update': { normalized: true, upstream_raw: false },
  'upstream.raw': { normalized: false, upstream_raw: true },
  'webhook.test': { normalized: true, upstream_raw: true },
}

for (const mode of ['normalized', 'upstream_raw'] as const) {
  for (const wanting of ['every kind by the empty list', 'each kind by its name']) {
    test(`a ${mode} endpoint that subscribes to ${wanting} gets exactly the kinds of its mode`, {
      rules: [
        'event.raw-endpoint-gets-channel-events',
        'endpoint.no-event-types-means-all',
        'event.further-kinds-reach-normalized-only',
      ],
    }, async (t) => {
      const { hub, endpoint, sendTest, publish, log } = await startWebhooks(t)
      const event_types = wanting.startsWith('each') ? EVENT_KIND_NAMES : []
      const { id } = await endpoint({ payload_mode: mode, event_types })
      const channel = { id: '0', external_id: null, phone_number_id: '1', waba_id: '2' }

      for (const kind of EVENT_KIND_NAMES.filter((name) => name !== 'webhook.test')) {
        await publish(kind === 'upstream.raw' ? { kind, raw: Buffer.from('{}') } : { kind, data: { channel } })
      }
      await sendTest({ id })
      await hub.deliver()

      const wanted = EVENT_KIND_NAMES.filter((kind) => MODES[kind][mode])
      const delivered = (await log({ id })).map(({ event }) => event)
      assert.deepEqual(delivered.toSorted(), wanted.toSorted())
    })
  }
}

test('an endpoint with listed channels gets the events of these channels only', async (t) => {
  const { hub, acme, endpoint, publish, log } = await startWebhooks(t)
  const [one, two, three] = [await createChannel(acme), await createChannel(acme), await createChannel(acme)]
  const [chosen, every] = [
    await endpoint({ all_channels: false, channel_ids: [one.id, two.id] }),
    await endpoint({ all_channels: true }),
  ]

  for (const channelId of [one.id, two.id, three.id, null]) await publish({ kind: 'message.received', channelId })
  await hub.deliver()

  assert.equal((await log(chosen)).length, 2)
  assert.equal((await log(every)).length, 4)
})

test("a change of an endpoint's channels applies to all later events", {
  rules: ['endpoint.without-channels-receives-nothing'],
}, async (t) => {
  const { acme, endpoint, publish, log, patch } = await startWebhooks(t)
  const [one, two] = [await createChannel(acme), await createChannel(acme)]
  const chosen = await endpoint({ all_channels: false, channel_ids: [one.id], event_types: ['message.received'] })
  const both = () =>
    publish({ kind: 'message.received', channelId: one.id }, { kind: 'message.received', channelId: two.id })

  await both()
  await patch(chosen, { channel_ids: [two.id] })
  await both()
  await acme.delete(`/api/v1/channels/${two.id}`)
  await both()

  assert.equal((await log(chosen)).length, 2)
})

for (const status of ['paused', 'disabled']) {
  test(`an endpoint that is ${status} gets no delivery, not even once it is active again`, {
    rules: ['pause.events-make-no-delivery'],
  }, async (t) => {
    const { hub, endpoint, publish, patch, log, arrived } = await startWebhooks(t)
    const crm = await endpoint()
    await patch(crm, { status })

    await publish({})
    await hub.deliver()
    const meanwhile = await log(crm)
    await patch(crm, { status: 'active' })
    await hub.deliver()

    assert.deepEqual(meanwhile, [])
    assert.deepEqual(await log(crm), [])
    assert.deepEqual(arrived(crm), [])
  })
}

test("an event creates no deliveries for another organization's endpoints", async (t) => {
  const { hub, receiver, endpoint, publish, log } = await startWebhooks(t)
  const globex = await hub.organization()
  const theirs = createRequests(hub, receiver, globex)
  const [ours, foreign] = [await endpoint(), await theirs.endpoint()]

  await publish({})
  await theirs.publish({ kind: 'phone.quality' }, { kind: 'phone.quality' })
  await hub.deliver()

  assert.deepEqual(
    (await log(ours)).map(({ event }) => event),
    ['account.update'],
  )
  assert.deepEqual(
    (await theirs.log(foreign)).map(({ event }) => event),
    ['phone.quality', 'phone.quality'],
  )
})

/** The status of a delivery whose event commits after the endpoint's status changed. */
const RACES: [string[], string, number][] = [
  [['disabled'], 'canceled', 0],
  [['disabled', 'active'], 'canceled', 0],
  [['disabled', 'active', 'paused', 'active'], 'canceled', 0],
  [['paused'], 'pending', 0],
  [['paused', 'disabled'], 'canceled', 0],
  [['paused', 'active'], 'succeeded', 1],
]

for (const [changes, status, sent] of RACES) {
  const title = `a delivery that is committed after its endpoint went ${changes.join(', ')} is ${status}`
  test(`${title}${sent === 0 ? ', and never attempted' : ''}`, async (t) => {
    const { hub, acme, endpoint, patch, only, arrived } = await startWebhooks(t)
    const crm = await endpoint()
    const event = { organizationId: acme.organizationId, kind: 'account.update' as const, channelId: null, data: {} }
    const held = await holdTransaction(hub.sql, (tx) => hub.context.publish(tx, [event]))

    for (const next of changes) await patch(crm, { status: next })
    await held.release()
    await hub.deliver()
    const atOnce = await only(crm)
    await hub.clock.advance('1 hour')
    await hub.runJobs()
    await hub.deliver()

    assert.deepEqual([atOnce.status, atOnce.attempts], [status, sent])
    assert.deepEqual(await only(crm), atOnce)
    assert.equal(arrived(crm).length, sent)
  })
}

test('a delivery that commits after its endpoint was deleted is deleted without an attempt', async (t) => {
  const { hub, acme, endpoint, remove, receiver } = await startWebhooks(t)
  const crm = await endpoint()
  const event = { organizationId: acme.organizationId, kind: 'account.update' as const, channelId: null, data: {} }
  const held = await holdTransaction(hub.sql, (tx) => hub.context.publish(tx, [event]))

  await remove(crm)
  await held.release()
  await hub.deliver()
  await hub.runJobs()

  assert.deepEqual(receiver.received, [])
  const left = await hub.sql`select id from delivery_queue where endpoint_id = ${crm.id}`
  assert.equal(left.length, 0)
})

for (const status of ['paused', 'disabled']) {
  test(`a message that arrives while its endpoint is ${status} makes no delivery, and is in the message log`, {
    rules: ['pause.events-make-no-delivery', 'pause.inbound-messages-stay-in-the-log'],
  }, async (t) => {
    const receiver = await startReceiver(t)
    const { hub, acme, channel, deliverMessages } = await startInbound(t, { env: buildEnv(receiver) })
    const { endpoint, patch, log, arrived } = createRequests(hub, receiver, acme)
    const crm = await endpoint({ event_types: ['message.received'] })
    await deliverMessages({ messages: [buildText('wamid.before')] })
    await hub.deliver()

    await patch(crm, { status })
    await deliverMessages({ messages: [buildText('wamid.meanwhile')] })
    await patch(crm, { status: 'active' })
    await deliverMessages({ messages: [buildText('wamid.after')] })
    await hub.deliver()

    assert.equal(arrived(crm).length, 2)
    assert.equal((await log(crm)).length, 2)
    assert.ok(arrived(crm).every(({ body }) => !body.includes('wamid.meanwhile')))
    const page = await acme.get(`/api/v1/channels/${channel.id}/messages?direction=inbound`)
    const names = page.body.data.messages.map((entry: { upstream_message_id: string }) => entry.upstream_message_id)
    assert.deepEqual(names, ['wamid.after', 'wamid.meanwhile', 'wamid.before'])
  })
}
