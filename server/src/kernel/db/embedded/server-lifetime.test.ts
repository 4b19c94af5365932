import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPool } from '../pool.ts'
import { createFixture, isAlive, killGroup, query, readServerPid, waitUntil } from './test/fixture.ts'

test('data written before a stop is there after the next start', async (t) => {
  const fixture = createFixture(t)
  const dataDir = join(await fixture.directory(), 'data')
  const first = await fixture.open({ dataDir, durable: true })
  await query(first.options, "create table kept as select 'still here' as what")

  await first[Symbol.asyncDispose]()
  assert.equal(await readServerPid(first.directory), undefined)
  const second = await fixture.open({ dataDir, durable: true })

  assert.equal(await query(second.options, 'select what from kept'), 'still here')
})

test('a child process connects with nothing but the URL', async (t) => {
  const fixture = createFixture(t)
  const { url } = await fixture.open({ dataDir: await fixture.initializedDirectory() })

  const sql = openPool(url, { max: 1, name: 'a child process' })
  const [row] = await sql`select current_database() as name, current_setting('TimeZone') as zone`
  await sql.end()

  assert.deepEqual({ ...row }, { name: 'hubline', zone: 'UTC' })
})

test('four processes that open a new data directory at once share one server, and the last to close stops it', async (t) => {
  const fixture = createFixture(t)
  const openOptions = {
    dataDir: join(await fixture.directory(), 'data'),
    systemDirs: [join(await fixture.directory(), 'system')],
  }

  const processes = await Promise.all([1, 2, 3, 4].map(() => fixture.fork(openOptions)))
  assert.deepEqual(
    processes.map(({ error }) => error),
    [undefined, undefined, undefined, undefined],
  )
  const { directory, options } = processes[0]!
  const pid = await readServerPid(directory)
  assert.ok(pid)

  await Promise.all(processes.slice(1).map((opened) => opened.close()))
  assert.equal(await query(options, 'select 1'), '1')
  assert.equal(await readServerPid(directory), pid)
  await processes[0]!.close()

  assert.equal(await readServerPid(directory), undefined)
  await waitUntil('the server is gone', () => !isAlive(pid))
})

test('four processes that close at once stop the server', async (t) => {
  const fixture = createFixture(t)
  const options = {
    dataDir: await fixture.initializedDirectory(),
    systemDirs: [join(await fixture.directory(), 'system')],
  }
  const processes = await Promise.all([1, 2, 3, 4].map(() => fixture.fork(options)))

  await Promise.all(processes.map((opened) => opened.close()))

  assert.equal(await readServerPid(processes[0]!.directory), undefined)
})

// The process that started the server is its parent. It must neither stop it nor wait for it.
test('the process that started the server can close before the others', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.initializedDirectory()
  const starter = await fixture.fork({ dataDir })
  const other = await fixture.open({ dataDir })

  await starter.close()

  assert.equal(starter.child.exitCode, 0)
  assert.equal(await query(other.options, 'select 1'), '1')
})

test('a process that opens the database while the last one stops the server gets a server', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.initializedDirectory()
  let current = await fixture.open({ dataDir })

  for (let round = 0; round < 10; round++) {
    const leaving = current[Symbol.asyncDispose]()
    // Each round opens at a later point of the stop.
    for (let iteration = 0; iteration < round * 20; iteration++) await new Promise(setImmediate)
    const [next] = await Promise.all([fixture.open({ dataDir }), leaving])
    assert.equal(await query(next.options, 'select 1'), '1')
    current = next
  }
})

test('a second hub on the same data directory is refused, and an operator command is not', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.initializedDirectory()
  const hub = await fixture.fork({ dataDir, hub: true })
  assert.equal(hub.error, undefined)

  const second = await fixture.fork({ dataDir, hub: true })
  const command = await fixture.fork({ dataDir })

  const message = `Another hub is already running on ${dataDir} (stop it first, or choose another DATA_DIR).`
  assert.equal(second.error, message)
  assert.equal(command.error, undefined)
  assert.equal(await query(hub.options, 'select 1'), '1')
})

// A Ctrl-C goes to the whole process group, as the kill here does.
test('the server survives a hub that is killed with its process group, and the next hub uses it', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.initializedDirectory()
  const killed = await fixture.fork({ dataDir, hub: true })
  const pid = await readServerPid(killed.directory)

  await killGroup(killed.child)
  const next = await fixture.open({ dataDir })
  await next.claimHub()

  assert.equal(await readServerPid(next.directory), pid)
  await next[Symbol.asyncDispose]()
  assert.equal(await readServerPid(next.directory), undefined)
})

test('the next start has every committed row after hub and server were killed', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.initializedDirectory()
  const killed = await fixture.fork({ dataDir, durable: true, hub: true })
  await query(killed.options, 'create table kept as select 42 as answer')

  const pid = await readServerPid(killed.directory)
  await killGroup(killed.child)
  process.kill(pid!, 'SIGKILL')
  const next = await fixture.open({ dataDir, durable: true })
  await next.claimHub()

  assert.notEqual(await readServerPid(next.directory), pid)
  assert.equal(await query(next.options, 'select answer from kept'), '42')
})

test('a running hub restarts a killed server and stays the only hub', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.initializedDirectory()
  const hub = await fixture.open({ dataDir })
  await hub.claimHub()
  const pid = await readServerPid(hub.directory)

  process.kill(pid!, 'SIGKILL')
  await waitUntil('the server answers again', () => query(hub.options, 'select 1'))
  assert.notEqual(await readServerPid(hub.directory), pid)
  await waitUntil('the hub holds its lock again', () => hubLockHeld(hub.options))
  const second = await fixture.fork({ dataDir, hub: true })

  assert.match(second.error!, /^Another hub is already running/)
})

test('a hub that loses its connection takes its locks again', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.initializedDirectory()
  const hub = await fixture.open({ dataDir })
  await hub.claimHub()

  const backend = await query(hub.options, PRESENCE)
  await query(hub.options, `select pg_terminate_backend(${backend})`)
  await waitUntil('another connection holds the lock', async () => {
    const now = await query(hub.options, PRESENCE)
    return now && now !== backend && hubLockHeld(hub.options)
  })
  const command = await fixture.fork({ dataDir })
  await command.close()

  assert.equal(await query(hub.options, 'select 1'), '1')
})

test('a hub that stops while its server is dead exits with code 0', async (t) => {
  const fixture = createFixture(t)
  const hub = await fixture.fork({ dataDir: await fixture.initializedDirectory(), hub: true })

  process.kill((await readServerPid(hub.directory))!, 'SIGKILL')
  await hub.close()

  assert.equal(hub.child.exitCode, 0)
})

const PRESENCE = "select pid from pg_stat_activity where application_name = 'hubline presence'"

async function hubLockHeld(options: Parameters<typeof query>[0]): Promise<boolean> {
  const held = "select count(*) from pg_locks where locktype = 'advisory' and objid = 2 and granted"
  return (await query(options, held)) === '1'
}
