import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel, listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { createRequests, eventually, parseEnvelope, startSecondHub, startWebhooks } from '../test/fixture.ts'

for (const payload_mode of ['normalized', 'upstream_raw']) {
  for (const delivery_format of ['native', 'compat']) {
    test(`a test of a ${delivery_format} endpoint in the mode ${payload_mode} is the envelope of webhook.test`, {
      rules: ['event.test-data-names-the-endpoint', 'test.queues-a-synthetic-event', 'test.follows-the-payload-mode'],
    }, async (t) => {
      const { hub, endpoint, sendTest, only, arrived } = await startWebhooks(t)
      const crm = await endpoint({ payload_mode, delivery_format })

      const { status, body } = await sendTest(crm)
      const queued = await only(crm)
      await hub.deliver()

      assert.equal(status, 202)
      const { event_id, delivery_id } = body.data
      assert.deepEqual(body, { data: { event_id, delivery_id, status: 'pending' } })
      assert.deepEqual([queued.id, queued.event, queued.status], [delivery_id, 'webhook.test', 'pending'])
      const [one] = arrived(crm)
      const { occurred_at: _when, data, ...envelope } = parseEnvelope(one!)
      assert.deepEqual(envelope, { id: event_id, event: 'webhook.test', channel_id: null })
      assert.deepEqual(Object.keys(data), ['webhook_id', 'message'])
      assert.equal(data.webhook_id, crm.id)
      assert.equal(one?.headers['x-hub-delivery-id'], delivery_id)
      assert.equal((await only(crm)).status, 'succeeded')
    })
  }
}

test('a test goes to its endpoint only, regardless of subscriptions', {
  rules: ['test.ignores-event-types'],
}, async (t) => {
  const { hub, acme, endpoint, sendTest, arrived, log } = await startWebhooks(t)
  const channel = await createChannel(acme)
  const [narrow, wide] = [
    await endpoint({ event_types: ['message.received'], all_channels: false, channel_ids: [channel.id] }),
    await endpoint({ event_types: ['webhook.test'] }),
  ]

  await sendTest(narrow)
  await hub.deliver()

  assert.equal(arrived(narrow).length, 1)
  assert.deepEqual(await log(wide), [])
})

test('a test that fails is retried, and counts as a failure of its endpoint', {
  rules: ['test.follows-the-payload-mode'],
}, async (t) => {
  const { hub, receiver, endpoint, sendTest, only, show } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)

  await sendTest(crm)
  await hub.deliver()

  assert.equal((await only(crm)).status, 'retry')
  assert.equal((await show(crm)).consecutive_failures, 1)
})

test('a test is 202 while its receiver has not responded, and although it then fails', {
  rules: ['test.queues-a-synthetic-event'],
}, async (t) => {
  const { receiver, endpoint, sendTest, only } = await startWebhooks(t, { isDelivering: true })
  const crm = await endpoint()
  receiver.answer(500)
  receiver.hold()

  const { status, body } = await sendTest(crm)
  await receiver.until(1)
  const held = await only(crm)
  receiver.letGo()
  await eventually(async () => (await only(crm)).status === 'retry')

  assert.deepEqual([status, body.data.status], [202, 'pending'])
  assert.equal(held.status, 'processing')
})

test("an endpoint that is paused, disabled, unknown or another organization's cannot be tested", {
  rules: ['test.inactive-endpoint-is-404'],
}, async (t) => {
  const { hub, receiver, endpoint, patch, sendTest, log } = await startWebhooks(t)
  const theirs = createRequests(hub, receiver, await hub.organization())
  const [paused, disabled, foreign] = [await endpoint(), await endpoint(), await theirs.endpoint()]
  await patch(paused, { status: 'paused' })
  await patch(disabled, { status: 'disabled' })

  const answers = [
    await sendTest(paused),
    await sendTest(disabled),
    await sendTest(foreign),
    await sendTest({ id: newId() }),
  ]

  for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  for (const one of [paused, disabled]) assert.deepEqual(await log(one), [])
  assert.deepEqual(await theirs.log(foreign), [])
})

test('an endpoint may be tested ten times an hour, and the refusal has Retry-After', {
  rules: ['test.ten-an-hour'],
}, async (t) => {
  const { hub, endpoint, sendTest, log } = await startWebhooks(t)
  const [crm, erp] = [await endpoint(), await endpoint()]

  const first = []
  for (let count = 0; count < 10; count++) first.push(await sendTest(crm))
  await hub.clock.advance('20 minutes')
  const refused = await sendTest(crm)
  const other = await sendTest(erp)
  await hub.clock.advance('40 minutes')
  const later = await sendTest(crm)

  assert.deepEqual(
    first.map(({ status }) => status),
    Array(10).fill(202),
  )
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMITED'])
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(seconds > 2300 && seconds <= 2400, `${seconds} s`)
  assert.deepEqual([other.status, later.status], [202, 202])
  assert.equal((await log(crm)).length, 11)
})

test('tests and the other webhook routes have separate rate limits', async (t) => {
  const { acme, endpoint, sendTest } = await startWebhooks(t)
  const crm = await endpoint()

  const tested = await sendTest(crm)
  let last = await acme.get(`/api/v1/webhooks/${crm.id}`)
  while (last.status === 200) last = await acme.get(`/api/v1/webhooks/${crm.id}`)
  const again = await sendTest(crm)

  assert.deepEqual([tested.status, tested.headers.get('ratelimit-limit')], [202, '10'])
  assert.deepEqual([last.status, last.headers.get('ratelimit-limit')], [429, '120'])
  assert.equal(again.status, 202)
})

test('the rate limit headers of a test show the limit with the fewest requests left', {
  rules: ['test.headers-show-the-tightest-limit'],
}, async (t) => {
  const { acme, endpoint, sendTest } = await startWebhooks(t)
  const [crm, ...others] = [await endpoint(), await endpoint()]
  const readLimit = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`))

  const first = await sendTest(crm)
  const second = await sendTest(crm)
  let general = first
  // A test of an endpoint that does not exist counts against the general limit alone.
  for (let count = 0; count < 593; count++) general = await acme.post(`/api/v1/webhooks/${newId(new Date())}/test`)
  const last = await sendTest(others[0]!)

  assert.deepEqual([first, second].map(readLimit), [
    ['10', '9'],
    ['10', '8'],
  ])
  assert.deepEqual([general.status, ...readLimit(general)], [404, '600', '5'])
  assert.deepEqual([last.status, ...readLimit(last)], [202, '600', '4'])
  const seconds = Number(second.headers.get('ratelimit-reset'))
  assert.ok(seconds > 60 && seconds <= 3600, `${seconds} s`)
})

test('exactly ten of many concurrent tests are accepted over two processes', {
  rules: ['test.ten-an-hour'],
}, async (t) => {
  const { hub, receiver, acme, endpoint, log } = await startWebhooks(t)
  const beside = await startSecondHub(t, receiver)
  const crm = await endpoint()
  const clients = [hub, beside].map(({ anonymous }) => anonymous.with({ authorization: `Bearer ${acme.key}` }))

  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => clients[index % 2]!.post(`/api/v1/webhooks/${crm.id}/test`)),
  )

  const statuses = answers.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [...Array(10).fill(202), ...Array(14).fill(429)])
  assert.equal((await log(crm)).length, 10)
})

test('a test that is 404 does not count against the ten', { rules: ['test.ten-an-hour'] }, async (t) => {
  const { endpoint, patch, sendTest } = await startWebhooks(t)
  const crm = await endpoint()
  await patch(crm, { status: 'paused' })
  for (let count = 0; count < 12; count++) assert.equal((await sendTest(crm)).status, 404)
  await patch(crm, { status: 'active' })

  const answers = []
  for (let count = 0; count < 11; count++) answers.push((await sendTest(crm)).status)

  assert.deepEqual(answers, [...Array(10).fill(202), 429])
})

test('an accepted test is in the audit log, a refused one is not', async (t) => {
  const { acme, endpoint, patch, sendTest } = await startWebhooks(t)
  const crm = await endpoint()

  await sendTest(crm)
  await patch(crm, { status: 'paused' })
  await sendTest(crm)

  const entries = (await listAuditEntries(acme, crm.id)).filter(({ action }) => action === 'webhook.tested')
  assert.deepEqual(
    entries.map(({ actor }) => actor.type),
    ['api_key'],
  )
})
