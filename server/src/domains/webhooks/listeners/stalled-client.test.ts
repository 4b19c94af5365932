import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startWebhooks } from '../test/fixture.ts'
import { createListener, type TestListener } from './test/stream.ts'

const REQUEST_START = 'http.server.request.start'
/** Far more than the buffers of a connection hold. */
const EVENTS = 100
const TEXT = 'x'.repeat(200_000)

/** A client that sends its request and then does not read. */
async function attachWithoutReading(t: TestContext, url: string, key: string, { id, secret }: TestListener) {
  const { hostname, port } = new URL(url)
  const requests = Promise.withResolvers<ServerResponse>()
  function watch(message: unknown): void {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (request.url?.endsWith(`/${id}/stream`)) requests.resolve(response)
  }
  subscribe(REQUEST_START, watch)
  t.after(() => unsubscribe(REQUEST_START, watch))
  const socket = connect(Number(port), hostname)
  t.after(() => socket.destroy())
  socket.pause()
  const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${key}\r\nX-Hub-Listener-Secret: ${secret}`
  socket.write(`GET /api/v1/listeners/${id}/stream HTTP/1.1\r\n${headers}\r\n\r\n`)
  return { socket, response: await requests.promise }
}

/** Looks again after each turn of the event loop, in which connections make progress. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn()
}

test('for a client that does not read, the hub holds a few deliveries in memory and keeps the rest in the database', {
  rules: ['listener.slow-client-holds-few-in-memory'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const listener = await createListener(acme)
  const { socket, response } = await attachWithoutReading(t, hub.url, acme.key, listener)

  for (let event = 0; event < EVENTS; event += 1) await publish({ kind: 'account.update', data: { text: TEXT } })
  await until(() => response.writableNeedDrain)
  const held = response.writableLength + (response.socket?.writableLength ?? 0)

  assert.ok(held < 10 * TEXT.length, `${held} bytes are held`)
  let seen = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    seen = (seen + chunk).replaceAll(/x{2,}/g, 'x')
  })
  socket.resume()
  await until(() => seen.match(/"type":"delivery"/g)?.length === EVENTS)
})
