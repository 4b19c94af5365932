import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import type { Lookup } from '../../../kernel/net/lookup.ts'
import { type Endpoint, failTimes, startSecondHub, startWebhooks, type WebhookFixture } from '../test/fixture.ts'

async function readHealthEntries({ acme }: WebhookFixture, { id }: Endpoint) {
  const entries = await listAuditEntries(acme, id)
  return entries
    .filter(({ actor }) => actor.type === 'system')
    .map(({ action, details }) => [action, details.consecutive_failures])
}

test('every failed attempt adds one, of first attempts, retries, replays and tests; a success resets the count', {
  rules: ['pause.every-receiver-failure-counts', 'pause.success-resets-the-count'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, sendTest, replay, show, log } = await startWebhooks(t)
  const crm = await endpoint()
  const counts: number[] = []
  const round = async (status: number) => {
    receiver.answer(status)
    await hub.deliver()
    counts.push((await show(crm)).consecutive_failures)
  }

  await publish({})
  await round(500)
  await hub.clock.advance('6 seconds')
  await round(404)
  await sendTest(crm)
  await round(302)
  await hub.clock.advance('2 minutes')
  await round(204)
  const [newest] = await log(crm)
  await replay(crm, newest!)
  await round(503)

  assert.deepEqual(counts, [1, 2, 3, 0, 1])
})

const PUBLIC = [{ address: '93.184.216.34', family: 4 as const }]

/** Failures of a receiver's name, port or certificate, before any request. */
const UNREACHED: [string, string, (port: string) => string][] = [
  ['a name that does not resolve', 'DNS_FAILED', () => 'https://gone.example.com/'],
  ['a name that leads to a private address', 'DESTINATION_NOT_ALLOWED', () => 'https://inside.example.com/'],
  ['an address that is not public', 'DESTINATION_NOT_ALLOWED', () => 'https://10.0.0.1/'],
  ['a port that is not allowed', 'DESTINATION_NOT_ALLOWED', () => 'http://127.0.0.1:1/'],
  ['a receiver that speaks no TLS', 'TLS_FAILED', (port) => `https://127.0.0.1:${port}/`],
]

for (const [what, code, urlOf] of UNREACHED) {
  test(`${what} is a failure of the endpoint, ${code}`, {
    rules: [
      'pause.every-receiver-failure-counts',
      'destination.is-checked-before-every-delivery',
      'destination.unresolved-name-fails-the-delivery',
    ],
  }, async (t) => {
    const names: Record<string, typeof PUBLIC> = { 'inside.example.com': [{ address: '10.0.0.1', family: 4 }] }
    const lookup: Lookup = async ({ name }) => {
      const found = names[name]
      if (!found) throw Object.assign(new Error('No such name'), { code: 'ENOTFOUND' })
      return found
    }
    const { hub, receiver, endpoint, publish, only, show } = await startWebhooks(t, { lookup })
    const crm = await endpoint()
    const url = urlOf(receiver.destination.split(':')[1]!)
    await hub.sql`update webhook_endpoints set url = ${url}, version = version + 1 where id = ${crm.id}`

    await publish({})
    await hub.deliver()

    const { status, last_error_code, last_http_status } = await only(crm)
    assert.deepEqual([status, last_error_code, last_http_status], ['retry', code, null])
    assert.equal((await show(crm)).consecutive_failures, 1)
    assert.equal(receiver.received.length, 0)
  })
}

test('failures count for their own endpoint only', async (t) => {
  const { hub, receiver, endpoint, publishMany, show } = await startWebhooks(t)
  const [crm, erp] = [await endpoint(), await endpoint()]
  receiver.answer(({ path }) => (path === crm.path ? 500 : 200))

  await publishMany(3)
  await hub.deliver()

  assert.equal((await show(crm)).consecutive_failures, 3)
  assert.equal((await show(erp)).consecutive_failures, 0)
})

test('the twentieth consecutive failure pauses an endpoint, with one entry in the audit log', {
  rules: ['pause.after-20-failures'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, endpoint, publish, show } = fixture
  const crm = await endpoint()
  await failTimes(fixture, 19)
  const before = await show(crm)
  const entriesBefore = await readHealthEntries(fixture, crm)

  await hub.clock.advance('20 seconds')
  await publish({})
  await hub.deliver()

  assert.deepEqual([before.status, before.consecutive_failures], ['active', 19])
  assert.deepEqual(entriesBefore, [
    ['webhook.failing', 10],
    ['webhook.failing', 15],
  ])
  const after = await show(crm)
  assert.deepEqual([after.status, after.consecutive_failures], ['paused', 20])
  assert.deepEqual(await readHealthEntries(fixture, crm), [...entriesBefore, ['webhook.paused', 20]])
  await hub.clock.advance('1 hour')
  await hub.deliver()
  assert.equal(receiver.received.length, 20)
})

test('the audit entries of an automatic pause have the actor system', async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()

  await failTimes(fixture, 20)

  const entry = (await listAuditEntries(fixture.acme, crm.id)).find(({ action }) => action === 'webhook.paused')
  assert.deepEqual(entry?.actor, { type: 'system', id: null, name: null })
  assert.deepEqual(entry?.details.changes, { status: { from: 'active', to: 'paused' } })
  assert.equal(entry?.request_id, null)
})

test('the pause of a failing endpoint is endpoint.paused, once, at the other endpoints', {
  rules: ['event.pause-becomes-endpoint-paused'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, endpoint, publish, show, arrived } = fixture
  const crm = await endpoint()
  const watching = await endpoint({ event_types: ['endpoint.paused'] })
  const before = hub.clock.now()
  await failTimes(fixture, 19)

  receiver.answer(({ path }) => ({ status: path === crm.path ? 500 : 200 }))
  for (let turns = 0; turns < 3; turns++) {
    await hub.clock.advance('20 seconds')
    await publish({})
    await hub.deliver()
  }

  const received = arrived(watching).map(({ body }) => JSON.parse(`${body}`))
  assert.equal(received.length, 1)
  const [{ event, channel_id, data }] = received
  assert.deepEqual([event, channel_id], ['endpoint.paused', null])
  const { id, name } = await show(crm)
  assert.deepEqual({ ...data, since: undefined }, { webhook: { id, name }, failures: 20, since: undefined })
  assert.ok(Date.parse(data.since) >= before.getTime() && Date.parse(data.since) <= hub.clock.now().getTime())
})

test('a success restarts the count and the warnings', { rules: ['pause.success-resets-the-count'] }, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, endpoint, sendTest, show } = fixture
  const crm = await endpoint()
  await failTimes(fixture, 12)
  receiver.answer(200)
  await sendTest(crm)
  await hub.deliver()
  await hub.clock.advance('10 minutes')
  await hub.deliver()

  await failTimes(fixture, 19)

  const { status, consecutive_failures } = await show(crm)
  assert.deepEqual([status, consecutive_failures], ['active', 19])
  assert.deepEqual(await readHealthEntries(fixture, crm), [
    ['webhook.failing', 10],
    ['webhook.failing', 10],
    ['webhook.failing', 15],
  ])
})

test('a reactivated endpoint starts without failures, resumes its held deliveries, and may be paused again', {
  rules: ['pause.holds-open-deliveries', 'pause.patch-to-active-ends-it'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, endpoint, patch, show, statuses } = fixture
  const crm = await endpoint()
  await failTimes(fixture, 20)
  await hub.clock.advance('6 seconds')

  await patch(crm, { status: 'active' })
  const resumed = await show(crm)
  await hub.deliver()
  const again = await show(crm)
  for (let turns = again.consecutive_failures; turns < 20; turns++) {
    await hub.clock.advance('2 minutes')
    await hub.deliver()
  }
  const pausedAgain = await show(crm)
  await patch(crm, { status: 'active' })
  receiver.answer(200)
  await hub.clock.advance('1 hour')
  await hub.deliver()

  assert.deepEqual([resumed.status, resumed.consecutive_failures], ['active', 0])
  assert.equal(again.status, 'active')
  assert.ok(again.consecutive_failures >= 5, 'held deliveries are attempted at once, until the attempts are spaced')
  assert.deepEqual([pausedAgain.status, pausedAgain.consecutive_failures], ['paused', 20])
  assert.equal((await readHealthEntries(fixture, crm)).filter(([action]) => action === 'webhook.paused').length, 2)
  assert.deepEqual(await statuses(crm), Array(20).fill('succeeded'))
  assert.deepEqual([(await show(crm)).status, (await show(crm)).consecutive_failures], ['active', 0])
})

for (const [answer, status, failures] of [
  [200, 'succeeded', 0],
  [500, 'retry', 20],
] as const) {
  test(`an attempt that ends with ${answer} after the automatic pause is ${status}, and the endpoint stays paused`, {
    rules: ['pause.attempt-under-way-is-recorded'],
  }, async (t) => {
    const fixture = await startWebhooks(t)
    const { hub, receiver, endpoint, publish, show, only, log } = fixture
    const beside = await startSecondHub(t, receiver)
    const crm = await endpoint()
    const isSlow = ({ body }: { body: Buffer }) => body.includes('slow')
    receiver.hold(isSlow)
    await publish({ data: { change: { field: 'slow' } } })
    const slow = await only(crm)
    const delivering = hub.deliver()
    await receiver.until(1)
    await failTimes({ ...fixture, hub: beside }, 20)
    const before = await show(crm)
    receiver.answer(answer)

    receiver.letGo()
    await delivering

    assert.deepEqual([before.status, before.consecutive_failures], ['paused', 20])
    const late = (await log(crm)).find(({ id }) => id === slow.id)
    const { status: endpointStatus, consecutive_failures } = await show(crm)
    assert.deepEqual([late?.status, late?.last_http_status], [status, answer])
    assert.deepEqual([endpointStatus, consecutive_failures], ['paused', failures])
    assert.equal((await readHealthEntries(fixture, crm)).filter(([action]) => action === 'webhook.paused').length, 1)
  })
}
