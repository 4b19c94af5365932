import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { breakableDatabase } from '../breakable-database.ts'
import { startProcess } from './processes.ts'

const ENV = { SEALING_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`, SIMULATOR_PORT: '0' }

/**
 * A wire to a test's database that, once told to, breaks each connection at the
 * driver's question for array types: the one that it waits for nobody to answer.
 */
async function spiteful(t: TestContext) {
  const { sql } = await breakableDatabase(t)
  const { user, pass, database, port: ports } = sql.options
  const open = new Set<Socket>()
  let broken: (() => void) | undefined

  const wire = createServer((client) => {
    const server = connect(Number(ports[0]), '127.0.0.1')
    for (const socket of [client, server]) {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
    }
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    server.pipe(client)
    client.on('data', (bytes: Buffer) => {
      if (!broken || !bytes.includes('typarray')) return void server.write(bytes)
      client.destroy()
      broken()
    })
  })
  await once(wire.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const socket of open) socket.destroy()
    wire.close()
  })
  const { port } = wire.address() as AddressInfo
  return {
    url: `postgres://${user}:${encodeURIComponent(String(pass))}@127.0.0.1:${port}/${database}`,

    /** Ends every connection, and resolves when the next was broken at that question. */
    breakOff(): Promise<void> {
      const next = new Promise<void>((resolve) => {
        broken = resolve
      })
      for (const socket of open) socket.destroy()
      return next
    },

    restore(): void {
      broken = undefined
    },
  }
}

test('a hub outlives connections that break where nobody waits for them, and serves again when they are back', async (t) => {
  const wire = await spiteful(t)
  const hub = await startProcess(t, { ...ENV, DATABASE_URL: wire.url })
  const ready = async () => (await fetch(`${hub.url}/ready`)).status

  const broken = wire.breakOff()
  const during = await ready()
  await broken
  wire.restore()
  while ((await ready()) !== 200) await setImmediate()

  assert.equal(during, 503)
  assert.equal(hub.child.exitCode, null)
})

for (const [what, script] of [
  ['a promise that nobody waits for', 'Promise.reject(new Error("planted"))'],
  ['an error that nobody catches', 'throw new Error("planted")'],
]) {
  test(`${what} ends the hub with exit 1 and a word about it`, async (t) => {
    const wire = await spiteful(t)
    const planted = `process.on("SIGUSR2", () => { ${script} })`
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(planted)}`
    const hub = await startProcess(t, { ...ENV, DATABASE_URL: wire.url, NODE_OPTIONS })

    const ended = await hub.end('SIGUSR2')

    assert.equal(ended, 1)
    assert.match(hub.output(), /Error: planted\n {4}at /)
  })
}
