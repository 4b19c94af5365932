import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contend } from '../../../../test/lock-contention.ts'
import { newId } from '../../../kernel/ids.ts'
import { startWebhooks } from '../test/fixture.ts'

const FIELDS = [
  'attempts',
  'created_at',
  'delivered_at',
  'event',
  'id',
  'last_error_code',
  'last_http_status',
  'next_attempt_at',
  'status',
]
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('the log lists the 50 newest deliveries, queued and final, newest first', {
  rules: ['endpoint.webhooks-can-be-managed', 'delivery.log-shows-the-last-50'],
}, async (t) => {
  const { hub, endpoint, publish, log } = await startWebhooks(t)
  const crm = await endpoint()
  for (let made = 0; made < 30; made++) await publish({})
  await hub.deliver()
  for (let made = 0; made < 25; made++) await publish({})

  const listed = await log(crm)

  const all = await hub.sql<{ id: string }[]>`
    select id from deliveries where endpoint_id = ${crm.id}
    union all
    select id from delivery_queue where endpoint_id = ${crm.id}
    order by id desc`
  assert.equal(all.length, 55)
  assert.deepEqual(
    listed.map(({ id }) => id),
    all.slice(0, 50).map(({ id }) => id),
  )
  assert.deepEqual(
    listed.map(({ status }) => status),
    [...Array(25).fill('pending'), ...Array(25).fill('succeeded')],
  )
  const times = listed.map(({ created_at }) => created_at)
  assert.deepEqual(times, times.toSorted().toReversed())
})

test('a delivery that ends while the log is read is listed once', async (t) => {
  const { endpoint, publish, log } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})

  // The queue is read before the delivery leaves it, and the log after that.
  const listed = await contend(
    async (tx) => {
      await tx`lock table deliveries in access exclusive mode`
      await tx`
        with ended as (delete from delivery_queue where endpoint_id = ${crm.id} returning *)
        insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
        select organization_id, endpoint_id, id, event_id, event_kind, 'succeeded', 1, due_at, created_at
        from ended`
    },
    { waiting: 1, work: () => log(crm) },
  )

  assert.deepEqual(
    listed.map(({ status }) => status),
    ['succeeded'],
  )
})

test('a delivery in any state has the nine fields of the contract', {
  rules: [
    'delivery.moves-through-six-states',
    'delivery.attempt-counts-from-its-claim',
    'delivery.nulls-until-answered',
  ],
}, async (t) => {
  const { hub, receiver, endpoint, publish, only, patch } = await startWebhooks(t)
  const crm = await endpoint()
  const shown = []

  await publish({})
  shown.push(await only(crm))
  receiver.answer(503)
  receiver.hold()
  const delivering = hub.deliver()
  await receiver.until(1)
  shown.push(await only(crm))
  receiver.letGo()
  await delivering
  shown.push(await only(crm))
  await patch(crm, { status: 'disabled' })
  shown.push(await only(crm))

  for (const delivery of shown) {
    assert.deepEqual(Object.keys(delivery).toSorted(), FIELDS)
    assert.equal(delivery.event, 'account.update')
    assert.match(delivery.next_attempt_at, TIMESTAMP)
    assert.match(delivery.created_at, TIMESTAMP)
    assert.equal(delivery.delivered_at, null)
    assert.equal(delivery.id, shown[0]!.id)
  }
  const [pending, processing, retry, canceled] = shown
  assert.deepEqual(readStatus(pending!), ['pending', 0, null, null])
  assert.deepEqual(readStatus(processing!), ['processing', 1, null, null])
  assert.deepEqual(readStatus(retry!), ['retry', 1, 503, 'HTTP_503'])
  assert.deepEqual(readStatus(canceled!), ['canceled', 1, 503, 'HTTP_503'])
  assert.equal(pending!.next_attempt_at, pending!.created_at)
  assert.equal(processing!.next_attempt_at, pending!.next_attempt_at)
  assert.ok(retry!.next_attempt_at > pending!.next_attempt_at)
})

function readStatus(delivery: {
  status: string
  attempts: number
  last_http_status: number | null
  last_error_code: string | null
}) {
  return [delivery.status, delivery.attempts, delivery.last_http_status, delivery.last_error_code]
}

test('a succeeded delivery has delivered_at, the HTTP status and no error code', {
  rules: ['delivery.nulls-until-answered'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, only } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  const pending = await only(crm)
  receiver.answer(204)

  const before = hub.clock.now().toISOString()
  await hub.deliver()
  const after = hub.clock.now().toISOString()

  const succeeded = await only(crm)
  assert.deepEqual(readStatus(succeeded), ['succeeded', 1, 204, null])
  assert.ok(succeeded.delivered_at! >= before && succeeded.delivered_at! <= after)
  assert.deepEqual([succeeded.id, succeeded.created_at], [pending.id, pending.created_at])
})

test('a success clears the error of the delivery, and the attempts keep it', {
  rules: ['delivery.moves-through-six-states'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, only, listAttempts } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  receiver.answer(500)
  await hub.deliver()
  receiver.answer(200)
  await hub.clock.advance('6 seconds')

  await hub.deliver()

  const delivery = await only(crm)
  assert.deepEqual(readStatus(delivery), ['succeeded', 2, 200, null])
  assert.deepEqual(
    (await listAttempts(crm, delivery)).map(({ number, http_status, error_code }) => [number, http_status, error_code]),
    [
      [1, 500, 'HTTP_500'],
      [2, 200, null],
    ],
  )
})

test('next_attempt_at of a final delivery is when its last attempt was due', {
  rules: ['delivery.next-attempt-of-an-ended-one'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, only } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await hub.deliver()
  const { next_attempt_at: dueAt } = await only(crm)
  await hub.clock.advance('1 hour')
  receiver.answer(200)

  await hub.deliver()

  const { status, next_attempt_at, delivered_at } = await only(crm)
  assert.equal(status, 'succeeded')
  assert.equal(next_attempt_at, dueAt)
  assert.ok(delivered_at! > dueAt)
})

test('next_attempt_at of a canceled retry is when its last attempt was due, before and after it leaves the queue', {
  rules: ['delivery.next-attempt-of-an-ended-one'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, only, patch } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  const { next_attempt_at: dueAt } = await only(crm)
  await hub.deliver()
  const waiting = await only(crm)

  await patch(crm, { status: 'disabled' })
  const canceled = await only(crm)
  await hub.runJobs()
  const cleared = await only(crm)

  assert.ok(waiting.next_attempt_at > dueAt)
  for (const { status, attempts, next_attempt_at } of [canceled, cleared]) {
    assert.deepEqual([status, attempts, next_attempt_at], ['canceled', 1, dueAt])
  }
})

test('each failure without a response has an error code and no HTTP status', {
  rules: ['delivery.nulls-until-answered'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, log } = await startWebhooks(t, {
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  const port = receiver.destination.split(':')[1]
  const crm = await endpoint()
  const cases: [string, string][] = [
    [`https://127.0.0.1:${port}/tls`, 'TLS_FAILED'],
    [`http://127.0.0.1:1/`, 'DESTINATION_NOT_ALLOWED'],
    ['https://hooks.example.com/', 'DESTINATION_NOT_ALLOWED'],
  ]

  const codes = []
  for (const [url] of cases) {
    await hub.sql`update webhook_endpoints set url = ${url}, version = version + 1 where id = ${crm.id}`
    await publish({})
    await hub.deliver()
    const [newest] = await log(crm)
    codes.push([newest?.last_error_code, newest?.last_http_status])
  }

  assert.deepEqual(
    codes,
    cases.map(([, code]) => [code, null]),
  )
})

test("the log of an unknown endpoint or of another organization's is 404", async (t) => {
  const { hub, endpoint, publish, log } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  const [delivery] = await log(crm)
  const other = await hub.organization()

  const paths = [
    `/api/v1/webhooks/${crm.id}/deliveries`,
    `/api/v1/webhooks/${newId()}/deliveries`,
    `/api/v1/webhooks/${crm.id}/deliveries/${delivery!.id}`,
    `/api/v1/webhooks/${newId()}/deliveries/${delivery!.id}`,
  ]
  for (const path of paths) {
    const refused = await other.get(path)
    assert.deepEqual([refused.status, refused.body.error.code], [404, 'NOT_FOUND'], path)
  }
})

test('a delivery is found only under its own endpoint', async (t) => {
  const { hub, acme, endpoint, publish, only, log } = await startWebhooks(t)
  const [crm, erp] = [await endpoint(), await endpoint({ event_types: ['phone.quality'] })]
  await publish({})
  await hub.deliver()
  const delivery = await only(crm)

  const wrong = await acme.get(`/api/v1/webhooks/${erp.id}/deliveries/${delivery.id}`)
  const unknown = await acme.get(`/api/v1/webhooks/${crm.id}/deliveries/${newId()}`)
  const malformed = await acme.get(`/api/v1/webhooks/${crm.id}/deliveries/last`)

  assert.deepEqual(await log(erp), [])
  assert.deepEqual([wrong.status, unknown.status, malformed.status], [404, 404, 400])
})

test('the log has no parameters for pages, and refuses them', {
  rules: ['delivery.log-shows-the-last-50'],
}, async (t) => {
  const { acme, endpoint, publish } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({}, {})
  const path = `/api/v1/webhooks/${crm.id}/deliveries`

  const plain = await acme.get(path)
  for (const query of ['limit=1', 'cursor=x', 'page=2']) {
    assert.equal((await acme.get(`${path}?${query}`)).status, 400, query)
  }
  assert.equal(plain.body.data.deliveries.length, 2)
  assert.deepEqual(Object.keys(plain.body.data), ['deliveries'])
})

test("a delivery's details show request and response of each attempt, without secrets", {
  rules: ['delivery.attempt-keeps-its-evidence', 'delivery.details-show-each-attempt'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publish, only } = await startWebhooks(t)
  const crm = await endpoint()
  const answer = 'x'.repeat(5000)
  receiver.answer(() => ({ status: 418, headers: { 'x-why': 'a teapot' }, body: answer }))
  await publish({})
  await hub.deliver()
  const delivery = await only(crm)

  const shown = await acme.get(`/api/v1/webhooks/${crm.id}/deliveries/${delivery.id}`)

  assert.equal(shown.status, 200)
  assert.deepEqual(shown.body.data.delivery, delivery)
  const [attempt, ...more] = shown.body.data.attempts
  assert.deepEqual(more, [])
  assert.deepEqual([attempt.number, attempt.http_status, attempt.error_code], [1, 418, 'HTTP_418'])
  assert.equal(attempt.request_headers['X-Hub-Delivery-Id'], delivery.id)
  assert.equal(attempt.request_headers['X-Hub-Signature-256'], receiver.received[0]?.headers['x-hub-signature-256'])
  assert.equal(attempt.response_headers['x-why'], 'a teapot')
  assert.equal(Buffer.from(attempt.response_body_base64, 'base64').toString(), answer.slice(0, 4096))
  assert.equal(attempt.address, '127.0.0.1')
  assert.ok(attempt.timings.total_ms >= 0)
  assert.match(attempt.ended_at, TIMESTAMP)
  assert.ok(!shown.text.includes(crm.secret))
})

test('the details of a pending delivery have no attempts', async (t) => {
  const { endpoint, publish, only, listAttempts } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})

  assert.deepEqual(await listAttempts(crm, await only(crm)), [])
})
