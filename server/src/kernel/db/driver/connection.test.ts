import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import { createAuthority, type Identity, issue } from '../../../../test/certificates.ts'
import { testDatabase, withServer } from '../../../../test/database.ts'
import { parseDatabaseUrl } from '../connection-url.ts'
import { isDatabaseUnavailable, openPool, readSqlState } from '../pool.ts'
import { ConnectionLost, openConnection } from './connection.ts'

const SETTINGS = { name: 'a connection', statementTimeoutMs: 5000 }
/** The message in which a client asks for TLS. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f])

async function listen(t: TestContext, onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onConnection(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A proxy of the test's database with TLS, or one that says that it has none. */
async function startTls(t: TestContext, identity: Identity | undefined): Promise<number> {
  const { target } = await testDatabase()
  const [{ host, port } = { host: '', port: 0 }] = parseDatabaseUrl(target).servers
  return listen(t, (client) => {
    client.once('data', (first) => {
      const database = connect({ path: `${host}/.s.PGSQL.${port}` }).on('error', () => {})
      if (!first.equals(TLS_REQUEST)) database.write(first)
      else client.write(identity ? 'S' : 'N')
      if (!first.equals(TLS_REQUEST) || !identity) return void client.pipe(database).pipe(client)
      const secure = new TLSSocket(client, { isServer: true, secureContext: createSecureContext(identity) })
      secure
        .on('error', () => {})
        .pipe(database)
        .pipe(secure)
    })
  })
}

/** The URL of the test's database at another place. */
async function at(servers: string, query = ''): Promise<string> {
  const { user, password, database } = parseDatabaseUrl((await testDatabase()).target)
  return `postgres://${user}:${encodeURIComponent(password)}@${servers}/${database}${query}`
}

async function open(url: string): Promise<string> {
  const connection = await openConnection(parseDatabaseUrl(url), SETTINGS)
  const [row] = await connection.sql`select current_setting('application_name') as name`
  await connection.end()
  return row?.name
}

test('sslmode=require encrypts, and verify-full also checks the certificate', async (t) => {
  const port = await startTls(t, issue(createAuthority(), ['localhost']))

  assert.equal(await open(await at(`localhost:${port}`, '?sslmode=require')), SETTINGS.name)
  await assert.rejects(open(await at(`localhost:${port}`, '?sslmode=verify-full')), isDatabaseUnavailable)
})

test('sslmode=prefer does without TLS if the server has none, and sslmode=require does not', async (t) => {
  const port = await startTls(t, undefined)

  assert.equal(await open(await at(`127.0.0.1:${port}`, '?sslmode=prefer')), SETTINGS.name)
  await assert.rejects(open(await at(`127.0.0.1:${port}`, '?sslmode=require')), /does not support SSL/)
})

test('a server that cannot be reached, or hangs up, is passed over for the next one', {
  rules: ['database.first-writable-host-is-used'],
}, async (t) => {
  const hangsUp = await listen(t, (socket) => void socket.end())
  const works = await startTls(t, undefined)
  const refused = await listen(t, () => {})

  assert.equal(
    await open(await at(`127.0.0.1:1,127.0.0.1:${hangsUp},127.0.0.1:${works},127.0.0.1:${refused}`)),
    SETTINGS.name,
  )
})

test('a server that refuses writes is not used if the URL asks for one that takes them', {
  rules: ['database.first-writable-host-is-used'],
}, async (t) => {
  const { target } = await testDatabase()
  const readOnly = `${new URL(target).pathname.slice(1)}_read_only`
  await withServer(async (admin) => {
    await admin.unsafe(`create database ${readOnly}`)
    await admin.unsafe(`alter database ${readOnly} set default_transaction_read_only = on`)
  })
  t.after(() => withServer((admin) => admin.unsafe(`drop database ${readOnly} with (force)`)))
  const url = target.replace(/[^/]+$/, readOnly)

  assert.equal(await open(url), SETTINGS.name)
  await assert.rejects(open(`${url}?target_session_attrs=read-write`), (err) => {
    assert.ok(err instanceof ConnectionLost && err.code === 'READ_ONLY')
    return isDatabaseUnavailable(err)
  })
})

test('a connection that a write finds read-only is replaced, because another server may take writes now', async () => {
  const { target } = await testDatabase()
  const sql = openPool(`${target}?target_session_attrs=read-write`, { max: 1, name: 'failover' })
  const [before] = await sql`select pg_backend_pid() as pid`

  await sql.unsafe('set default_transaction_read_only = on')
  const refused = await sql`create table never (n int)`.catch(readSqlState)
  const [after] = await sql`select pg_backend_pid() as pid, current_setting('transaction_read_only') as is_read_only`
  await sql.end()

  assert.equal(refused, '25006')
  assert.notEqual(after?.pid, before?.pid)
  assert.equal(after?.is_read_only, 'off')
})

test('a canceled statement fails alone, and its connection goes on', async () => {
  const { sql: other, target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'to be canceled' })
  const [before] = await sql`select pg_backend_pid() as pid`

  const slow = sql`select pg_sleep(60)`.catch(readSqlState)
  while (
    (await other`select pg_cancel_backend(pid) from pg_stat_activity where pid = ${before?.pid} and state = 'active'`)
      .length === 0
  );
  const canceled = await slow
  const [after] = await sql`select pg_backend_pid() as pid`
  await sql.end()

  assert.equal(canceled, '57014')
  assert.equal(after?.pid, before?.pid)
})

test('a session that the server ends fails its statement, and the next one has another session', async () => {
  const { sql: other, target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'to be terminated' })
  const [before] = await sql`select pg_backend_pid() as pid`
  const end = () => other`select pg_terminate_backend(${before?.pid}::int)`

  const slow = sql`select pg_sleep(60)`.catch((err) => err)
  while ((await other`select 1 from pg_stat_activity where pid = ${before?.pid} and state = 'active'`).length === 0);
  await end()
  const ended = await slow
  const [after] = await sql`select pg_backend_pid() as pid`
  await sql.end()

  assert.ok(isDatabaseUnavailable(ended), String(ended))
  assert.notEqual(after?.pid, before?.pid)
})

test('statements behind one with which the server ends the session fail, even if the connection stays open', async (t) => {
  const { sql: other, target } = await testDatabase()
  const [{ host, port: number } = { host: '', port: 0 }] = parseDatabaseUrl(target).servers
  const port = await listen(t, (client) => {
    const database = connect({ path: `${host}/.s.PGSQL.${number}`, allowHalfOpen: true }).on('error', () => {})
    client.pipe(database).pipe(client, { end: false })
  })
  const connection = await openConnection(parseDatabaseUrl(await at(`127.0.0.1:${port}`)), SETTINGS)

  const sent = Promise.all(
    [connection.sql`select pg_sleep(60)`, connection.sql`select 1`].map((statement) => statement.catch((err) => err)),
  )
  // If a session ends before it has read the first statement, the answer can be lost with the connection.
  const isSleeping = () => other`
    select 1 from pg_stat_activity where pid = ${connection.readProcessId()}::int and wait_event = 'PgSleep'`
  while ((await isSleeping()).length === 0);
  await other`select pg_terminate_backend(${connection.readProcessId()}::int)`

  for (const err of await sent) assert.ok(isDatabaseUnavailable(err), String(err))
})

test('a statement that copies rows into the database fails', async () => {
  const { sql } = await testDatabase()

  await assert.rejects(sql`copy pg_class from stdin`.execute(), isDatabaseUnavailable)
  await assert.rejects(sql.unsafe('copy pg_class from stdin').execute(), isDatabaseUnavailable)
})

test('an error of the server names the place of its statement', async () => {
  const { sql } = await testDatabase()

  const err = await sql`select 1 / 0`.catch((reason) => reason)

  assert.match(String((err as Error).stack), /^error: division by zero\n {4}at .*connection\.test\.ts/)
})

test('a value that cannot be read fails its statement alone', async () => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'unreadable' })

  const unreadable = await sql`select 'infinity'::timestamptz as at from generate_series(1, 3)`.catch((err) => err)
  const [row] = await sql`select 1 as n`
  await sql.end()

  assert.ok(unreadable instanceof RangeError && !isDatabaseUnavailable(unreadable))
  assert.equal(row?.n, 1)
})

test('a statement whose column changes its type fails once, and works again', async () => {
  const { sql: other, target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'altered' })
  await other`create table altered as select 1 as n`
  const read = async () => [...(await sql`select n from altered`)].map(({ n }) => n)

  const before = await read()
  await other`alter table altered alter n type text`
  await read().catch(() => undefined)

  assert.deepEqual([before, await read()], [[1], ['1']])
  await sql.end()
})

test('texts with other numbers of values can follow each other', async () => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'unsafe' })

  const [one] = await sql.unsafe('select $1::int as a', [1])
  const [two] = await sql.unsafe('select $1::int as a, $2::text as b', [2, 'b'])
  await sql.end()

  assert.deepEqual([{ ...one }, { ...two }], [{ a: 1 }, { a: 2, b: 'b' }])
})

test('statements of a transaction that are sent at once are answered in order', async () => {
  const { sql } = await testDatabase()

  const answers = await sql.begin((tx) =>
    Promise.all(Array.from({ length: 20 }, (_, n) => tx`select ${n}::int as n, pg_backend_pid() as pid`)),
  )

  assert.deepEqual(
    answers.map(([row]) => row?.n),
    answers.map((_, n) => n),
  )
  assert.equal(new Set(answers.map(([row]) => row?.pid)).size, 1)
})

test('a statement of a transaction that is over is refused', async () => {
  const { sql } = await testDatabase()

  const late = await sql.begin(async (tx) => ({ send: () => tx`select 1` }))

  await assert.rejects(late.send().execute(), /in a transaction that is over/)
})

test('a transaction that sends more statements at once than a connection keeps prepared can send each again', async () => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'many texts' })
  const numbers = Array.from({ length: 1100 }, (_, n) => n)
  const readAll = () =>
    sql.begin((tx) => Promise.all(numbers.map(async (n) => (await tx`select ${tx.unsafe(`${n}`)} as n`)[0]?.n)))

  const first = await readAll()
  const again = await readAll()
  await sql.end()

  assert.deepEqual([first, again], [numbers, numbers])
})
