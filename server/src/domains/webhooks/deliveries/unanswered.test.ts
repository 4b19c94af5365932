import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { closedPort, openSender, startRawReceiver } from '../attempts/test/receivers.ts'
import { startOwnWorker } from './test/own-worker.ts'
import { startScene } from './test/scene.ts'

/** What a receiver does in place of answering; undefined where nobody listens. */
const UNANSWERED: [what: string, code: string, serve: ((socket: Socket) => void) | undefined][] = [
  ['says nothing until its time is over', 'TIMEOUT', (socket) => socket.resume()],
  ['resets the connection', 'CONNECTION_FAILED', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['closes the connection', 'CONNECTION_FAILED', (socket) => socket.once('data', () => socket.end())],
  ['is not there', 'CONNECTION_FAILED', undefined],
]

for (const [what, code, serve] of UNANSWERED) {
  test(`a delivery whose receiver ${what} has failed with ${code}, and is sent again when its time has come`, {
    rules: ['D10-27', 'RTY-03', 'STD-07', 'STD-09'],
  }, async (t) => {
    const { port, sockets } = serve
      ? await startRawReceiver(t, serve)
      : { port: await closedPort(), sockets: undefined }
    const env = { WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1:${port}` }
    const { hub, endpoint, publish, only, show, attemptsOf } = await startScene(t, { env })
    const crm = await endpoint({ url: `http://127.0.0.1:${port}/` })
    const { sender } = openSender(t, { port, ...(code === 'TIMEOUT' && { deadlineMs: 1000 }) })
    const worker = startOwnWorker(hub, { sender })
    await publish({})

    await worker.deliver()
    const failed = await only(crm)
    await hub.clock.advance('6 seconds')
    await worker.deliver()

    const { status, attempts, last_error_code, last_http_status } = failed
    assert.deepEqual([status, attempts, last_error_code, last_http_status], ['retry', 1, code, null])
    const again = await only(crm)
    assert.deepEqual([again.id, again.status, again.attempts], [failed.id, 'retry', 2])
    const codes = (await attemptsOf(crm, again)).map(({ error_code }) => error_code)
    assert.deepEqual(codes, [code, code])
    assert.equal((await show(crm)).consecutive_failures, 2)
    if (sockets) assert.equal(sockets.length, 2)
  })
}
