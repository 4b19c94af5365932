import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openWindow, serveStreams, settle } from '../../test/stream.ts'
import { follow } from './follow.ts'

/** Follows a stream, and notes what the pages receive: states, and the kinds of events. */
function startFollowing(t: TestContext, { status = 200 } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stopping = new AbortController()
  // Before the window is gone, from which a wait that ends takes its listener.
  t.after(() => stopping.abort())
  openWindow(t)
  const hub = serveStreams(t)
  hub.status = status
  const received: string[] = []
  const done = follow(
    '/events',
    stopping.signal,
    (state) => received.push(state.toUpperCase()),
    ({ kind }) => received.push(kind),
  )
  async function pass(ms: number): Promise<void> {
    await settle()
    t.mock.timers.tick(ms)
    await settle()
  }
  /** Returns what was received since the last look. */
  async function look(): Promise<string[]> {
    await settle()
    return received.splice(0)
  }
  return { hub, stopping, done, pass, look }
}

test('whenever a stream opens, the pages load again before they count as live', async (t) => {
  const { hub, pass, look } = startFollowing(t)
  assert.deepEqual(await look(), ['reload', 'LIVE'])

  hub.opened[0]?.end()
  assert.deepEqual(await look(), ['RECONNECTING'])
  await pass(500)

  assert.deepEqual(await look(), ['reload', 'LIVE'])
})

test('a stream that is opened again goes on after the last event, also if that event was of an earlier stream', async (t) => {
  const { hub, pass, look } = startFollowing(t)
  await look()
  hub.opened[0]?.write('id: 7\ndata: {"kind":"message.created"}\n\n')
  assert.deepEqual(await look(), ['message.created'])

  hub.opened[0]?.break()
  await pass(1000)
  hub.opened[1]?.end()
  await pass(500)

  assert.deepEqual(
    hub.opened.map(({ lastEventId }) => lastEventId),
    [null, '7', '7'],
  )
})

test('pages poll after the third failure in a row, and each poll tries the stream', async (t) => {
  const { hub, pass, look } = startFollowing(t, { status: 503 })

  assert.deepEqual(await look(), ['RECONNECTING'])
  await pass(1000)
  assert.deepEqual(await look(), ['RECONNECTING'])
  await pass(2000)
  assert.deepEqual(await look(), ['POLLING', 'reload'])
  await pass(5000)
  assert.deepEqual(await look(), ['POLLING', 'reload'])
  hub.status = 200
  await pass(5000)

  assert.deepEqual(await look(), ['reload', 'LIVE'])
  assert.equal(hub.opened.length, 5)
})

test('a stream that opened has paid for the failures before it', async (t) => {
  const { hub, pass, look } = startFollowing(t, { status: 503 })
  await pass(1000)
  hub.status = 200
  await pass(2000)
  await look()
  hub.status = 503

  hub.opened.at(-1)?.break()

  assert.deepEqual(await look(), ['RECONNECTING'])
})

test('a page that stops neither waits nor opens another stream', async (t) => {
  const { hub, stopping, done, look } = startFollowing(t, { status: 503 })
  await look()

  stopping.abort()
  await done

  assert.deepEqual(await look(), [])
  assert.equal(hub.opened.length, 1)
})

test('a page that stops while the stream is open announces nothing more', async (t) => {
  const { stopping, done, look } = startFollowing(t)
  await look()

  stopping.abort()
  await done

  assert.deepEqual(await look(), [])
})
