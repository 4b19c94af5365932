import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { breakableDatabase } from '../breakable-database.ts'
import { testDatabase } from '../database.ts'
import { startProcess } from './processes.ts'

const ENV = { SEALING_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`, SIMULATOR_PORT: '0' }
const LOSSES = 20

test('a hub survives that its connections are lost, used or about to be, and serves again', async (t) => {
  const database = await breakableDatabase(t)
  const hub = await startProcess(t, { ...ENV, DATABASE_URL: database.url })
  const signIn = () =>
    fetch(`${hub.url}/console/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.com', password: 'not a password' }),
    })

  const statuses: number[] = []
  for (let loss = 0; loss < LOSSES; loss++) {
    const signingIn = signIn()
    for (let i = 0; i < loss; i++) await setImmediate()
    database.disrupt('relay')
    statuses.push((await signingIn).status)
  }
  while ((await fetch(`${hub.url}/ready`)).status !== 200) await setImmediate()

  assert.ok(
    statuses.every((status) => [401, 429, 503].includes(status)),
    statuses.join(),
  )
  assert.equal(hub.child.exitCode, null)
})

for (const [what, script] of [
  ['an unhandled rejection', 'Promise.reject(new Error("planted"))'],
  ['an uncaught error', 'throw new Error("planted")'],
  // Codes of lost connections: the error may be of a file or of the mail server.
  ['an unhandled ENOENT', 'Promise.reject(Object.assign(new Error("planted"), { code: "ENOENT" }))'],
  ['an uncaught ECONNREFUSED', 'throw Object.assign(new Error("planted"), { code: "ECONNREFUSED" })'],
]) {
  test(`${what} ends the hub with exit code 1 and prints its stack`, {
    rules: ['process.uncaught-error-ends-it'],
  }, async (t) => {
    const { target } = await testDatabase()
    const planted = `process.on("SIGUSR2", () => { ${script} })`
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(planted)}`
    const hub = await startProcess(t, { ...ENV, DATABASE_URL: target, NODE_OPTIONS })

    const ended = await hub.end('SIGUSR2')

    assert.equal(ended, 1)
    assert.match(hub.output(), /Error: planted\n {4}at /)
  })
}

for (const [what, mode] of [
  ['ends every connection', 'hang up'],
  ['accepts connections and never responds', 'be silent'],
] as const) {
  test(`a hub stops although its database ${what}`, {
    rules: ['process.stops-with-0-without-its-database'],
  }, async (t) => {
    const database = await breakableDatabase(t)
    const hub = await startProcess(t, { ...ENV, DATABASE_URL: database.url })
    database.disrupt(mode)

    const ended = await hub.end('SIGTERM')

    assert.equal(ended, 0)
  })
}
