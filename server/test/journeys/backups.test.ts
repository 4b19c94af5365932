import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { newDirectory, type Running, runToEnd, startProcess } from './processes.ts'

type Env = Record<string, string>

async function admin(env: Env, ...args: string[]) {
  const { code, stdout, stderr } = await runToEnd('admin', args, env)
  assert.equal(code, 0, stderr)
  return { printed: JSON.parse(stdout), stderr }
}

/** An installation with a hub and a key. */
async function install(t: TestContext) {
  const root = await newDirectory(t)
  const DATA_DIR = join(root, 'data')
  const env = { DATA_DIR }
  const hub = await startProcess(t, env)
  const { printed } = await admin(env, 'create-organization', '--name', 'Acme')
  return { root, DATA_DIR, env, hub, key: printed.api_key as string }
}

type ListedKeys = { data: { api_keys: { name: string }[] } }

async function call(hub: Running, key: string, method: string, path: string, body?: object) {
  const response = await fetch(hub.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as ListedKeys }
}

async function createKey(hub: Running, key: string, name: string): Promise<number> {
  const { status } = await call(hub, key, 'POST', '/api/v1/api-keys', { name, scopes: ['audit:read'] })
  return status
}

async function listNames(hub: Running, key: string): Promise<string[]> {
  const { body } = await call(hub, key, 'GET', '/api/v1/api-keys?limit=100')
  return body.data.api_keys.map(({ name }) => name)
}

async function readReady(hub: Running): Promise<string> {
  const { data } = (await (await fetch(`${hub.url}/ready`)).json()) as { data: { status: string } }
  return data.status
}

test('a backup under writes has all that was answered before it, and its restore is on hold until the release', {
  rules: ['backup.embedded-is-whole-under-writes', 'restore.sets-the-hold', 'backup.keys-are-apart'],
}, async (t) => {
  const { root, DATA_DIR, env, hub, key } = await install(t)
  const before = Array.from({ length: 10 }, (_, n) => `before ${n}`)
  for (const name of before) assert.equal(await createKey(hub, key, name), 201)
  let isWriting = true
  const writing = (async () => {
    for (let n = 0; isWriting && n < 60; n++) await createKey(hub, key, `during ${n}`)
  })()

  const made = await admin(env, 'backup', join(root, 'copies'))
  isWriting = false
  await writing
  assert.equal(await createKey(hub, key, 'after'), 201)
  const running = await runToEnd('admin', ['restore', join(root, 'copies')], env)
  assert.equal(await hub.end('SIGTERM'), 0)
  const restored = await admin(env, 'restore', join(root, 'copies'))

  assert.match(made.stderr, /^THE SEALING KEYS ARE NOT IN THIS BACKUP/)
  assert.equal(made.printed.sealing_keys, join(DATA_DIR, 'sealing-keys'))
  const files = await readdir(made.printed.backup, { recursive: true })
  assert.ok(!files.some((file) => file.includes('sealing')))
  assert.match(running.stderr, /^Another hub is already running on /)
  assert.deepEqual([restored.printed.restored, restored.printed.held], [made.printed.backup, true])
  const again = await startProcess(t, env)
  assert.equal(await readReady(again), 'held')
  const names = await listNames(again, key)
  for (const name of before) assert.ok(names.includes(name), name)
  assert.ok(!names.includes('after'))
  await admin(env, 'release')
  assert.equal(await again.end('SIGTERM'), 0)
})

test('a restore into another data directory, and over a database that does not start, has the data', {
  rules: ['restore.replaces-a-broken-database', 'restore.needs-the-sealing-keys'],
}, async (t) => {
  const { root, DATA_DIR, env, hub, key } = await install(t)
  assert.equal(await createKey(hub, key, 'kept'), 201)
  assert.equal(await hub.end('SIGTERM'), 0)
  const copies = join(root, 'copies')
  await admin(env, 'backup', copies)
  const moved = { DATA_DIR: join(root, 'other') }
  const keys = join(moved.DATA_DIR, 'sealing-keys')
  const control = join(DATA_DIR, 'postgres/data/global/pg_control')
  await chmod(control, 0o600)
  await writeFile(control, 'broken')

  await admin(env, 'restore', copies)
  const keyless = await runToEnd('admin', ['restore', copies], moved)
  const isUntouched = !existsSync(join(moved.DATA_DIR, 'postgres'))
  await mkdir(moved.DATA_DIR, { recursive: true })
  await copyFile(join(DATA_DIR, 'sealing-keys'), keys)
  await admin(moved, 'restore', copies)

  for (const one of [env, moved]) {
    const again = await startProcess(t, one)
    assert.ok((await listNames(again, key)).includes('kept'))
    assert.equal(await again.end('SIGTERM'), 0)
  }
  assert.deepEqual([keyless.code, isUntouched], [1, true])
  const refusal = `needs the sealing key k[^ ]+, which ${keys} does not have, or has with other bytes\\. Nothing was changed\\.`
  assert.match(keyless.stderr, new RegExp(refusal))
  const replaced = (await readdir(join(DATA_DIR, 'backups'))).filter((name) => name.startsWith('replaced-'))
  assert.equal(replaced.length, 1)
})

test('a directory without a whole backup, and one of another kind, are refused with a sentence, and so is a place that cannot be written', {
  rules: ['restore.refuses-other-kinds', 'backup.names-a-place-that-cannot-be-written'],
}, async (t) => {
  const root = await newDirectory(t)
  const DATA_DIR = join(root, 'data')
  const dump = join(root, 'hubline-20261119T120000Z-abcd')
  const none = await runToEnd('admin', ['restore', root], { DATA_DIR })
  await mkdir(dump)
  await writeFile(join(dump, 'backup.json'), JSON.stringify({ kind: 'dump', version: '0', created_at: '' }))

  const other = await runToEnd('admin', ['restore', root], { DATA_DIR })
  const file = join(dump, 'backup.json')
  const refused = await Promise.all(
    ['/proc/nope', file].map((place) => runToEnd('admin', ['backup', place], { DATA_DIR: join(root, 'own') })),
  )
  await writeFile(file, '{"kind": "du')
  const broken = await runToEnd('admin', ['restore', dump], { DATA_DIR })
  const wordless = await runToEnd('admin', ['restore'], { DATA_DIR })

  for (const { code, stderr } of refused) {
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^Backups cannot be written to .+ \(E[A-Z]+\): name a directory that the hub's user may create or write\.$/m,
    )
    assert.doesNotMatch(stderr, /^ +at /m)
  }
  assert.match(broken.stderr, /^There is no whole backup in .+\.\n$/)
  assert.match(none.stderr, /^There is no whole backup in /)
  assert.match(
    other.stderr,
    /is a dump of a PostgreSQL of your own, and DATABASE_URL is not set: set it to an empty database\.$/m,
  )
  assert.deepEqual([none.code, other.code, wordless.code], [1, 1, 2])
  assert.match(wordless.stderr, /^DIR is required/)
})
