import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { openWindow, serveStreams, settle } from '../../test/stream.ts'
import { type LiveEvent, readStream } from './stream.ts'

const URL = '/console/organizations/1/events'

function read(lastId = '', signal = new AbortController().signal) {
  const events: [LiveEvent, string][] = []
  const seen = { opened: 0, events }
  const done = readStream(URL, lastId, signal, {
    onOpen() {
      seen.opened += 1
    },
    onEvent: (event, id) => void events.push([event, id]),
  })
  // A rejection is looked at after it happened.
  done.catch(() => undefined)
  return { ...seen, seen, done }
}

function startReading(t: TestContext, lastId?: string, signal?: AbortSignal) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const page = openWindow(t)
  const hub = serveStreams(t)
  return { page, hub, ...read(lastId, signal) }
}

test('events are the same however the network cuts them', async (t) => {
  openWindow(t)
  const hub = serveStreams(t)
  const expected: [LiveEvent, string][] = [
    [{ kind: 'message.created', message_id: 'São' }, '1'],
    [{ kind: 'reload' }, '1'],
    [{ kind: 'channel.updated', channel_id: 'é😀' }, '9'],
  ]
  const bytes = new TextEncoder().encode(
    `: hello\n\nid: 1\ndata: ${JSON.stringify(expected[0]![0])}\n\n:\n\ndata:{"kind":"reload"}\n\nretry: 500\n\n` +
      `id: 9\nevent: update\ndata: ${JSON.stringify(expected[2]![0])}\n\ndata: {"kind":"cut off`,
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 })), async (cuts) => {
      hub.opened.length = 0
      const { done, events } = read()
      const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
      for (const [position, edge] of edges.slice(1).entries()) hub.opened[0]?.write(bytes.slice(edges[position], edge))
      hub.opened[0]?.end()
      await done
      assert.deepEqual(events, expected)
    }),
  )
})

test('a stream goes on after the last event that was read', async (t) => {
  const { hub, done, events } = startReading(t, '41')

  hub.opened[0]?.write('data: {"kind":"a"}\n\nid: 42\n\ndata: {"kind":"b"}\n\n')
  hub.opened[0]?.end()
  await done

  assert.equal(hub.opened[0]?.lastEventId, '41')
  assert.deepEqual(
    events.map(([, id]) => id),
    ['41', '42'],
  )
})

test('the first stream names no event', (t) => {
  assert.equal(startReading(t).hub.opened[0]?.lastEventId, null)
})

test('a stream that the hub refuses is not open', async (t) => {
  openWindow(t)
  const hub = serveStreams(t)
  hub.status = 503

  const { done, seen } = read()

  await assert.rejects(done, /503/)
  assert.equal(seen.opened, 0)
})

test('a stream that is silent for longer than heartbeats allow has ended', async (t) => {
  const { hub, done, seen } = startReading(t)
  await settle()
  t.mock.timers.tick(14_999)
  hub.opened[0]?.write(':\n\n')
  await settle()
  t.mock.timers.tick(14_999)
  await settle()
  hub.opened[0]?.write('data: {"kind":"a"}\n\n')
  await settle()
  assert.equal(seen.events.length, 1)

  t.mock.timers.tick(15_000)

  await assert.rejects(done, { name: 'AbortError' })
})

test('a stream ends as soon as the browser is offline', async (t) => {
  const { page, done } = startReading(t)
  await settle()

  page.dispatchEvent(new Event('offline'))

  await assert.rejects(done, { name: 'AbortError' })
})
