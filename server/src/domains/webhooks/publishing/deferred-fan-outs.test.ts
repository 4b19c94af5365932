import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { holdTransaction } from '../../../../test/hub-with-upstream.ts'
import { type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { startInbound } from '../../inbound/test/fixture.ts'
import { buildText } from '../../inbound/test/samples.ts'
import { attach, createListener } from '../listeners/test/stream.ts'
import { buildEnv, createRequests, eventually, parseEnvelope, startSecondHub, startWebhooks } from '../test/fixture.ts'
import { addEndpoints, countDeliveries } from '../test/many-endpoints.ts'
import { createWakeUps } from '../wake-ups.ts'
import { createDeferredFanOuts } from './deferred-fan-outs.ts'
import { makeDeliveries } from './deferred-store.ts'
import { DUE_MAX, DUE_PER_ENDPOINT_MAX, FAN_OUT_AT_ONCE_MAX, STEP_MAX } from './fan-out-limits.ts'

const MANY = FAN_OUT_AT_ONCE_MAX + 1
const STEP = { stepMax: STEP_MAX, dueMax: DUE_MAX, duePerEndpointMax: DUE_PER_ENDPOINT_MAX }
/** A lost wake-up would make a test wait forever. */
const IN_TIME = { timeout: 120_000 }

/** A hub and an organization with that many endpoints. */
async function startMany(t: TestContext, count: number, options: Parameters<typeof startWebhooks>[1] = {}) {
  const fixture = await startWebhooks(t, options)
  const { hub, acme, receiver } = fixture
  const { organizationId } = acme
  const add = (more: number, eventTypes: string[] = []) =>
    addEndpoints(hub, organizationId, { count: more, url: receiver.url, eventTypes })
  return {
    ...fixture,
    organizationId,
    add,
    endpoints: await add(count),
    count: () => countDeliveries(hub, organizationId),

    /** Counts the deliveries of each pair of an event and an endpoint, in the queue and the log. */
    async countPairs(): Promise<number[]> {
      const pairs = await hub.sql<{ count: number }[]>`
        select count(*)::int as count
        from (
          select endpoint_id, event_id from delivery_queue where organization_id = ${organizationId}
          union all
          select endpoint_id, event_id from deliveries where organization_id = ${organizationId}
        ) d
        group by endpoint_id, event_id`
      return pairs.map((pair) => pair.count)
    },
  }
}

/** Counts the requests that each endpoint has received. */
function listArrivals({ received }: Receiver, endpoints: { path: string }[]): number[] {
  return endpoints.map(({ path }) => received.filter((one) => one.path === path).length)
}

test('an event for 50 endpoints has all its deliveries at its commit', {
  rules: ['fanout.up-to-50-in-one-transaction'],
}, async (t) => {
  const { publish, count } = await startMany(t, FAN_OUT_AT_ONCE_MAX)

  await publish({})

  assert.deepEqual(await count(), { queued: FAN_OUT_AT_ONCE_MAX, deferred: 0 })
})

test('an event for 51 endpoints is delivered once to each of them, after its commit', {
  rules: ['fanout.more-are-made-after-the-commit', 'delivery.is-at-least-once'],
}, async (t) => {
  const { hub, publish, count, endpoints, receiver } = await startMany(t, MANY)

  await publish({})
  const committed = await count()
  await hub.deliver()

  assert.deepEqual(committed, { queued: 0, deferred: MANY })
  assert.deepEqual(await count(), { queued: 0, deferred: 0 })
  assert.deepEqual(listArrivals(receiver, endpoints), Array(MANY).fill(1))
})

test('events that are published together are deferred only if they are for more than 50 endpoints', {
  rules: ['fanout.up-to-50-in-one-transaction', 'fanout.more-are-made-after-the-commit'],
}, async (t) => {
  const { hub, publish, add, count, receiver } = await startMany(t, 3)
  await add(FAN_OUT_AT_ONCE_MAX - 3, ['phone.quality'])
  await add(MANY - 3, ['template.status'])

  await publish({}, { kind: 'phone.quality' }, { kind: 'template.status' }, { kind: 'template.status' })
  const committed = await count()
  await hub.deliver()

  assert.deepEqual(committed, { queued: 3 + FAN_OUT_AT_ONCE_MAX, deferred: 2 * MANY })
  assert.equal(receiver.received.length, 3 + FAN_OUT_AT_ONCE_MAX + 2 * MANY)
  const kinds = Map.groupBy(receiver.received.map(parseEnvelope), ({ event }) => event)
  assert.equal(kinds.get('template.status')?.length, 2 * MANY)
})

test('a rolled back transaction leaves no deferred fan-out', async (t) => {
  const { hub, organizationId, count } = await startMany(t, MANY)
  const event = { organizationId, kind: 'account.update' as const, channelId: null, data: {} }

  const undone = hub.sql.begin(async (tx) => {
    await hub.context.publish(tx, [event])
    throw new Error('something else failed')
  })

  await assert.rejects(undone, /something else failed/)
  await hub.deliver()
  assert.deepEqual(await count(), { queued: 0, deferred: 0 })
})

test('a listener gets an event at its commit, however many endpoints wait for it', {
  rules: ['fanout.listeners-do-not-wait'],
}, async (t) => {
  const { hub, acme, publish, count } = await startMany(t, MANY)
  const stream = await attach(t, hub.url, acme, await createListener(acme))

  await publish({ kind: 'phone.quality' })

  assert.equal((await stream.delivery()).event, 'phone.quality')
  assert.deepEqual(await count(), { queued: 0, deferred: MANY })
})

test('a callback that the upstream repeats adds nothing to a deferred fan-out', async (t) => {
  const receiver = await startReceiver(t)
  const { hub, acme, deliverMessages } = await startInbound(t, { env: buildEnv(receiver) })
  const eventTypes = ['message.received']
  const endpoints = await addEndpoints(hub, acme.organizationId, { count: MANY, url: receiver.url, eventTypes })
  const callback = { messages: [buildText('wamid.repeated')] }

  await deliverMessages(callback)
  await deliverMessages(callback)
  const first = await countDeliveries(hub, acme.organizationId)
  await hub.deliver()
  await deliverMessages(callback)
  await hub.deliver()

  assert.deepEqual(first, { queued: 0, deferred: MANY })
  assert.deepEqual(listArrivals(receiver, endpoints), Array(MANY).fill(1))
})

test('a send with an idempotency key that is repeated has one deferred fan-out', async (t) => {
  const receiver = await startReceiver(t)
  const { hub, acme, channel } = await startInbound(t, { env: buildEnv(receiver) })
  const eventTypes = ['message.sent']
  const endpoints = await addEndpoints(hub, acme.organizationId, { count: MANY, url: receiver.url, eventTypes })
  const send = () =>
    acme.post(
      `/api/v1/channels/${channel.id}/messages`,
      { to: '5511987654321', type: 'text', text: { body: 'Bom dia!' } },
      { headers: { 'idempotency-key': 'repeated' } },
    )

  const [first, second] = [await send(), await send()]
  const deferred = await countDeliveries(hub, acme.organizationId)
  await hub.deliver()

  assert.equal(first.body.data.message.id, second.body.data.message.id)
  assert.deepEqual(deferred, { queued: 0, deferred: MANY })
  assert.deepEqual(listArrivals(receiver, endpoints), Array(MANY).fill(1))
})

test('tests and replays have their delivery at once, beside a deferred fan-out', async (t) => {
  const { hub, publish, endpoints, only, replay, sendTest, count } = await startMany(t, MANY)
  const [first, second] = endpoints
  await publish({})
  await hub.deliver()
  await publish({})

  const tested = await sendTest(second!)
  const replayed = await replay(first!, await only(first!))

  assert.deepEqual([tested.status, replayed.status], [202, 202])
  assert.deepEqual(await count(), { queued: 2, deferred: MANY })
})

test('an api process tells workers of a deferred fan-out, and they deliver it without a poll', IN_TIME, async (t) => {
  const { hub, receiver, publish } = await startMany(t, MANY)
  hub.context.notifications.notifyWorkers()
  const worker = await startSecondHub(t, receiver, { isDelivering: true, env: { ROLE: 'all' } })
  const woken = new Promise<string[]>((resolve) => worker.context.fanOutWakeUps.listen(resolve))

  await publish({})

  assert.equal((await woken).length, 1)
  await receiver.until(MANY)
})

test('two workers that run at the same time make each delivery once', {
  rules: ['fanout.workers-make-each-once', 'fanout.backlog-is-bounded', 'fanout.organizations-take-turns'],
}, async (t) => {
  const { hub, receiver, publishMany, count, countPairs } = await startMany(t, 300)
  const other = await startSecondHub(t, receiver)
  await publishMany(5)

  const steps = [hub, other, hub, other].map(({ context }) => context.deferredFanOuts.makeDue())
  await Promise.all(steps)
  const full = await count()
  while ((await count()).deferred > 0) await Promise.all([hub.deliver(), other.deliver()])
  await hub.deliver()

  assert.deepEqual(full, { queued: DUE_MAX, deferred: 1500 - DUE_MAX })
  assert.deepEqual(new Set(await countPairs()), new Set([1]))
  assert.equal((await countPairs()).length, 1500)
  assert.equal(receiver.received.length, 1500)
})

test('two steps at the same moment are one step', { rules: ['fanout.workers-make-each-once'] }, async (t) => {
  const { hub, organizationId, publish, count } = await startMany(t, 500)
  await publish({})

  const steps = await Promise.all(Array.from({ length: 8 }, () => makeDeliveries(hub.sql, { organizationId, ...STEP })))

  const made = steps.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
  assert.ok(steps.every(({ deliveries }) => [0, 100, STEP_MAX].includes(deliveries.length)))
  assert.deepEqual(await count(), { queued: made, deferred: 500 - made })
})

test('a worker makes the deliveries that another one, which died between two steps, has not made', {
  rules: ['fanout.workers-make-each-once'],
}, async (t) => {
  const { hub, receiver, organizationId, publish, count, countPairs } = await startMany(t, 450)
  await publish({})
  await makeDeliveries(hub.sql, { organizationId, ...STEP })
  const died = hub.sql.begin(async (tx) => {
    await makeDeliveries(tx, { organizationId, ...STEP })
    throw new Error('the worker died')
  })
  await assert.rejects(died)
  const left = await count()

  const other = await startSecondHub(t, receiver)
  await other.deliver()

  assert.deepEqual(left, { queued: STEP_MAX, deferred: 450 - STEP_MAX })
  assert.deepEqual(await count(), { queued: 0, deferred: 0 })
  assert.deepEqual(await countPairs(), Array(450).fill(1))
})

/** The status of a delivery that is made after its endpoint's status changed. */
const CHANGES: [string[], string, number][] = [
  [['disabled'], 'canceled', 0],
  [['disabled', 'active'], 'canceled', 0],
  [['paused'], 'pending', 0],
  [['paused', 'disabled'], 'canceled', 0],
  [['paused', 'active'], 'succeeded', 1],
]

for (const [changes, status, sent] of CHANGES) {
  test(`a deferred delivery whose endpoint went ${changes.join(', ')} meanwhile is ${status}`, {
    rules: ['fanout.changed-endpoint-is-respected'],
  }, async (t) => {
    const { hub, publish, patch, only, arrived, endpoints } = await startMany(t, MANY)
    const crm = endpoints[0]!
    await publish({})

    for (const next of changes) await patch(crm, { status: next })
    await hub.clock.advance('10 minutes')
    await hub.deliver()
    const atOnce = await only(crm)
    await hub.runJobs()
    await hub.deliver()

    assert.deepEqual([atOnce.status, atOnce.attempts], [status, sent])
    assert.deepEqual(await only(crm), atOnce)
    assert.equal(arrived(crm).length, sent)
  })
}

test('a deferred delivery that was canceled before it is made does not count as overdue', {
  rules: ['fanout.changed-endpoint-is-respected'],
}, async (t) => {
  const { hub, publish, patch, count, statuses, endpoints } = await startMany(t, MANY)
  const crm = endpoints[0]!
  await publish({})
  await patch(crm, { status: 'disabled' })
  await patch(crm, { status: 'active' })
  await hub.clock.advance('10 minutes')

  await hub.deliver()
  await hub.context.deliveryRetention.clearCanceled()

  assert.deepEqual(await statuses(crm), ['canceled'])
  assert.deepEqual(await count(), { queued: 0, deferred: 0 })
})

test('an endpoint that became active after an event gets no delivery of it', {
  rules: ['fanout.changed-endpoint-is-respected'],
}, async (t) => {
  const { hub, publish, patch, add, log, endpoints } = await startMany(t, MANY + 1)
  const paused = endpoints[0]!
  await patch(paused, { status: 'paused' })

  await publish({})
  await patch(paused, { status: 'active' })
  const [later] = await add(1)
  await hub.deliver()

  assert.deepEqual([await log(paused), await log(later!)], [[], []])
})

test('an endpoint that was deleted meanwhile gets no delivery, and leaves none in the queue', {
  rules: ['fanout.changed-endpoint-is-respected'],
}, async (t) => {
  const { hub, publish, remove, arrived, endpoints, receiver } = await startMany(t, MANY)
  const crm = endpoints[0]!
  await publish({})

  await remove(crm)
  await hub.clock.advance('1 day')
  await hub.runJobs()
  await hub.deliver()

  assert.deepEqual(arrived(crm), [])
  assert.equal(receiver.received.length, MANY - 1)
  const left = await hub.sql`
    select id from delivery_queue where endpoint_id = ${crm.id}
    union all
    select id from deliveries where endpoint_id = ${crm.id}`
  assert.equal(left.length, 0)
})

test('a delivery that a step makes while its endpoint is being deleted is deleted without an attempt', async (t) => {
  const { hub, organizationId, publish, remove, arrived, endpoints } = await startMany(t, MANY)
  const crm = endpoints[0]!
  await publish({})
  const held = await holdTransaction(hub.sql, (tx) => makeDeliveries(tx, { organizationId, ...STEP }))

  await remove(crm)
  await held.release()
  await hub.deliver()
  await hub.runJobs()

  assert.deepEqual(arrived(crm), [])
  assert.equal((await hub.sql`select id from delivery_queue where endpoint_id = ${crm.id}`).length, 0)
})

test('organizations take turns, with at most 200 deliveries each', {
  rules: ['fanout.organizations-take-turns'],
}, async (t) => {
  const { hub, receiver, acme, publish } = await startMany(t, 450)
  const globex = await hub.organization()
  await addEndpoints(hub, globex.organizationId, { count: 250, url: receiver.url })
  await publish({}, {})
  await createRequests(hub, receiver, globex).publish({})
  const steps: [string, number][] = []
  const wakeUps = createWakeUps()
  wakeUps.listen((keys) => void steps.push([keys[0]?.organizationId ?? '', keys.length]))
  const { sql, liveUpdates } = hub.context

  await createDeferredFanOuts({ sql, wakeUps, liveUpdates }).makeDue()

  const [first, second] = [acme.organizationId, globex.organizationId].toSorted()
  const turns = new Map([
    [acme.organizationId, [200, 200, 50, 200, 200, 50]],
    [globex.organizationId, [200, 50]],
  ])
  assert.deepEqual(
    steps.slice(0, 4).map(([id]) => id),
    [first, second, first, second],
  )
  for (const [id, counts] of turns) {
    assert.deepEqual(
      steps.filter(([of]) => of === id).map(([, length]) => length),
      counts,
    )
  }
})

test('an organization with 1,000 deliveries due gets no more until some are attempted, and another gets its own', {
  rules: ['fanout.backlog-is-bounded'],
}, async (t) => {
  const { hub, receiver, publishMany, count } = await startMany(t, 300)
  const globex = await hub.organization()
  await addEndpoints(hub, globex.organizationId, { count: MANY, url: receiver.url })
  await publishMany(5)
  await createRequests(hub, receiver, globex).publish({})

  await hub.context.deferredFanOuts.makeDue()
  const full = await count()
  await hub.context.deferredFanOuts.makeDue()
  const still = await count()
  const theirs = await countDeliveries(hub, globex.organizationId)
  await hub.deliver()

  assert.deepEqual(full, { queued: DUE_MAX, deferred: 1500 - DUE_MAX })
  assert.deepEqual(still, full)
  assert.deepEqual(theirs, { queued: MANY, deferred: 0 })
  assert.deepEqual(await count(), { queued: 0, deferred: 0 })
  assert.equal(receiver.received.length, 1500 + MANY)
})

test('an engine that runs goes on as soon as there is room', {
  ...IN_TIME,
  rules: ['fanout.backlog-is-bounded'],
}, async (t) => {
  const { receiver, publishMany, count } = await startMany(t, 300, { isDelivering: true })

  await publishMany(8)
  await receiver.until(2400)

  await eventually(async () => (await count()).queued === 0)
  // A busy machine may answer an attempt too late, and gets the same delivery again.
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-hub-delivery-id'])).size, 2400)
})

for (const status of ['paused', 'active'] as const) {
  test(`the due deliveries of one ${status} endpoint do not keep the others from theirs`, {
    rules: ['fanout.backlog-is-bounded'],
  }, async (t) => {
    const { hub, organizationId, publish, patch, endpoints, count } = await startMany(t, MANY)
    const slow = endpoints[0]!
    await hub.sql`
      insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
      select ${organizationId}, ${slow.id}, hub_id(), hub_id(), 'account.update', 1 from generate_series(1, 2000)`
    if (status === 'paused') await patch(slow, { status })
    await publish({})

    await hub.context.deferredFanOuts.makeDue()

    const made = status === 'paused' ? MANY - 1 : MANY
    assert.deepEqual(await count(), { queued: 2000 + made, deferred: 0 })
  })
}

test('retention keeps an event until its deliveries are made', {
  rules: ['fanout.retention-waits-for-it'],
}, async (t) => {
  const { hub, organizationId, publish, receiver } = await startMany(t, MANY, { env: { RETENTION_EVENTS_DAYS: '11' } })
  const countEvents = async () =>
    (await hub.sql`select id from events where organization_id = ${organizationId}`).length
  await hub.runJobs()
  await publish({})

  await hub.clock.advance('40 days')
  await hub.runJobs()
  const waiting = await countEvents()
  await hub.deliver()
  await hub.runJobs()

  assert.deepEqual([waiting, await countEvents()], [1, 0])
  assert.equal(receiver.received.length, MANY)
})

test('retention keeps the payload of deliveries that are made late for all their attempts', {
  rules: ['fanout.retention-waits-for-it'],
}, async (t) => {
  const { hub, publish, receiver, organizationId } = await startMany(t, MANY, { env: { RETENTION_EVENTS_DAYS: '11' } })
  await hub.runJobs()
  await publish({})
  await hub.clock.advance('40 days')
  receiver.answer(500)
  await hub.deliver()

  await hub.clock.advance('1 day')
  await hub.runJobs()
  receiver.answer(200)
  // Another process has no cached payloads.
  await (await startSecondHub(t, receiver)).deliver()
  const open = await hub.sql`select 1 from delivery_queue where organization_id = ${organizationId}`
  await hub.runJobs()
  const events = await hub.sql`select 1 from events where organization_id = ${organizationId}`

  assert.equal(receiver.received.length, 2 * MANY)
  assert.deepEqual([open.length, events.length], [0, 0])
  const [first] = receiver.received
  for (const { body } of receiver.received) assert.deepEqual(body, first?.body)
})

test('the metrics have the number of deferred fan-outs and the age of the oldest', {
  rules: ['fanout.metrics-count-those-waiting'],
}, async (t) => {
  const { hub, publishMany } = await startMany(t, MANY)
  const read = async () => {
    const { text } = await hub.anonymous.get('/metrics')
    return [/^hubline_deferred_fan_outs (\S+)$/m, /^hubline_deferred_fan_out_oldest_seconds (\S+)$/m].map((line) =>
      Math.floor(Number(line.exec(text)?.[1])),
    )
  }

  await publishMany(2)
  await hub.clock.advance('90 seconds')
  const waiting = await read()
  await hub.deliver()

  assert.deepEqual(waiting, [2, 90])
  assert.deepEqual(await read(), [0, 0])
})

test('a delivery shows how many more of its event are being queued', {
  rules: ['fanout.console-shows-those-to-come'],
}, async (t) => {
  const { hub, organizationId, publish, endpoints, log } = await startMany(t, 250)
  const owner = await hub.person({ organizationId, role: 'owner' })
  await publish({})
  await makeDeliveries(hub.sql, { organizationId, ...STEP })
  const made = await hub.sql<{ endpoint_id: string }[]>`
    select endpoint_id from delivery_queue where organization_id = ${organizationId}`
  const endpoint = endpoints.find(({ id }) => made.some((one) => one.endpoint_id === id))!
  const [delivery] = await log(endpoint)
  const read = async () =>
    (await owner.get(`/console/webhooks/${endpoint.id}/deliveries/${delivery!.id}/payload`)).body.data

  const before = await read()
  await hub.deliver()
  const after = await read()

  assert.equal(before.deliveries_being_queued, 50)
  assert.equal(after.deliveries_being_queued, 0)
})
