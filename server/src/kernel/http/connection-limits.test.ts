import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { limitConnections } from './connection-limits.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n'

/** A server on every loopback address, so that clients can have several. */
async function startServer(t: TestContext, options: { connectionsMax: number; isProxy?: boolean }) {
  const { connectionsMax, isProxy = true } = options
  const open: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/held') open.push(response)
    else response.end('ok')
  })
  let refused = 0
  limitConnections(server, { connectionsMax, isProxy: () => isProxy, onRefused: () => refused++ })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  /** A connection whose first request was answered: it is idle. */
  async function openIdle(localAddress: string) {
    const socket = await openConnection(localAddress)
    await ask(socket)
    return socket
  }

  async function openConnection(localAddress: string) {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }

  async function ask(socket: Socket) {
    socket.write(REQUEST)
    return String((await once(socket, 'data'))[0])
  }
  return { server, openIdle, openConnection, ask, open, countRefused: () => refused }
}

test('when few connections are left, a new one closes the longest idle of the address that has most', {
  rules: ['fairness.full-process-closes-idle-connections'],
}, async (t) => {
  const { openIdle, ask } = await startServer(t, { connectionsMax: 10 })
  const quiet = await openIdle('127.0.0.2')
  const greedy: Socket[] = []
  for (let opened = 0; opened < 8; opened++) greedy.push(await openIdle('127.0.0.3'))
  await ask(greedy[0]!)
  const closed = once(greedy[1]!, 'close')

  const other = await openIdle('127.0.0.4')
  await closed

  // The first was used since, and the second was idle for longest.
  for (const socket of [quiet, other, greedy[0]!, greedy[2]!]) assert.match(await ask(socket), /^HTTP\/1\.1 200/)
})

test('a thousand idle connections of one client do not shut another one out', {
  rules: ['fairness.full-process-closes-idle-connections'],
}, async (t) => {
  const { openIdle, openConnection, ask } = await startServer(t, { connectionsMax: 40 })
  for (let opened = 0; opened < 1000; opened += 20) {
    await Promise.all(Array.from({ length: 20 }, () => openConnection('127.0.0.3')))
  }

  const other = await openIdle('127.0.0.2')

  assert.match(await ask(other), /^HTTP\/1\.1 200/)
})

test('a connection with a request in flight is not closed for another', {
  rules: ['fairness.full-process-closes-idle-connections'],
}, async (t) => {
  const { openIdle, openConnection, open } = await startServer(t, { connectionsMax: 4 })
  const busy = await openConnection('127.0.0.3')
  busy.write('GET /held HTTP/1.1\r\nHost: h\r\n\r\n')
  while (open.length === 0) await openIdle('127.0.0.3')

  for (let opened = 0; opened < 12; opened++) await openIdle('127.0.0.3')
  const answered = once(busy, 'data')
  open[0]?.end('held')

  assert.match(String((await answered)[0]), /^HTTP\/1\.1 200/)
})

test('an address has a quarter of all connections, unless it is that of a proxy', {
  rules: ['fairness.address-has-a-quarter'],
}, async (t) => {
  const direct = await startServer(t, { connectionsMax: 20, isProxy: false })
  const proxied = await startServer(t, { connectionsMax: 20 })
  for (let opened = 0; opened < 5; opened++) {
    await direct.openIdle('127.0.0.3')
    await proxied.openIdle('127.0.0.3')
  }

  const refused = await direct.openConnection('127.0.0.3')
  await once(refused, 'close')
  const other = await direct.openIdle('127.0.0.2')
  const sixth = await proxied.openIdle('127.0.0.3')

  assert.equal(direct.countRefused(), 1)
  assert.match(await direct.ask(other), /^HTTP\/1\.1 200/)
  assert.match(await proxied.ask(sixth), /^HTTP\/1\.1 200/)
})
