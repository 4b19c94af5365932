import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startHub, type TestHub } from '../../../test/hub.ts'
import { createChannel } from '../../../test/hub-with-upstream.ts'
import { newId } from '../../kernel/ids.ts'
import { startFacade } from '../facade/test/fixture.ts'
import { openStream } from '../live-updates/test/stream.ts'
import type { LoggedRequest, RequestErrorGroup } from './schemas.ts'

type Reader = { organizationId: string; get: TestHub['anonymous']['get'] }

const KEPT = 10_000

/** The log after all that was answered is written. */
async function readLog(hub: TestHub, reader: Reader, query = ''): Promise<LoggedRequest[]> {
  await hub.context.requestLog.flush()
  const answer = await reader.get(`/console/organizations/${reader.organizationId}/requests?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.requests
}

async function readErrors(hub: TestHub, reader: Reader, query = ''): Promise<RequestErrorGroup[]> {
  await hub.context.requestLog.flush()
  const answer = await reader.get(`/console/organizations/${reader.organizationId}/requests/errors?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.errors
}

/** A hub, an organization's key and a person who reads its log. */
async function startLog(t: Parameters<typeof startHub>[0], options: Parameters<typeof startHub>[1] = {}) {
  const hub = await startHub(t, options)
  const acme = await hub.organization()
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  return { hub, acme, ana }
}

/** Stores requests as if they had been logged before. */
async function fill({ sql }: TestHub, organizationId: string, count: number, age = '0 seconds'): Promise<void> {
  await sql`
    with position as (
      insert into request_log_positions as p (organization_id, written) values (${organizationId}, ${count})
      on conflict (organization_id) do update set written = p.written + excluded.written
      returning written
    )
    insert into logged_requests (organization_id, number, answered_at, request_id, method, route, path, status,
      duration_ms, credential_type, credential_id)
    select ${organizationId}, p.written - ${count}::int + n, hub_now() - ${age}::interval, hub_id(), 'GET', '/api/v1/usage',
      '/api/v1/usage', 200, 1, 'api_key', hub_id()
    from position p, generate_series(1, ${count}::int) n`
}

test('a request of an API key is logged with its route, path, status, credential, address and request id', {
  rules: ['requests.logs-keys-and-tokens', 'requests.path-holds-ids-only'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t)
  const { id } = await createChannel(acme)
  const before = hub.clock.now().getTime()

  const found = await acme.get(`/api/v1/channels/${id}`)
  const missing = await acme.get(`/api/v1/channels/${id}/messages?limit=0`)

  const [newest, older] = await readLog(hub, ana)
  assert.equal(newest?.request_id, missing.headers.get('x-request-id'))
  assert.equal(newest?.error_code, 'INVALID_REQUEST')
  assert.equal(newest?.status, 400)
  assert.deepEqual(
    { ...older, duration_ms: 0, answered_at: '', number: 0 },
    {
      number: 0,
      request_id: found.headers.get('x-request-id'),
      answered_at: '',
      method: 'GET',
      route: '/api/v1/channels/:id',
      path: `/api/v1/channels/${id}`,
      status: 200,
      duration_ms: 0,
      error_code: null,
      credential: { type: 'api_key', id: acme.keyId, name: 'test key', channel_id: null },
      ip: '127.0.0.1',
    },
  )
  assert.ok((older?.duration_ms ?? -1) >= 0)
  assert.ok(Math.abs(Date.parse(older?.answered_at ?? '') - before) < 60_000)
})

test('requests of a session, of an unknown credential, of no route and of a public route are not logged', {
  rules: ['requests.logs-keys-and-tokens'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t)
  const unknown = hub.anonymous.with(bearer('hub_sk_unknown'))

  await ana.get('/api/v1/usage')
  await unknown.get('/api/v1/usage')
  await acme.get('/api/v1/nothing')
  await acme.get('/health')

  assert.deepEqual(await readLog(hub, ana), [])
})

test('a request over the rate limit and one without its scope are logged with their error codes', {
  rules: ['requests.logs-keys-and-tokens'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['webhooks:read'])
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })

  await acme.get('/api/v1/audit-log')
  for (let i = 0; i <= 120; i++) await acme.get('/api/v1/webhooks')

  assert.deepEqual(
    [...new Set((await readLog(hub, ana, 'limit=100')).map((request) => request.error_code))],
    ['RATE_LIMITED', null],
  )
  const [first] = await readLog(hub, ana, 'error_code=INSUFFICIENT_SCOPE')
  assert.equal(first?.route, '/api/v1/audit-log')
})

test('a call of the facade is logged with its channel, and its number only if it was accepted', {
  rules: ['requests.logs-keys-and-tokens', 'requests.path-holds-ids-only'],
}, async (t) => {
  const { hub, acme, channel, client } = await startFacade(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const { phoneNumberId } = channel.number

  await client.get(`/upstream/v25.0/${phoneNumberId}?fields=id`)
  await client.post('/upstream/5511987654321/messages', {})

  const [refused, accepted] = await readLog(hub, ana)
  assert.equal(accepted?.path, `/upstream/v25.0/${phoneNumberId}`)
  assert.equal(accepted?.route, '/upstream/:id')
  assert.equal(accepted?.credential.channel_id, channel.id)
  assert.equal(refused?.path, '/upstream/:id/messages')
  assert.equal(refused?.error_code, 'NOT_FOUND')
})

test('nothing of bodies, headers, query strings and texts in place of ids is stored', {
  rules: ['requests.path-holds-ids-only'],
}, async (t) => {
  const { hub, acme } = await startLog(t)
  const canary = `canary${newId()}`

  await acme.post('/api/v1/webhooks', { name: canary, url: `https://x.example/${canary}` })
  await acme.get(`/api/v1/channels?cursor=${canary}`)
  await acme.get(`/api/v1/channels/${canary}`)
  await acme.post(`/api/v1/webhooks/${newId()}/replay/${canary}`)
  await acme.get('/api/v1/usage', { headers: { 'user-agent': canary } })
  await hub.context.requestLog.flush()

  const [stored] = await hub.sql<{ count: number; text: string }[]>`
    select count(*)::int as count, string_agg(l::text, ' ') as text
    from logged_requests l
    where organization_id = ${acme.organizationId}`
  assert.equal(stored?.count, 5)
  assert.ok(!stored?.text.includes('canary'), stored?.text)
})

test('each filter narrows the log, and pages follow each other without a gap', {
  rules: ['requests.list-has-filters'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t)
  const other = await hub.channelToken(acme.organizationId, (await createChannel(acme)).id, ['channels:read'])
  await hub.context.requestLog.flush()
  await hub.clock.advance('1 hour')
  const since = hub.clock.now().toISOString()
  const calls = [
    await acme.get('/api/v1/usage'),
    await acme.get(`/api/v1/webhooks/${newId()}`),
    await acme.get('/api/v1/channels?limit=0'),
    await other.get('/api/v1/usage'),
  ]
  const ids = calls.map(({ headers }) => headers.get('x-request-id'))
  const read = async (query: string) =>
    (await readLog(hub, ana, query)).map(({ request_id }) => ids.indexOf(request_id)).reverse()

  assert.deepEqual(await read(`since=${since}`), [0, 1, 2, 3])
  assert.deepEqual(await read(`since=${since}&status=2xx`), [0])
  assert.deepEqual(await read('status=404'), [1])
  assert.deepEqual(await read('status=4xx'), [1, 2, 3])
  assert.deepEqual(await read('method=DELETE'), [])
  assert.deepEqual(await read('route=/api/v1/webhooks/:id'), [1])
  assert.deepEqual(await read(`credential_id=${other.id.toUpperCase()}`), [3])
  assert.deepEqual(await read('error_code=INVALID_REQUEST'), [2])
  assert.deepEqual(await read(`request_id=${ids[2]}`), [2])
  const [{ number = 0 } = {}] = await readLog(hub, ana, `request_id=${ids[1]}`)
  assert.deepEqual(await read(`number=${number}`), [1])
  assert.deepEqual(await read(`until=${since}&status=4xx`), [])
  const path = `/console/organizations/${acme.organizationId}/requests?status=4xx&limit=2`
  const first = (await ana.get(path)).body.data
  const second = (await ana.get(`${path}&cursor=${first.next_cursor}`)).body.data
  assert.deepEqual(
    [...first.requests, ...second.requests].map(({ request_id }) => ids.indexOf(request_id)),
    [3, 2, 1],
  )
  assert.equal(second.next_cursor, null)
  assert.equal((await ana.get(`${path.replace('4xx', '5xx')}&cursor=${first.next_cursor}`)).status, 400)
})

for (const query of [
  'status=6xx',
  'status=abc',
  'method=TRACE',
  'request_id=1',
  'limit=101',
  'number=0',
  'number=9007199254740993',
  'since=today',
  'path=x',
]) {
  test(`the query ${query} of the log is refused`, { rules: ['requests.list-has-filters'] }, async (t) => {
    const { acme, ana } = await startLog(t)

    const answer = await ana.get(`/console/organizations/${acme.organizationId}/requests?${query}`)

    assert.equal(answer.status, 400)
    assert.equal(answer.body.error.code, 'INVALID_REQUEST')
  })
}

test('failed requests are counted by error code and route, with the last request of each', {
  rules: ['requests.errors-are-counted'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t)

  for (let i = 0; i < 3; i++) await acme.get(`/api/v1/webhooks/${newId()}`)
  const last = await acme.get(`/api/v1/webhooks/${newId()}`)
  await acme.get('/api/v1/channels?limit=0')
  await acme.get('/api/v1/usage')

  const [most, least, ...rest] = await readErrors(hub, ana)
  assert.deepEqual(
    { ...most, last_at: '' },
    {
      error_code: 'NOT_FOUND',
      status: 404,
      method: 'GET',
      route: '/api/v1/webhooks/:id',
      count: 4,
      last_at: '',
      last_request_id: last.headers.get('x-request-id'),
    },
  )
  assert.equal(least?.error_code, 'INVALID_REQUEST')
  assert.deepEqual(rest, [])
  await hub.clock.advance('1 hour')
  assert.deepEqual(await readErrors(hub, ana, `since=${hub.clock.now().toISOString()}`), [])
})

test('every role reads the log, and a person of another organization, a key and an anonymous client do not', {
  rules: ['requests.members-read-their-own'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t)
  const other = await hub.person()
  await acme.get('/api/v1/usage')

  assert.equal((await readLog(hub, ana)).length, 1)
  for (const path of ['requests', 'requests/errors']) {
    const url = `/console/organizations/${acme.organizationId}/${path}`
    assert.equal((await other.get(url)).status, 404)
    assert.equal((await acme.get(url)).status, 401)
    assert.equal((await hub.anonymous.get(url)).status, 401)
  }
})

test('an organization keeps its newest 10,000 requests, and another one keeps its own', {
  rules: ['requests.keeps-the-newest-10000'],
}, async (t) => {
  const { hub, acme } = await startLog(t)
  const quiet = await hub.organization()
  await fill(hub, acme.organizationId, KEPT)
  await fill(hub, quiet.organizationId, 1)

  for (let i = 0; i < 3; i++) await acme.get('/api/v1/usage')
  await quiet.get('/api/v1/usage')
  await hub.context.requestLog.flush()

  const kept = await hub.sql`
    select organization_id, count(*)::int as count, min(number)::int as first, max(number)::int as last
    from logged_requests
    where organization_id in (${acme.organizationId}, ${quiet.organizationId})
    group by organization_id
    order by count desc`
  assert.deepEqual(
    kept.map(({ count, first, last }) => [count, first, last]),
    [
      [KEPT, 4, KEPT + 3],
      [2, 1, 2],
    ],
  )
})

test('the job deletes requests after 7 days, and numbers go on', {
  rules: ['requests.keeps-the-newest-10000'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t)
  await fill(hub, acme.organizationId, 7, '7 days 1 minute')
  await fill(hub, acme.organizationId, 1, '6 days 23 hours')

  await hub.context.requestLog.deleteOld()
  await acme.get('/api/v1/usage')

  assert.deepEqual(
    (await readLog(hub, ana)).map(({ number }) => number),
    [9, 8],
  )
})

test('the job deletes old requests of every organization, in more than one batch, and no others', {
  rules: ['requests.keeps-the-newest-10000'],
}, async (t) => {
  const { hub } = await startLog(t)
  const organizations: string[] = []
  for (let i = 0; i < 25; i++) organizations.push((await hub.organization()).organizationId)
  const [long = '', ...others] = organizations
  await fill(hub, long, 1100, '8 days')
  for (const id of organizations) await fill(hub, id, 2, '8 days')
  for (const id of others) await fill(hub, id, 1, '1 day')

  await Promise.all([hub.context.requestLog.deleteOld(), hub.context.requestLog.deleteOld()])

  const kept = await hub.sql<{ organization_id: string; ages: number }[]>`
    select organization_id, extract(day from hub_now() - answered_at)::int as ages
    from logged_requests
    where organization_id = any(${organizations}::uuid[])
    order by 1`
  assert.deepEqual(
    kept.map(({ organization_id }) => organization_id),
    others.toSorted(),
  )
  assert.ok(kept.every(({ ages }) => ages === 1))
})

test('two processes that write at once give each request a number of its own', {
  rules: ['requests.keeps-the-newest-10000'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t)
  const second = await startHub(t, { isOwn: true })
  const asSecond = second.anonymous.with(bearer(acme.key))

  for (let i = 0; i < 5; i++) await Promise.all([acme.get('/api/v1/usage'), asSecond.get('/api/v1/usage')])
  await Promise.all([hub.context.requestLog.flush(), second.context.requestLog.flush()])

  const numbers = (await readLog(hub, ana)).map(({ number }) => number)
  assert.deepEqual(numbers, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
})

test('a hub that stops writes what it has answered', { rules: ['requests.log-delays-no-request'] }, async (t) => {
  const { hub, acme, ana } = await startLog(t)
  const stopping = await startHub(t, { isOwn: true })
  await stopping.anonymous.with(bearer(acme.key)).get('/api/v1/usage')

  await stopping.stop()

  assert.equal((await readLog(hub, ana)).length, 1)
})

test('requests beyond the room in memory are dropped and counted, and leave room for other organizations', {
  rules: ['requests.log-delays-no-request'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t, { isOwn: true, timeouts: {} })
  const busy = await hub.organization()
  const { organizationId } = busy
  const actor = { type: 'api_key' as const, id: busy.keyId, name: null }

  for (let i = 0; i < 1200; i++) {
    hub.context.requestLog.record({
      organizationId,
      initiator: { actor, ip: null, requestId: newId() },
      method: 'GET',
      route: '/api/v1/usage',
      url: '/api/v1/usage',
      status: 200,
      errorCode: undefined,
      durationMs: 1,
      answeredAt: performance.now(),
    })
  }
  await acme.get('/api/v1/usage')

  assert.equal((await readLog(hub, ana)).length, 1)
  const [stored] =
    await hub.sql`select count(*)::int as count from logged_requests where organization_id = ${organizationId}`
  assert.equal(stored?.count, 1000)
  const metrics = await hub.anonymous.get('/metrics')
  assert.match(metrics.text, /hubline_request_log_dropped_total\{reason="overflow"\} 200/)
  assert.match(metrics.text, /hubline_request_log_dropped_total\{reason="failed_write"\} 0/)
})

test('a request is answered while the log cannot be written, and what is lost is counted', {
  rules: ['requests.log-delays-no-request'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t, { isOwn: true, timeouts: {} })
  await hub.sql`alter table logged_requests rename to logged_elsewhere`

  const answer = await acme.get('/api/v1/usage')
  await hub.context.requestLog.flush()
  await hub.sql`alter table logged_elsewhere rename to logged_requests`
  await acme.get('/api/v1/usage')

  assert.equal(answer.status, 200)
  assert.equal((await readLog(hub, ana)).length, 1)
  const metrics = await hub.anonymous.get('/metrics')
  assert.match(metrics.text, /hubline_request_log_dropped_total\{reason="failed_write"\} 1/)
})

test('the log of a URL of more than 1,024 characters has the route alone', {
  rules: ['requests.path-holds-ids-only'],
}, async (t) => {
  const { hub, acme, ana } = await startLog(t)

  await acme.get(`/api/v1/channels/${newId()}?x=${'y'.repeat(2000)}`)

  const [request] = await readLog(hub, ana)
  assert.equal(request?.path, '/api/v1/channels/:id')
})

test('an open dashboard learns of logged requests', { rules: ['live.logged-requests'] }, async (t) => {
  const { hub, acme, ana } = await startLog(t)
  const stream = await openStream(t, hub.url, ana)

  await acme.get('/api/v1/usage')
  await hub.context.requestLog.flush()

  assert.deepEqual(Object.keys(await stream.find('request.logged')).sort(), ['id', 'kind'])
})
