import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { breakableDatabase } from '../breakable-database.ts'
import { startProcess } from './processes.ts'

const ENV = { SEALING_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`, SIMULATOR_PORT: '0' }

/**
 * A proxy to a test's database that can close each connection at the driver's
 * query for array types, whose promise the driver does not await.
 */
async function startFaultyProxy(t: TestContext) {
  const { sql } = await breakableDatabase(t)
  const { user, pass, database, port: ports } = sql.options
  const open = new Set<Socket>()
  let broken: (() => void) | undefined

  const proxy = createServer((client) => {
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
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const socket of open) socket.destroy()
    proxy.close()
  })
  const { port } = proxy.address() as AddressInfo
  return {
    url: `postgres://${user}:${encodeURIComponent(String(pass))}@127.0.0.1:${port}/${database}`,

    /** Closes every connection, and resolves when the next one was closed at that query. */
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

test('a hub survives connections that fail in an unawaited promise, and serves again when the database is back', async (t) => {
  const proxy = await startFaultyProxy(t)
  const hub = await startProcess(t, { ...ENV, DATABASE_URL: proxy.url })
  const ready = async () => (await fetch(`${hub.url}/ready`)).status

  const broken = proxy.breakOff()
  const during = await ready()
  await broken
  proxy.restore()
  while ((await ready()) !== 200) await setImmediate()

  assert.equal(during, 503)
  assert.equal(hub.child.exitCode, null)
})

for (const [what, script] of [
  ['an unhandled rejection', 'Promise.reject(new Error("planted"))'],
  ['an uncaught error', 'throw new Error("planted")'],
]) {
  test(`${what} ends the hub with exit code 1 and prints its stack`, async (t) => {
    const proxy = await startFaultyProxy(t)
    const planted = `process.on("SIGUSR2", () => { ${script} })`
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(planted)}`
    const hub = await startProcess(t, { ...ENV, DATABASE_URL: proxy.url, NODE_OPTIONS })

    const ended = await hub.end('SIGUSR2')

    assert.equal(ended, 1)
    assert.match(hub.output(), /Error: planted\n {4}at /)
  })
}
