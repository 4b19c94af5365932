import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '../database.ts'
import { freePort, newDirectory, runToEnd, startProcess } from './processes.ts'

const SEALING_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`
const UPSTREAM = {
  UPSTREAM_URL: 'http://127.0.0.1:1',
  UPSTREAM_APP_ID: '1',
  UPSTREAM_APP_SECRET: 'secret',
  UPSTREAM_CONFIG_ID: '2',
  UPSTREAM_VERIFY_TOKEN: 'verify',
}

/** Returns true if a simulator listens on the port. */
async function isSimulator(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/_sim/accounts`).catch(() => undefined)
  const body = answer?.ok ? await answer.json() : undefined
  return typeof body === 'object' && body !== null && 'accounts' in body
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** A port whose next one is free too. */
async function pairOfPorts(): Promise<number> {
  for (;;) {
    // Below the ports that the system gives to connections of other tests.
    const port = randomInt(20_000, 30_000)
    if (!(await isOpen(port)) && !(await isOpen(port + 1))) return port
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

test('without an upstream the simulator runs on the port after that of the hub', {
  rules: ['config.without-upstream-url-the-simulator-runs', 'config.simulator-is-local'],
}, async (t) => {
  const { target } = await testDatabase()
  const port = await pairOfPorts()

  await startProcess(t, { DATABASE_URL: target, SEALING_KEYS, DATA_DIR: await newDirectory(t), PORT: String(port) })

  assert.ok(await isSimulator(port + 1))
})

test('the simulator runs on SIMULATOR_PORT', { rules: ['config.simulator-is-local'] }, async (t) => {
  const { target } = await testDatabase()
  const SIMULATOR_PORT = await freePort()
  const env = { DATABASE_URL: target, SEALING_KEYS, DATA_DIR: await newDirectory(t) }

  await startProcess(t, { ...env, SIMULATOR_PORT: String(SIMULATOR_PORT) })

  assert.ok(await isSimulator(SIMULATOR_PORT))
})

/** Starts a process with a role, and a data directory that must stay empty. */
async function startPart(t: TestContext, ROLE: string) {
  const { target } = await testDatabase()
  const dataDir = join(await newDirectory(t), 'data')
  const simulatorPort = await freePort()
  const env = { ROLE, DATABASE_URL: target, SEALING_KEYS, ...UPSTREAM }
  const hub = await startProcess(t, { ...env, DATA_DIR: dataDir, SIMULATOR_PORT: String(simulatorPort) })
  return { hub, dataDir, simulatorPort }
}

for (const role of ['api', 'worker']) {
  test(`a process of the role ${role} starts neither a database nor a simulator`, {
    rules: ['config.single-roles-need-urls'],
  }, async (t) => {
    const { hub, dataDir, simulatorPort } = await startPart(t, role)

    const made = [await exists(dataDir), await isOpen(simulatorPort)]

    assert.deepEqual(made, [false, false])
    assert.equal(await hub.end('SIGTERM'), 0)
  })
}

test('a process of the role callbacks needs no database, and takes callbacks for its cells', {
  rules: ['cell.forwarding-needs-no-database'],
}, async (t) => {
  const { UPSTREAM_APP_SECRET, UPSTREAM_VERIFY_TOKEN } = UPSTREAM
  const dataDir = join(await newDirectory(t), 'data')
  const env = { ROLE: 'callbacks', CELLS: 'http://127.0.0.1:1', UPSTREAM_APP_SECRET, UPSTREAM_VERIFY_TOKEN }

  const running = await startProcess(t, { ...env, DATA_DIR: dataDir })
  const challenge = await fetch(
    `${running.url}/hooks/upstream?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${UPSTREAM_VERIFY_TOKEN}`,
  )
  const command = await runToEnd('admin', ['list-deletions'], { ...env, DATA_DIR: dataDir })

  assert.equal(await challenge.text(), '42')
  assert.equal(await exists(dataDir), false)
  assert.deepEqual([command.code, command.stdout], [2, ''])
  assert.match(command.stderr, /ROLE=callbacks has no database/)
  assert.equal(await running.end('SIGTERM'), 0)
})
