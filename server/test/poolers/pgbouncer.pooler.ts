import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { parseDatabaseUrl } from '../../src/kernel/db/connection-url.ts'
import { openConnection, SESSION_SETTINGS } from '../../src/kernel/db/driver/connection.ts'
import { isDatabaseUnavailable, openPool, type Pool, type PoolOptions, type Sql } from '../../src/kernel/db/pool.ts'
import { detectPooler, storeSessionSettings } from '../../src/kernel/db/pooler.ts'
import { createSessionLock } from '../../src/kernel/db/session-lock.ts'
import { createClient } from '../client.ts'
import { testDatabase, withServer } from '../database.ts'
import { bearer, startHub } from '../hub.ts'
import { createChannel } from '../hub-with-upstream.ts'
import { runToEnd, startProcess } from '../journeys/processes.ts'
import { startReceiver } from '../receiver.ts'
import { connectWithToken } from '../relay.ts'
import { startUpstream } from '../upstream.ts'
import { hasPreparedStatements, type Settings, startPgbouncer } from './pgbouncer.ts'

const SEALING_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`
const EXPECTED_SETTINGS = { ...SESSION_SETTINGS, statement_timeout: 30_000 }
const isNew = await hasPreparedStatements()
/** An older version refuses the setting. */
const PREPARED: Settings = isNew ? { max_prepared_statements: 200 } : {}
const NO_PREPARED_STATEMENTS =
  'Cannot start: The connection pooler in DATABASE_URL is in transaction mode without prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements, or its session mode.\n'

function open(t: TestContext, url: string, options: Partial<PoolOptions> = {}): Pool {
  const sql = openPool(url, { max: 4, name: 'behind a pooler', ...options })
  t.after(() => sql.end({ timeout: 0 }))
  return sql
}

/** The settings of a session as PostgreSQL has them, in the units of the configuration. */
async function readSettings(sql: { unsafe: Pool['unsafe'] }): Promise<Record<string, string>> {
  const names = Object.keys(EXPECTED_SETTINGS)
  const list = names.map((name) => `'${name}'`).join()
  const rows = await sql.unsafe(`select name, setting from pg_settings where name in (${list})`)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

const asTexts = Object.fromEntries(Object.entries(EXPECTED_SETTINGS).map(([name, value]) => [name, String(value)]))

type Database = { DATABASE_URL: string; DATABASE_DIRECT_URL?: string }

/** Runs a hub and the operator's commands on a database: an organization sends a message, and hears of it. */
async function useHub(t: TestContext, database: Database): Promise<string[]> {
  const up = await startUpstream(t)
  const receiver = await startReceiver(t)
  const env = {
    ...database,
    SEALING_KEYS,
    BILLING: 'off',
    WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination,
    UPSTREAM_URL: up.simulator.url,
    UPSTREAM_CONFIG_ID: '1',
    UPSTREAM_APP_ID: up.simulator.appId,
    UPSTREAM_APP_SECRET: up.simulator.appSecret,
    UPSTREAM_VERIFY_TOKEN: up.simulator.verifyToken,
  }
  const made = await runToEnd('admin', ['create-organization', '--name', 'Acme'], env)
  assert.equal(made.code, 0, made.stderr)
  const hub = await startProcess(t, env)
  const acme = createClient(hub.url, bearer(JSON.parse(made.stdout).api_key), () => {})
  const { id } = await createChannel(acme)
  const connected = await connectWithToken(acme, id, await up.number())
  assert.equal(connected.status, 200, connected.text)
  const endpoint = await acme.post('/api/v1/webhooks', { name: 'all', url: `${receiver.url}/events` })
  assert.equal(endpoint.status, 201, endpoint.text)

  const body = { to: '5511900000001', type: 'text', text: { body: 'Bom dia' } }
  const sent = await acme.post(`/api/v1/channels/${id}/messages`, body, {
    headers: { 'idempotency-key': 'the first message' },
  })
  assert.equal(sent.status, 202, sent.text)
  await receiver.until(1)
  for (const command of ['migrate', 'list-deletions', 'rotate-sealing-key']) {
    const { code, stderr } = await runToEnd('admin', [command], env)
    assert.equal(code, 0, stderr)
  }
  assert.equal(await hub.end('SIGTERM'), 0)
  return receiver.received.map((one) => JSON.parse(one.body.toString()).event)
}

/** Returns how a failing start ends. */
function startRefused(database: Database) {
  return runToEnd('main', [], { ...database, SEALING_KEYS, PORT: '0', SIMULATOR_PORT: '0' })
}

test('behind PgBouncer in session mode a hub becomes ready, sends and delivers, and its commands work', {
  rules: ['database.works-behind-session-poolers'],
}, async (t) => {
  const DATABASE_URL = await startPgbouncer(t, 'session')

  const events = await useHub(t, { DATABASE_URL })

  assert.deepEqual(events, ['message.sent'])
})

test('behind session mode each session has the settings of the hub', async (t) => {
  const sql = open(t, await startPgbouncer(t, 'session'))

  const settings = await Promise.all([1, 2, 3].map(() => readSettings(sql)))

  assert.deepEqual(settings, Array(3).fill(asTexts))
})

const inTransactionMode = isNew ? 'transaction' : 'transaction without prepared statements'
for (const [mode, settings, expected] of [
  ['session', {}, 'session'],
  ['session', { server_round_robin: 1 }, 'session'],
  ['transaction', PREPARED, inTransactionMode],
  ['transaction', { ...PREPARED, default_pool_size: 1 }, inTransactionMode],
  ['transaction', { ...PREPARED, server_round_robin: 1, min_pool_size: 2 }, inTransactionMode],
  ['transaction', isNew ? { max_prepared_statements: 0 } : {}, 'transaction without prepared statements'],
] as const) {
  test(`PgBouncer in ${mode} mode with ${JSON.stringify(settings)} is found to be that`, async (t) => {
    const url = await startPgbouncer(t, mode, settings)
    const sql = open(t, url)
    // Several sessions, of which the pooler may take any.
    await Promise.all([1, 2, 3].map(() => sql.unsafe('select pg_sleep(0.05)')))

    assert.equal(await detectPooler(url, 'test'), expected)
  })
}

test('a database without a pooler is found to have none', async () => {
  const { target } = await testDatabase()

  assert.equal(await detectPooler(target, 'test'), 'none')
})

test('behind transaction mode a hub does not start without DATABASE_DIRECT_URL', {
  rules: ['database.transaction-pooler-needs-a-direct-url'],
}, async (t) => {
  const DATABASE_URL = await startPgbouncer(t, 'transaction', PREPARED)

  const { code, stderr } = await startRefused({ DATABASE_URL })

  const sentence =
    'Cannot start: DATABASE_URL leads to a connection pooler in transaction mode: set DATABASE_DIRECT_URL to the database itself, for locks, notifications and migrations.\n'
  assert.deepEqual({ code, stderr }, { code: 1, stderr: isNew ? sentence : NO_PREPARED_STATEMENTS })
})

test('behind transaction mode with DATABASE_DIRECT_URL a hub works from PgBouncer 1.21 on, and does not start before', {
  rules: ['database.transaction-pooler-needs-a-direct-url', 'database.pooler-must-keep-statements'],
}, async (t) => {
  const database = {
    DATABASE_URL: await startPgbouncer(t, 'transaction', { ...PREPARED, default_pool_size: 3 }),
    DATABASE_DIRECT_URL: (await testDatabase()).target,
  }

  if (isNew) assert.deepEqual(await useHub(t, database), ['message.sent'])
  else {
    const { code, stderr } = await startRefused(database)
    assert.deepEqual({ code, stderr }, { code: 1, stderr: NO_PREPARED_STATEMENTS })
  }
})

test('a pooler in transaction mode that keeps no prepared statements is refused', {
  rules: ['database.pooler-must-keep-statements'],
}, async (t) => {
  const settings = isNew ? { max_prepared_statements: 0 } : {}
  const DATABASE_URL = await startPgbouncer(t, 'transaction', settings)

  const { code, stderr } = await startRefused({ DATABASE_URL, DATABASE_DIRECT_URL: (await testDatabase()).target })

  assert.deepEqual({ code, stderr }, { code: 1, stderr: NO_PREPARED_STATEMENTS })
})

test('a DATABASE_DIRECT_URL that leads to a pooler in transaction mode is refused', {
  rules: ['database.transaction-pooler-needs-a-direct-url'],
}, async (t) => {
  const url = await startPgbouncer(t, 'transaction', PREPARED)

  const { code, stderr } = await startRefused({ DATABASE_URL: url, DATABASE_DIRECT_URL: url })

  assert.equal(code, 1)
  assert.match(stderr, /^Cannot start: DATABASE_DIRECT_URL leads to a connection pooler in transaction mode, .*\n$/)
})

for (const [what, mode, settings, reason] of [
  ['in statement mode', 'statement', PREPARED, 'transaction blocks not allowed in statement pooling mode'],
  ['with one session', 'session', { default_pool_size: 1 }, 'no session of its connection pooler became free'],
  ['with one client', 'session', { max_client_conn: 1 }, 'no more connections allowed (max_client_conn)'],
] as const) {
  test(`a pooler ${what} is refused with the reason`, async (t) => {
    const { code, stderr } = await startRefused({ DATABASE_URL: await startPgbouncer(t, mode, settings) })

    assert.equal(code, 1)
    assert.ok(stderr.startsWith('Cannot start: The PostgreSQL at 127.0.0.1:'), stderr)
    assert.ok(stderr.includes(` refuses: ${reason}`), stderr)
  })
}

test('the settings of the hub are stored for the sessions of its account that begin later', {
  rules: ['database.session-settings-are-stored'],
}, async (t) => {
  const sql = open(t, await startPgbouncer(t, 'transaction'))
  const refused = await Promise.all([1, 2, 3, 4].map(() => storeSessionSettings(sql)))
  // This client sets nothing, and the sessions of another PgBouncer are new.
  const client = new pg.Client(await startPgbouncer(t, 'transaction'))
  await client.connect()
  const unsafe = async (text: string) => (await client.query(text)).rows

  const settings = await readSettings({ unsafe } as unknown as Pool)
  await client.end()

  assert.deepEqual(refused, [[], [], [], []])
  assert.deepEqual(settings, asTexts)
})

test('an account that may not store the settings gets the statements for its administrator', {
  rules: ['database.session-settings-are-stored'],
}, async (t) => {
  const { target, sql: owner } = await testDatabase()
  const [account, group] = [`pooled_${randomBytes(4).toString('hex')}`, `group_${randomBytes(4).toString('hex')}`]
  await withServer((admin) =>
    admin.unsafe(
      `create role ${group}; create role ${account} login password 'secret' in role ${group}; alter role ${account} set role = ${group}`,
    ),
  )
  t.after(() => withServer((admin) => admin.unsafe(`drop role ${account}; drop role ${group}`)))
  const limited = target.replace(/\/\/[^@]*@/, `//${account}:secret@`)
  const sql = open(t, await startPgbouncer(t, 'transaction', {}, limited))

  const refused = await storeSessionSettings(sql)
  for (const statement of refused) await owner.unsafe(statement)
  const refusedLater = await storeSessionSettings(sql)

  assert.equal(refused.length, Object.keys(EXPECTED_SETTINGS).length)
  assert.match(refused[0] ?? '', new RegExp(`^alter role ${account} in database \\w+ set TimeZone = 'UTC'$`))
  assert.deepEqual(refusedLater, [])
})

test('behind transaction mode notifications arrive, and the lock of a session is held', {
  rules: ['outcome.lock-uses-the-direct-connection'],
}, async (t) => {
  const { target: directUrl } = await testDatabase()
  const url = await startPgbouncer(t, 'transaction', PREPARED)
  const [hub, other] = [open(t, url, { directUrl }), open(t, url, { directUrl })]
  const { promise: arrived, resolve } = Promise.withResolvers<string>()
  const lock = createSessionLock({ sql: hub, spaces: [4712] })
  t.after(() => lock.stop())

  await hub.listen('poolers', resolve)
  await other.unsafe(`select pg_notify('poolers', 'hello')`)
  await lock.start()

  assert.equal(await arrived, 'hello')
  assert.notEqual(lock.readKey(), null)
})

test('more clients than sessions run statements and transactions at once behind transaction mode', async (t) => {
  const { target: directUrl } = await testDatabase()
  const url = await startPgbouncer(t, 'transaction', { ...PREPARED, default_pool_size: 3 })
  const pools = [1, 2, 3].map(() => open(t, url, { max: 10, directUrl }))
  // Before 1.21 only statements without a name work.
  const ask = (sql: Sql, n: number) =>
    isNew
      ? sql`select ${n}::int as n, pg_backend_pid() as pid`
      : sql.unsafe(`select ${n} as n, pg_backend_pid() as pid`)

  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const sql = pools[n % pools.length] as Pool
      if (n % 2 === 0) return (await ask(sql, n))[0]?.n
      return sql.begin(async (tx) => {
        const [first, second] = await Promise.all([ask(tx, n), ask(tx, n)])
        assert.equal(first[0]?.pid, second[0]?.pid)
        return second[0]?.n
      })
    }),
  )

  assert.deepEqual(
    answers,
    answers.map((_, n) => n),
  )
})

for (const [what, settings] of [
  ['refuses more clients', { max_client_conn: 3 }],
  ['has no session for more clients', { default_pool_size: 3 }],
  ['ends clients that wait', { default_pool_size: 3, query_wait_timeout: 1 }],
] as const) {
  test(`when a pooler ${what}, every statement waits for a connection that the pool has`, {
    rules: ['database.refused-connections-wait'],
  }, async (t) => {
    const limits: number[] = []
    const url = await startPgbouncer(t, 'session', settings)
    const sql = open(t, url, { max: 6, onLimit: (limit) => limits.push(limit) })

    // PgBouncer may refuse all of the clients that come at once, when they are more than it has room for.
    await sql`select 1`
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => sql`select ${n}::int as n`))

    assert.deepEqual(
      answers.map(([row]) => row?.n),
      answers.map((_, n) => n),
    )
    assert.equal(limits.length, 1)
    assert.ok(Number(limits[0]) <= 3, `the pool makes do with ${limits[0]}`)
  })
}

test('a statement that gets no session in time fails as it does without a database, and the next one works', async (t) => {
  const url = await startPgbouncer(t, 'transaction', { default_pool_size: 1, query_wait_timeout: 1 })
  const sql = open(t, url)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  await Promise.all([1, 2].map(() => sql.unsafe('select pg_sleep(0.05)')))
  const held = sql.begin(async (tx) => {
    await tx.unsafe('select 1')
    begin()
    await released
  })
  await begun

  const failure = await sql.unsafe('select 1').then(
    () => assert.fail('It has a session.'),
    (err) => err as Error,
  )
  release()
  await held
  const [row] = await sql.unsafe('select 2 as n')

  assert.equal(failure.message, 'query_wait_timeout')
  assert.equal(isDatabaseUnavailable(failure), true)
  assert.equal(row?.n, 2)
})

test('a hub is ready while every session of its pooler is taken', {
  rules: ['database.refused-connections-wait'],
}, async (t) => {
  const url = await startPgbouncer(t, 'session', { default_pool_size: 6 })
  const hub = await startHub(t, { installation: { sql: open(t, url) } })
  const settings = { name: 'another client', statementTimeoutMs: 0, connectTimeoutMs: 500 }
  let isFull = false
  while (!isFull) {
    const other = await openConnection(parseDatabaseUrl(url), settings).catch(() => undefined)
    if (other) t.after(() => other.destroy())
    isFull = other === undefined
  }

  const ready = await hub.anonymous.get('/ready')

  assert.equal(ready.status, 200, ready.text)
})
