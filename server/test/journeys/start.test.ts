import assert from 'node:assert/strict'
import { once } from 'node:events'
import { access, chmod, mkdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { readServerUrl } from '../database.ts'
import { startReceiver } from '../receiver.ts'
import { freePort, initializedDataDir, interruptStart, newDirectory, runToEnd, startProcess } from './processes.ts'

test('a hub without configuration prints its URL, the location of its data and the next step', async (t) => {
  const DATA_DIR = join(await newDirectory(t), 'data')

  const hub = await startProcess(t, { DATA_DIR })

  const output = hub.output()
  assert.match(output, new RegExp(hub.url.replace('127.0.0.1', 'localhost')))
  // Without the variables of the hub's terminal the command would create a second database.
  assert.ok(output.includes(`DATA_DIR='${DATA_DIR}' PORT='`), output)
  assert.ok(output.includes(' npm run --silent admin -- create-organization'), output)
  const [, place = ''] = /Data\s+(\S+)/.exec(output) ?? []
  await access(place)
  assert.equal(await hub.end('SIGTERM'), 0)
})

test('SIGTERM and SIGINT stop the hub and its database, and the next start has the data', {
  rules: ['config.without-database-url-one-is-started'],
}, async (t) => {
  const DATA_DIR = await initializedDataDir()
  const first = await startProcess(t, { DATA_DIR })
  const made = await runToEnd('admin', ['create-organization', '--name', 'Acme'], { DATA_DIR })
  const { api_key } = JSON.parse(made.stdout)

  const stopped = await first.end('SIGINT')
  const running = await access(join(DATA_DIR, 'postgres/data/postmaster.pid')).then(
    () => true,
    () => false,
  )
  const second = await startProcess(t, { DATA_DIR })
  const list = await fetch(`${second.url}/api/v1/api-keys`, { headers: { authorization: `Bearer ${api_key}` } })

  assert.equal(stopped, 0)
  assert.equal(running, false)
  assert.equal(list.status, 200)
  assert.equal(await second.end('SIGTERM'), 0)
})

test('a hub that was killed starts again with all data that it had confirmed', async (t) => {
  const DATA_DIR = await initializedDataDir()
  const first = await startProcess(t, { DATA_DIR })
  const made = await runToEnd('admin', ['create-organization', '--name', 'Acme'], { DATA_DIR })
  const authorization = `Bearer ${JSON.parse(made.stdout).api_key}`
  const body = JSON.stringify({ name: 'second', scopes: ['audit:read'] })
  const headers = { authorization, 'content-type': 'application/json' }
  const created = await fetch(`${first.url}/api/v1/api-keys`, { method: 'POST', headers, body })

  await first.end('SIGKILL')
  const second = await startProcess(t, { DATA_DIR })
  const list = await fetch(`${second.url}/api/v1/api-keys`, { headers: { authorization } })

  assert.equal(created.status, 201)
  const { data } = (await list.json()) as { data: { api_keys: { name: string }[] } }
  assert.deepEqual(data.api_keys.map(({ name }) => name).sort(), ['operator', 'second'])
  assert.equal(await second.end('SIGTERM'), 0)
})

test('a hub with OTEL_EXPORTER_OTLP_ENDPOINT exports the traces of its requests before it stops', {
  rules: ['config.traces-are-exported-on-request'],
}, async (t) => {
  const collector = await startReceiver(t)
  const DATA_DIR = await initializedDataDir()
  const hub = await startProcess(t, { DATA_DIR, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` })

  const ended = await hub.end('SIGTERM')

  assert.equal(ended, 0)
  assert.ok(collector.received.length > 0)
  for (const { path } of collector.received) assert.equal(path, '/v1/traces')
  assert.match(collector.received.map(({ body }) => body.toString()).join(), /"name":"GET \/ready"/)
})

test('a second hub on the same DATA_DIR exits with code 1, and the first keeps running', async (t) => {
  const DATA_DIR = await initializedDataDir()
  const first = await startProcess(t, { DATA_DIR })

  const second = await runToEnd('main', [], { DATA_DIR, PORT: String(await freePort()), SIMULATOR_PORT: '0' })

  assert.equal(second.code, 1)
  assert.match(second.stderr, /^Cannot start: Another hub is already running on .*\n$/)
  assert.equal((await fetch(`${first.url}/ready`)).status, 200)
  assert.equal(await first.end('SIGTERM'), 0)
})

test('operator commands work while the hub is down, and leave no database running', {
  rules: ['admin.create-organization-prints-id-and-key'],
}, async (t) => {
  const DATA_DIR = join(await newDirectory(t), 'data')

  const made = await runToEnd('admin', ['create-organization', '--name', 'Acme'], { DATA_DIR })

  assert.equal(made.code, 0)
  assert.match(made.stdout, /^\{"organization_id":"[0-9a-f-]{36}","api_key":"hub_pk_[0-9A-Za-z]{49}"\}\n$/)
  await assert.rejects(access(join(DATA_DIR, 'postgres/data/postmaster.pid')))
})

test('a port in use is one sentence and exit code 1, before a database is created', async (t) => {
  const DATA_DIR = join(await newDirectory(t), 'data')
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }

  const ended = await runToEnd('main', [], { DATA_DIR, PORT: String(port), SIMULATOR_PORT: '0' })

  assert.equal(ended.code, 1)
  assert.equal(ended.stderr, `Cannot start: Port ${port} on 127.0.0.1 is taken; set PORT to another.\n`)
  await assert.rejects(access(DATA_DIR))
})

test('invalid variables are one sentence that names them all, and exit code 1', {
  rules: ['config.problems-are-reported-together'],
}, async () => {
  const ended = await runToEnd('main', [], { PORT: 'many', ROLE: 'king', UPSTREAM_TIMEOUT: '5' })

  assert.equal(ended.code, 1)
  for (const name of ['PORT', 'ROLE', 'UPSTREAM_TIMEOUT']) assert.match(ended.stderr, new RegExp(`\\b${name}\\b`))
  assert.equal(ended.stderr.trim().split('\n').length, 1)
})

test('a database that cannot be reached is one sentence without its password, and exit code 1', async () => {
  const SEALING_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`
  const DATABASE_URL = `postgres://hub:hunter2secret@127.0.0.1:${await freePort()}/hub`

  const ended = await runToEnd('main', [], { DATABASE_URL, SEALING_KEYS })

  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /^Cannot start: The PostgreSQL at 127\.0\.0\.1:\d+\/hub cannot be reached .*\n$/)
  assert.ok(!ended.stderr.includes('hunter2secret'))
})

test('DATA_DIR may be in a directory that only its owner may enter', async (t) => {
  const parent = await newDirectory(t)
  await mkdir(join(parent, 'private'))
  await chmod(join(parent, 'private'), 0o700)
  const DATA_DIR = join(parent, 'private/data')

  const hub = await startProcess(t, { DATA_DIR })
  const stopped = await hub.end('SIGTERM')

  assert.equal(stopped, 0)
  // For root, the database is in a system directory that its account can enter, and DATA_DIR has a link to it.
  const elsewhere = await readlink(join(DATA_DIR, 'postgres')).catch(() => undefined)
  if (elsewhere) await rm(elsewhere, { recursive: true })
  assert.equal(elsewhere !== undefined, process.getuid?.() === 0)
})

test('sealing keys can be rotated while the hub runs, and two rotations at once lose no key', {
  rules: ['config.sealing-key-is-generated-locally'],
}, async (t) => {
  const DATA_DIR = await initializedDataDir()
  const hub = await startProcess(t, { DATA_DIR })
  const before = await readFile(join(DATA_DIR, 'sealing-keys'), 'utf8')

  const rotations = await Promise.all([1, 2].map(() => runToEnd('admin', ['rotate-sealing-key'], { DATA_DIR })))

  const ring = (await readFile(join(DATA_DIR, 'sealing-keys'), 'utf8')).split(',')
  const added = rotations.map(({ stdout }) => JSON.parse(stdout).key)
  assert.deepEqual(
    ring
      .slice(0, 2)
      .map((entry) => entry.split(':')[0])
      .sort(),
    added.sort(),
  )
  assert.equal(ring[2], before)
  assert.equal(await hub.end('SIGTERM'), 0)
})

test('a signal during the start stops the hub and its database', async (t) => {
  const DATA_DIR = join(await newDirectory(t), 'data')

  const ended = await interruptStart(
    { DATA_DIR, PORT: String(await freePort()), SIMULATOR_PORT: '0' },
    join(DATA_DIR, 'postgres.password'),
  )

  assert.equal(ended, 0)
  await assert.rejects(access(join(DATA_DIR, 'postgres/data/postmaster.pid')))
})

test('an idle connection does not prevent the hub from stopping', async (t) => {
  const DATA_DIR = await initializedDataDir()
  const hub = await startProcess(t, { DATA_DIR })
  const silent = connect(Number(new URL(hub.url).port), '127.0.0.1')
  t.after(() => silent.destroy())
  await once(silent, 'connect')

  const ended = await hub.end('SIGTERM')

  assert.equal(ended, 0)
})

test('a database that refuses the password is one sentence and exit code 1', async () => {
  const SEALING_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`
  const url = new URL(readServerUrl())
  url.password = 'wrong'

  const ended = await runToEnd('main', [], { DATABASE_URL: url.href, SEALING_KEYS })

  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /^Cannot start: The PostgreSQL at .* refuses: password authentication failed .*\n$/)
})

test('.env of the working directory is read, and the environment takes precedence', async (t) => {
  const directory = await newDirectory(t)
  await writeFile(join(directory, '.env'), 'PORT=many\nROLE=king\n')

  const ended = await runToEnd('main', [], { ROLE: 'all' }, directory)

  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /\bPORT\b/)
  assert.ok(!ended.stderr.includes('ROLE'))
})
