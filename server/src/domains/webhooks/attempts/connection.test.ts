import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createSecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { Connection } from './connection.ts'
import { startRawReceiver } from './test/receivers.ts'
import { createTlsSessions } from './tls-sessions.ts'

/** Resolves to the status of one request, or to the code of its error. */
function request({ client }: Connection): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => undefined,
    onResponseStart: (_controller, status) => resolve(status),
    onResponseData: () => undefined,
    onResponseEnd: () => undefined,
    onResponseError: (_controller, err) => resolve('code' in err && err.code),
  }
  client.dispatch({ method: 'POST', path: '/' }, handler)
  return promise
}

// undici would dial the addresses of the first request again, which were not checked for the second.
test('a connection whose socket has closed does not dial again', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket) =>
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')),
  )
  const url = new URL(`http://hooks.example.com:${port}/`)
  const settings = {
    getSecureContext: createSecureContext,
    sessions: createTlsSessions({ now: () => new Date() }),
    addressTimeoutMs: 1000,
    idleMs: 1000,
  }
  const closed = Promise.withResolvers<Connection>()
  const connection = new Connection(
    { ok: true, url, addresses: [{ address: '127.0.0.1', family: 4 }] },
    settings,
    closed.resolve,
  )
  t.after(() => connection.destroy())

  const first = await request(connection)
  sockets[0]?.end()
  await once(sockets[0]!, 'end')
  await closed.promise
  const second = await request(connection)

  assert.deepEqual([first, second, sockets.length], [200, 'ECONNABORTED', 1])
})
