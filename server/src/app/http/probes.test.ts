import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { breakableDatabase } from '../../../test/breakable-database.ts'
import { testDatabase, withServer } from '../../../test/database.ts'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { holdTransaction } from '../../../test/hub-with-upstream.ts'

const WORKER = {
  ROLE: 'worker',
  DATABASE_URL: 'postgres://hub@db/hub',
  SEALING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  UPSTREAM_URL: 'https://graph.example.com',
  UPSTREAM_APP_ID: '1',
  UPSTREAM_APP_SECRET: 's',
  UPSTREAM_CONFIG_ID: '2',
  UPSTREAM_VERIFY_TOKEN: 'v',
}

/** Polls until the hub is ready again. */
async function untilReady({ anonymous }: TestHub, t: TestContext): Promise<void> {
  while (!t.signal.aborted && (await anonymous.get('/ready')).status !== 200);
}

test('both probes respond without a credential', {
  rules: [
    'probe.health-and-ready-need-no-credential',
    'probe.health-is-200-while-healthy',
    'probe.ready-is-503-without-a-dependency',
  ],
}, async (t) => {
  const { anonymous } = await startHub(t)

  const [health, ready] = [await anonymous.get('/health'), await anonymous.get('/ready')]

  assert.deepEqual([health.status, health.body], [200, { data: { status: 'ok' } }])
  assert.deepEqual([ready.status, ready.body], [200, { data: { status: 'ready' } }])
})

test('without a database the hub is alive but not ready, and its API is 503', {
  rules: ['probe.ready-is-503-without-a-dependency', 'probe.health-is-200-while-healthy'],
}, async (t) => {
  const { sql, stop } = await breakableDatabase(t)
  const hub = await startHub(t, { installation: { sql } })
  const acme = await hub.organization()

  await stop()
  const [health, ready] = [await hub.anonymous.get('/health'), await hub.anonymous.get('/ready')]
  const answers = await Promise.all(Array.from({ length: 8 }, () => acme.get('/api/v1/api-keys')))

  assert.equal(health.status, 200)
  assert.equal(ready.status, 503)
  assert.equal(ready.body.error.code, 'NOT_READY')
  assert.equal(ready.headers.get('retry-after'), '1')
  for (const answer of answers) {
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.body.error.code, 'NOT_READY')
    assert.equal(answer.headers.get('retry-after'), '1')
  }
})

test('probes of a hub that is not ready are no lines beside the one of the outage', {
  rules: ['database.outage-is-two-log-lines'],
}, async (t) => {
  const { sql, stop } = await breakableDatabase(t)
  const hub = await startHub(t, { installation: { sql }, hasTimers: false })

  await stop()
  const probes = [await hub.anonymous.get('/ready'), await hub.anonymous.get('/ready')]

  assert.deepEqual(
    probes.map(({ status }) => status),
    [503, 503],
  )
  const messages: string[] = hub.logs.map((line) => JSON.parse(line).msg)
  assert.deepEqual(
    messages.filter((message) => message.includes('refused')),
    ['the database is unavailable, and requests that need it are refused'],
  )
})

test('a hub whose database cannot authenticate requests is not ready', {
  rules: ['probe.ready-can-authenticate'],
}, async (t) => {
  const hub = await startHub(t, { isOwn: true })
  await hub.sql`alter table credentials rename to unreadable_credentials`

  const refused = await hub.anonymous.get('/ready')
  await hub.sql`alter table unreadable_credentials rename to credentials`
  await untilReady(hub, t)

  assert.deepEqual([refused.status, refused.body.error.code], [503, 'NOT_READY'])
})

test('the hub becomes ready by itself when the database is back', async (t) => {
  const { sql, stop, restore } = await breakableDatabase(t)
  const hub = await startHub(t, { installation: { sql } })
  const acme = await hub.organization()
  await stop()
  assert.equal((await hub.anonymous.get('/ready')).status, 503)

  await restore()
  await untilReady(hub, t)

  const answers = await Promise.all(Array.from({ length: 20 }, () => acme.get('/api/v1/api-keys')))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
})

// Like a proxy without its database, and like a network that drops packets.
for (const mode of ['hang up', 'be silent'] as const) {
  test(`a database whose proxy accepts connections only to ${mode} is unreachable, and the hub recovers by itself`, async (t) => {
    const { sql, disrupt, restore } = await breakableDatabase(t)
    const hub = await startHub(t, { installation: { sql } })
    const acme = await hub.organization()

    disrupt(mode)
    const [ready, refused] = [await hub.anonymous.get('/ready'), await acme.get('/api/v1/api-keys')]
    await restore()
    await untilReady(hub, t)

    assert.equal(ready.status, 503)
    assert.equal(ready.body.error.code, 'NOT_READY')
    assert.equal(refused.status, 503)
    assert.equal(refused.body.error.code, 'NOT_READY')
    assert.equal((await acme.get('/api/v1/api-keys')).status, 200)
  })
}

test('the hub is ready while every connection of its pool is busy', {
  rules: ['probe.ready-is-503-without-a-dependency'],
}, async (t) => {
  const { sql } = await breakableDatabase(t)
  const hub = await startHub(t, { installation: { sql } })
  const acme = await hub.organization()
  const blocker = await holdTransaction(hub.sql, (tx) => tx`lock table channels`)
  const blocked = Array.from({ length: 12 }, () => acme.get('/api/v1/channels'))
  while (
    (await hub.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      .length === 0
  );

  const ready = await hub.anonymous.get('/ready')
  await blocker.release()

  assert.equal(ready.status, 200)
  assert.deepEqual(new Set((await Promise.all(blocked)).map(({ status }) => status)), new Set([200]))
})

// The settings stand in for a replica, and for a disk on which no temporary file can grow.
for (const [setting, reason] of [
  ['default_transaction_read_only = on', 'The database of the hub is read-only.'],
  ['temp_file_limit = 0', 'The hub cannot reach its database, or the database cannot do its work.'],
] as const) {
  test(`a hub whose database cannot write is not ready (${setting})`, {
    rules: ['probe.ready-is-503-without-a-dependency'],
  }, async (t) => {
    // A connection that a job opens meanwhile keeps the setting, so the pool must end with the test.
    const { sql } = await breakableDatabase(t)
    const hub = await startHub(t, { installation: { sql } })
    const [{ name } = {}] = await hub.sql`select current_database() as name`
    await withServer((admin) => admin.unsafe(`alter database ${name} set ${setting}`))

    const ready = await hub.anonymous.get('/ready')
    await withServer((admin) => admin.unsafe(`alter database ${name} reset all`))

    assert.equal(ready.status, 503)
    assert.equal(ready.body.error.message, reason)
  })
}

test('a request whose statement was running when the database went away is 503', async (t) => {
  const { sql, stop } = await breakableDatabase(t)
  const hub = await startHub(t, { installation: { sql } })
  const acme = await hub.organization()
  const { sql: outside } = await testDatabase()
  const isWaiting = () =>
    hub.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

  const blocker = await holdTransaction(outside, (tx) => tx`lock table credentials`)
  const open = acme.get('/api/v1/api-keys')
  while ((await isWaiting()).length === 0);
  await stop()
  const answer = await open
  await blocker.release()

  assert.equal(answer.status, 503, answer.text)
  assert.equal(answer.body.error.code, 'NOT_READY')
})

test('a worker serves only probes and metrics', { rules: ['config.worker-serves-probes-only'] }, async (t) => {
  const { anonymous } = await startHub(t, { env: WORKER })

  for (const path of ['/health', '/ready', '/metrics']) assert.equal((await anonymous.get(path)).status, 200, path)
  for (const path of ['/openapi.json', '/docs', '/api/v1/api-keys', '/console/session', '/']) {
    const res = await anonymous.get(path)
    assert.equal(res.status, 404, path)
    assert.equal(res.body.error.code, 'NOT_FOUND')
  }
})

test('a write to a database that is read-only after a failover is NOT_READY', async (t) => {
  const { sql, restore } = await breakableDatabase(t)
  const hub = await startHub(t, { installation: { sql } })
  const acme = await hub.organization()
  const [{ name } = {}] = await hub.sql`select current_database() as name`
  await withServer((admin) => admin.unsafe(`alter database ${name} set default_transaction_read_only = on`))
  await restore()
  await Promise.allSettled(Array.from({ length: 8 }, () => sql`select pg_sleep(0.01)`))
  await sql`select 1`

  const refused = await acme.post('/api/v1/channels', { name: 'Support' })
  await withServer((admin) => admin.unsafe(`alter database ${name} reset all`))

  assert.equal(refused.status, 503)
  assert.equal(refused.body.error.code, 'NOT_READY')
})

test('a request whose statement takes too long is NOT_READY, and can be repeated', {
  rules: ['probe.ready-is-503-without-a-dependency'],
}, async (t) => {
  const { sql } = await breakableDatabase(t, { statementTimeoutMs: 500 })
  const hub = await startHub(t, { installation: { sql } })
  const acme = await hub.organization()
  const blocker = await holdTransaction(hub.sql, (tx) => tx`lock table channels`)

  const refused = await acme.get('/api/v1/channels')
  await blocker.release()

  assert.equal(refused.status, 503)
  assert.equal(refused.body.error.code, 'NOT_READY')
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]/)
  assert.equal((await acme.get('/api/v1/channels')).status, 200)
})
