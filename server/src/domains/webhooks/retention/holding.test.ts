import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failTimes, startSecondHub, startWebhooks } from '../test/fixture.ts'

test('a paused endpoint holds its deliveries for four days without an attempt', {
  rules: ['pause.holds-open-deliveries'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, patch, log } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await hub.deliver()
  await publish({})
  await patch(crm, { status: 'paused' })
  const before = await log(crm)

  for (const hours of [1, 24, 48, 22]) {
    await hub.clock.advance(`${hours} hours`)
    await hub.runJobs()
    await hub.deliver()
  }

  assert.deepEqual(
    before.map(({ status }) => status),
    ['pending', 'retry'],
  )
  assert.deepEqual(await log(crm), before)
  assert.equal(receiver.received.length, 1)
})

test('a reactivated endpoint gets its due deliveries at once and the others when they are due', {
  rules: ['pause.holds-open-deliveries'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, patch, statuses } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await hub.deliver()
  await hub.clock.advance('6 seconds')
  await hub.deliver()
  await publish({})
  await patch(crm, { status: 'paused' })
  await publish({})

  receiver.answer(200)
  await patch(crm, { status: 'active' })
  await hub.deliver()
  const atOnce = await statuses(crm)
  await hub.clock.advance('2 minutes')
  await hub.deliver()

  assert.deepEqual(atOnce, ['succeeded', 'retry'])
  assert.deepEqual(await statuses(crm), ['succeeded', 'succeeded'])
})

test('repeating a pause does not extend it, and a new pause holds for four days again', {
  rules: ['pause.held-four-days-are-canceled'],
}, async (t) => {
  const { hub, endpoint, publish, patch, only } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await patch(crm, { status: 'paused' })
  await hub.clock.advance('3 days')
  await patch(crm, { status: 'active' })
  await patch(crm, { status: 'paused' })
  await hub.clock.advance('3 days')
  await patch(crm, { status: 'paused' })
  await hub.runJobs()
  const held = await only(crm)

  await hub.clock.advance('25 hours')
  await hub.runJobs()

  assert.equal(held.status, 'pending')
  assert.equal((await only(crm)).status, 'canceled')
})

for (const how of ['by a person', 'by twenty failures']) {
  test(`deliveries held for four days by an endpoint paused ${how} are canceled for good`, {
    rules: ['pause.held-four-days-are-canceled'],
  }, async (t) => {
    const fixture = await startWebhooks(t)
    const { hub, receiver, endpoint, publishMany, patch, log, statuses } = fixture
    const crm = await endpoint()
    if (how === 'by a person') {
      await publishMany(20)
      await patch(crm, { status: 'paused' })
    } else await failTimes(fixture, 20)
    const attempted = receiver.received.length

    await hub.clock.advance('95 hours')
    await hub.runJobs()
    const held = await statuses(crm)
    await hub.clock.advance('2 hours')
    await hub.runJobs()
    const canceled = await log(crm)
    receiver.answer(200)
    await patch(crm, { status: 'active' })
    await hub.deliver()
    await publishMany(1)
    await hub.deliver()

    assert.deepEqual(new Set(held), new Set([attempted > 0 ? 'retry' : 'pending']))
    assert.deepEqual(
      canceled.map(({ status }) => status),
      Array(20).fill('canceled'),
    )
    assert.deepEqual(await statuses(crm), ['succeeded', ...Array(20).fill('canceled')])
    assert.deepEqual((await log(crm)).slice(1), canceled)
    assert.equal(receiver.received.length, attempted + 1)
  })
}

test('disabling an endpoint cancels all its deliveries at once, before any job runs', {
  rules: ['pause.disabling-cancels-at-once'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, publishMany, patch, statuses } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await hub.deliver()
  await publishMany(1499)

  await patch(crm, { status: 'disabled' })
  const atOnce = await statuses(crm)
  await hub.clock.advance('1 minute')
  await hub.deliver()
  const [queued] = await hub.sql`select count(*)::int from delivery_queue where endpoint_id = ${crm.id}`
  await hub.runJobs()

  assert.deepEqual(atOnce, Array(50).fill('canceled'))
  assert.equal(receiver.received.length, 1)
  assert.equal(queued?.count, 1500)
  const [logged] = await hub.sql`
    select count(*)::int, count(*) filter (where status = 'canceled')::int as canceled
    from deliveries where endpoint_id = ${crm.id}`
  assert.deepEqual({ ...logged }, { count: 1500, canceled: 1500 })
  const left = await hub.sql`select 1 from delivery_queue where endpoint_id = ${crm.id}`
  assert.equal(left.length, 0)
})

test('a canceled delivery looks the same before and after it leaves the queue', async (t) => {
  const { hub, receiver, endpoint, publish, patch, log, listAttempts } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await hub.deliver()
  await publish({})
  await patch(crm, { status: 'disabled' })
  const before = await log(crm)

  await hub.runJobs()

  assert.deepEqual(await log(crm), before)
  assert.equal((await listAttempts(crm, before[1]!)).length, 1)
})

test('a reactivation does not revive canceled deliveries, and the next run moves them to the log', {
  rules: ['delivery.terminal-state-never-changes'],
}, async (t) => {
  const { hub, receiver, endpoint, publishMany, patch, statuses } = await startWebhooks(t)
  const crm = await endpoint()
  await publishMany(3)
  await patch(crm, { status: 'disabled' })
  await patch(crm, { status: 'active' })

  await hub.deliver()
  const clear = hub.jobs.find(({ name }) => name === 'clear-canceled-deliveries')
  await clear?.run()

  assert.deepEqual(await statuses(crm), Array(3).fill('canceled'))
  assert.equal(receiver.received.length, 0)
  const left = await hub.sql`select 1 from delivery_queue where endpoint_id = ${crm.id}`
  assert.equal(left.length, 0)
})

for (const [status, answer, ended] of [
  ['paused', 200, 'succeeded'],
  ['paused', 500, 'retry'],
  ['disabled', 200, 'succeeded'],
  ['disabled', 500, 'canceled'],
] as const) {
  test(`an attempt in progress when its endpoint is ${status} is finished: ${answer} is ${ended}`, {
    rules: ['pause.attempt-under-way-is-recorded', 'pause.disabled-attempt-is-never-retried'],
  }, async (t) => {
    const { hub, receiver, endpoint, publish, patch, only, show, listAttempts } = await startWebhooks(t)
    const crm = await endpoint()
    receiver.answer(answer)
    receiver.hold()
    await publish({})
    const delivering = hub.deliver()
    await receiver.until(1)

    await patch(crm, { status })
    const meanwhile = await only(crm)
    receiver.letGo()
    await delivering
    const delivery = await only(crm)
    await hub.clock.advance('1 hour')
    await hub.runJobs()
    await hub.deliver()

    assert.equal(meanwhile.status, 'processing')
    assert.deepEqual([delivery.status, delivery.attempts, delivery.last_http_status], [ended, 1, answer])
    assert.equal(delivery.next_attempt_at === meanwhile.next_attempt_at, ended !== 'retry')
    assert.equal((await listAttempts(crm, delivery)).length, 1)
    assert.deepEqual(await only(crm), delivery)
    assert.equal(receiver.received.length, 1)
    assert.equal((await show(crm)).consecutive_failures, answer === 200 ? 0 : 1)
  })
}

test('a delivery that fails while its endpoint is disabled is not retried after a reactivation', {
  rules: ['pause.disabled-attempt-is-never-retried'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, patch, only } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  receiver.hold()
  await publish({})
  const delivering = hub.deliver()
  await receiver.until(1)

  await patch(crm, { status: 'disabled' })
  await patch(crm, { status: 'active' })
  receiver.letGo()
  await delivering
  await hub.clock.advance('1 hour')
  await hub.deliver()

  assert.equal((await only(crm)).status, 'canceled')
  assert.equal(receiver.received.length, 1)
})

test('when an endpoint is disabled while two hubs deliver, each delivery is either attempted or canceled', {
  rules: ['pause.disabling-cancels-at-once'],
}, async (t) => {
  const { hub, receiver, endpoint, publishMany, patch } = await startWebhooks(t)
  const hubs = [hub, await startSecondHub(t, receiver)]
  const crm = await endpoint()
  await publishMany(400)
  // So that the change finds deliveries that have not been attempted.
  receiver.hold(() => receiver.received.length > 40)

  const delivering = Promise.all(hubs.map((one) => one.deliver()))
  await receiver.until(41)
  await patch(crm, { status: 'disabled' })
  receiver.letGo()
  await delivering
  await hub.runJobs()

  const rows = await hub.sql<{ status: string; attempts: number; count: number }[]>`
    select status, attempts, count(*)::int
    from deliveries
    where endpoint_id = ${crm.id}
    group by status, attempts
    order by status`
  const [canceled, succeeded] = rows
  assert.deepEqual([canceled?.status, canceled?.attempts], ['canceled', 0])
  assert.deepEqual([succeeded?.status, succeeded?.attempts], ['succeeded', 1])
  assert.equal(rows.length, 2)
  assert.equal(succeeded!.count, receiver.received.length)
  assert.equal(canceled!.count + succeeded!.count, 400)
})
