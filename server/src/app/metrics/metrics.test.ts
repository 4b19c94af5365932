import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakableDatabase } from '../../../test/breakable-database.ts'
import { bearer, startHub } from '../../../test/hub.ts'
import { sendRaw } from '../../../test/raw-http.ts'
import { newId } from '../../kernel/ids.ts'

test('with METRICS_TOKEN the metrics require it', { rules: ['metrics.need-the-token'] }, async (t) => {
  const { anonymous } = await startHub(t, { env: { METRICS_TOKEN: 'right-token' } })

  const right = await anonymous.get('/metrics', { headers: bearer('right-token') })

  assert.equal(right.status, 200)
  for (const headers of [undefined, bearer('wrong-token'), bearer('right-token2'), { authorization: 'right-token' }]) {
    const res = await anonymous.get('/metrics', headers && { headers })
    assert.equal(res.status, 401)
    assert.equal(res.body.error.code, 'UNAUTHORIZED')
    assert.doesNotMatch(res.text, /right-token/)
  }
})

test('with METRICS_TOKEN a forwarded request needs only the token', async (t) => {
  const { anonymous } = await startHub(t, { env: { METRICS_TOKEN: 'right-token' } })

  const res = await anonymous.get('/metrics', {
    headers: { ...bearer('right-token'), 'x-forwarded-for': '203.0.113.9' },
  })

  assert.equal(res.status, 200)
})

test('without METRICS_TOKEN a request from this machine gets the metrics', {
  rules: ['metrics.without-token-are-loopback-only'],
}, async (t) => {
  const { anonymous } = await startHub(t)

  const res = await anonymous.get('/metrics')

  assert.equal(res.status, 200)
  assert.match(res.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
})

// A page whose own name resolves to this machine is of one origin with the hub.
test('without METRICS_TOKEN a request that names another host is 404', {
  rules: ['metrics.without-token-are-loopback-only'],
}, async (t) => {
  const hub = await startHub(t, { env: { PUBLIC_URL: 'https://hub.example.com' } })
  const get = async (host: string) =>
    (await sendRaw(hub.url, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status
  const { port } = new URL(hub.url)

  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1.nip.io',
    'localhost.evil.example',
    '10.0.0.1',
  ]) {
    assert.equal(await get(host), 404, host)
  }
  for (const host of [`127.0.0.1:${port}`, 'LOCALHOST', `[::1]:${port}`, 'hub.example.com']) {
    assert.equal(await get(host), 200, host)
  }
})

// With a proxy on this machine, every request comes from this machine.
test('without METRICS_TOKEN a forwarded request is 404', {
  rules: ['metrics.without-token-are-loopback-only'],
}, async (t) => {
  const { anonymous } = await startHub(t)

  for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']) {
    const res = await anonymous.get('/metrics', { headers: { [name]: '127.0.0.1' } })
    assert.equal(res.status, 404, name)
    assert.equal(res.body.error.code, 'NOT_FOUND')
  }
})

test('without METRICS_TOKEN a request through a trusted proxy is 404 too', async (t) => {
  const { anonymous } = await startHub(t, { env: { TRUSTED_PROXIES: '127.0.0.0/8' } })

  const res = await anonymous.get('/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })

  assert.equal(res.status, 404)
})

test('requests are counted by method, route and status, and no label contains a tenant or a path', {
  rules: ['metrics.name-no-tenant'],
}, async (t) => {
  const hub = await startHub(t, { isOwn: true })
  const acme = await hub.organization()
  const planted = newId()

  await acme.get('/api/v1/api-keys')
  await acme.post(`/api/v1/api-keys/${planted}/revoke`)
  await hub.anonymous.get(`/planted/${planted}`)
  const { text } = await hub.anonymous.get('/metrics')

  const durations = text.split('\n').filter((line) => line.startsWith('hubline_http_request_duration_seconds_count'))
  assert.deepEqual(durations.sort(), [
    'hubline_http_request_duration_seconds_count{method="GET",route="/api/v1/api-keys",status="200"} 1',
    'hubline_http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1',
    'hubline_http_request_duration_seconds_count{method="POST",route="/api/v1/api-keys/:id/revoke",status="404"} 1',
  ])
  for (const secret of [planted, acme.organizationId, acme.keyId, acme.key, 'planted']) {
    assert.ok(!text.includes(secret), secret)
  }
})

test('without a database the metrics are there, but for those of the queue', {
  rules: ['metrics.survive-the-database'],
}, async (t) => {
  const { sql, stop, restore } = await breakableDatabase(t)
  const { anonymous } = await startHub(t, { installation: { sql } })
  const isQueueShown = (text: string) => /^hubline_delivery_queue_depth \d/m.test(text)
  const before = await anonymous.get('/metrics')

  await stop()
  const without = await anonymous.get('/metrics')
  await restore()

  assert.equal(isQueueShown(before.text), true)
  assert.equal(without.status, 200)
  assert.match(without.text, /^process_cpu_seconds_total /m)
  assert.equal(isQueueShown(without.text), false)
})

test('a metric whose query fails is left out and counted, and the others are shown', {
  rules: ['metrics.failed-query-is-counted'],
}, async (t) => {
  const hub = await startHub(t, { isOwn: true })
  await hub.sql`alter table delivery_queue rename to unreadable_queue`

  const { status, text } = await hub.anonymous.get('/metrics')
  await hub.sql`alter table unreadable_queue rename to delivery_queue`
  const later = await hub.anonymous.get('/metrics')

  assert.equal(status, 200)
  assert.match(text, /^process_cpu_seconds_total /m)
  assert.match(text, /^hubline_listener_streams 0$/m)
  assert.match(text, /^hubline_metric_failures_total\{metric="hubline_delivery_queue_depth"\} 1$/m)
  assert.doesNotMatch(text, /^hubline_delivery_queue_depth/m)
  assert.match(later.text, /^hubline_delivery_queue_depth 0$/m)
})

test('two hubs in one process have separate metrics', async (t) => {
  const [one, other] = [await startHub(t), await startHub(t, { isOwn: true })]

  await one.anonymous.get('/health')
  const { text } = await other.anonymous.get('/metrics')

  assert.doesNotMatch(text, /route="\/health"/)
})

test('a batch that the database refuses is counted by its name, and logged with its cause', async (t) => {
  const hub = await startHub(t, { isOwn: true })

  hub.context.batchSplits.report('sends', new Error('refused'), 12)
  const { text } = await hub.anonymous.get('/metrics')

  assert.match(text, /^hubline_batch_splits_total\{batch="sends"\} 1$/m)
  const line = hub.logs.map((each) => JSON.parse(each)).find(({ batch }) => batch === 'sends')
  assert.deepEqual([line.level, line.count, line.err.message], ['warn', 12, 'refused'])
})

test('with CELL every metric has its mark as a label, and without it none', {
  rules: ['cell.metrics-have-the-mark'],
}, async (t) => {
  const cell = await startHub(t, { env: { CELL: 'br01' } })
  const plain = await startHub(t)
  const readSamples = async (hub: typeof cell) =>
    (await hub.anonymous.get('/metrics')).text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

  const [marked, unmarked] = [await readSamples(cell), await readSamples(plain)]

  assert.deepEqual(
    marked.filter((line) => !line.includes('cell="br01"')),
    [],
  )
  assert.ok(marked.length > 50 && unmarked.length > 50)
  assert.deepEqual(
    unmarked.filter((line) => line.includes('cell=')),
    [],
  )
})
