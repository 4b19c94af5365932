import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import postgres from 'postgres'
import { socketOptions } from '../connection-url.ts'
import { isAlive, killGroup, query, serverPid, setScene, until } from './test/scene.ts'

test('what is written before a stop is there after the next start', async (t) => {
  const scene = setScene(t)
  const dataDir = join(await scene.directory(), 'data')
  const first = await scene.open({ dataDir, durable: true })
  await query(first.options, "create table kept as select 'still here' as what")

  await first[Symbol.asyncDispose]()
  assert.equal(await serverPid(first.directory), undefined)
  const second = await scene.open({ dataDir, durable: true })

  assert.equal(await query(second.options, 'select what from kept'), 'still here')
})

test('a child process reaches the database through the url alone', async (t) => {
  const scene = setScene(t)
  const { url } = await scene.open({ dataDir: await scene.directory() })

  const sql = postgres(url, { max: 1, ...socketOptions(url) })
  const [row] = await sql`select current_database() as name, current_setting('TimeZone') as zone`
  await sql.end()

  assert.deepEqual({ ...row }, { name: 'hubline', zone: 'UTC' })
})

test('four processes that open a new data directory at once share one server, and the last one out stops it', async (t) => {
  const scene = setScene(t)
  const opening = {
    dataDir: join(await scene.directory(), 'data'),
    systemDirs: [join(await scene.directory(), 'system')],
  }

  const openers = await Promise.all([1, 2, 3, 4].map(() => scene.fork(opening)))
  assert.deepEqual(
    openers.map(({ error }) => error),
    [undefined, undefined, undefined, undefined],
  )
  const { directory, options } = openers[0]!
  const pid = await serverPid(directory)
  assert.ok(pid)

  await Promise.all(openers.slice(1).map((opener) => opener.close()))
  assert.equal(await query(options, 'select 1'), '1')
  assert.equal(await serverPid(directory), pid)
  await openers[0]!.close()

  assert.equal(await serverPid(directory), undefined)
  await until('the server is gone', () => !isAlive(pid))
})

test('four processes that leave at once leave no server behind', async (t) => {
  const scene = setScene(t)
  const opening = { dataDir: await scene.directory(), systemDirs: [join(await scene.directory(), 'system')] }
  const openers = await Promise.all([1, 2, 3, 4].map(() => scene.fork(opening)))

  await Promise.all(openers.map((opener) => opener.close()))

  assert.equal(await serverPid(openers[0]!.directory), undefined)
})

// The process that started the server is its parent, and must neither take it along nor wait for it.
test('the process that started the server may leave before the others', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  const starter = await scene.fork({ dataDir })
  const other = await scene.open({ dataDir })

  await starter.close()

  assert.equal(starter.child.exitCode, 0)
  assert.equal(await query(other.options, 'select 1'), '1')
})

test('whoever joins while the last one stops the server gets a server', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  let current = await scene.open({ dataDir })

  for (let round = 0; round < 10; round++) {
    const leaving = current[Symbol.asyncDispose]()
    // Each round meets the leaving one at a later point of its way out.
    for (let turn = 0; turn < round * 20; turn++) await new Promise(setImmediate)
    const [next] = await Promise.all([scene.open({ dataDir }), leaving])
    assert.equal(await query(next.options, 'select 1'), '1')
    current = next
  }
})

test('a second hub on the same data directory is refused in one sentence, an operator command is not', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  const hub = await scene.fork({ dataDir, hub: true })
  assert.equal(hub.error, undefined)

  const second = await scene.fork({ dataDir, hub: true })
  const command = await scene.fork({ dataDir })

  const sentence = `Another hub is already running on ${dataDir} (stop it first, or choose another DATA_DIR).`
  assert.equal(second.error, sentence)
  assert.equal(command.error, undefined)
  assert.equal(await query(hub.options, 'select 1'), '1')
})

// A Ctrl-C goes to the whole process group, as the kill here does.
test('a hub killed with its process group leaves the server to the next hub', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  const killed = await scene.fork({ dataDir, hub: true })
  const pid = await serverPid(killed.directory)

  await killGroup(killed.child)
  const next = await scene.open({ dataDir })
  await next.claimHub()

  assert.equal(await serverPid(next.directory), pid)
  await next[Symbol.asyncDispose]()
  assert.equal(await serverPid(next.directory), undefined)
})

test('after hub and server were killed the next start has every committed row', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  const killed = await scene.fork({ dataDir, durable: true, hub: true })
  await query(killed.options, 'create table kept as select 42 as answer')

  const pid = await serverPid(killed.directory)
  await killGroup(killed.child)
  process.kill(pid!, 'SIGKILL')
  const next = await scene.open({ dataDir, durable: true })
  await next.claimHub()

  assert.notEqual(await serverPid(next.directory), pid)
  assert.equal(await query(next.options, 'select answer from kept'), '42')
})

test('a server killed under a running hub is started again and the hub stays the only one', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  const hub = await scene.open({ dataDir })
  await hub.claimHub()
  const pid = await serverPid(hub.directory)

  process.kill(pid!, 'SIGKILL')
  await until('the server answers again', () => query(hub.options, 'select 1'))
  assert.notEqual(await serverPid(hub.directory), pid)
  await until('the hub holds its lock again', () => hubLockHeld(hub.options))
  const second = await scene.fork({ dataDir, hub: true })

  assert.match(second.error!, /^Another hub is already running/)
})

test('a hub that loses only its connection takes its locks again', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  const hub = await scene.open({ dataDir })
  await hub.claimHub()

  const backend = await query(hub.options, PRESENCE)
  await query(hub.options, `select pg_terminate_backend(${backend})`)
  await until('another connection holds the lock', async () => {
    const now = await query(hub.options, PRESENCE)
    return now && now !== backend && hubLockHeld(hub.options)
  })
  const command = await scene.fork({ dataDir })
  await command.close()

  assert.equal(await query(hub.options, 'select 1'), '1')
})

test('a hub stopped while its server is dead ends quietly', async (t) => {
  const scene = setScene(t)
  const hub = await scene.fork({ dataDir: await scene.directory(), hub: true })

  process.kill((await serverPid(hub.directory))!, 'SIGKILL')
  await hub.close()

  assert.equal(hub.child.exitCode, 0)
})

const PRESENCE = "select pid from pg_stat_activity where application_name = 'hubline presence'"

async function hubLockHeld(options: Parameters<typeof query>[0]): Promise<boolean> {
  const held = "select count(*) from pg_locks where locktype = 'advisory' and objid = 2 and granted"
  return (await query(options, held)) === '1'
}
