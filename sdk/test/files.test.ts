import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type FileInput, HubApiError, HubConnectionError } from '../src/sdk.ts'
import { AT_ONCE, error, hang, json, reset, startServer } from './server.ts'

const CHANNEL = '0198c2f0-7a5b-7c3d-8e4f-123456789abc'
const UPLOADED = json(201, { data: { media: { id: '7' } } })

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text)
}

test('a Blob is uploaded again after a refusal', async (t) => {
  const { hub, received } = await startServer(t, [error(429, 'RATE_LIMITED', AT_ONCE), UPLOADED])

  const { media } = await hub.media.upload(CHANNEL, { file: new Blob(['abc'], { type: 'text/plain' }) })

  assert.equal(media.id, '7')
  assert.equal(received.length, 2)
  for (const { body } of received)
    assert.match(body, /name="file"; filename="file"\r\nContent-Type: text\/plain\r\n\r\nabc\r\n/)
})

test('a stream is sent once only, because it cannot be read again', {
  rules: ['sdk.stream-is-uploaded-once'],
}, async (t) => {
  const { hub, received } = await startServer(t, [error(429, 'RATE_LIMITED', AT_ONCE), UPLOADED])

  await assert.rejects(hub.media.upload(CHANNEL, { file: { stream: chunks('abc') } }), HubApiError)
  assert.equal(received.length, 1)
})

test('a stream becomes a form with its name and type, which cannot break out of their lines', async (t) => {
  const { hub, received } = await startServer(t, [UPLOADED])

  const file = { stream: chunks('abc', 'def'), name: 'a"\r\nX: y.png', type: 'image/png\r\nX: y' }
  await hub.upstream.uploadMedia('123', { file, messaging_product: 'whatsapp' })

  const [, boundary = ''] = /boundary=(.+)$/.exec(received[0]?.headers['content-type'] ?? '') ?? []
  assert.deepEqual(received[0]?.body.split('\r\n'), [
    `--${boundary}`,
    'Content-Disposition: form-data; name="messaging_product"',
    '',
    'whatsapp',
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="a%22%0D%0AX: y.png"',
    'Content-Type: image/pngX: y',
    '',
    'abcdef',
    `--${boundary}--`,
    '',
  ])
})

test('a stream that fails ends the upload, with its error as the cause', async (t) => {
  const { hub } = await startServer(t, [UPLOADED])
  async function* broken() {
    yield* chunks('abc')
    throw new Error('The disk is gone')
  }

  const failed = await hub.media.upload(CHANNEL, { file: { stream: broken() } }).catch((err: unknown) => err)

  assert.ok(failed instanceof HubConnectionError)
  assert.match(String((failed.cause as Error).cause ?? failed.cause), /The disk is gone/)
})

test('a stream is closed when the connection breaks', async (t) => {
  const { hub, server } = await startServer(t, [hang])
  let isClosed = () => {}
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve
  })
  async function* endless() {
    try {
      for (;;) {
        yield new Uint8Array(65_536)
        await setImmediate()
      }
    } finally {
      isClosed()
    }
  }
  server.prependListener('request', (request) => request.socket.destroy())

  await assert.rejects(hub.media.upload(CHANNEL, { file: { stream: endless() } }), HubConnectionError)
  await closed
})

for (const file of [null, 7, new Uint8Array(3), {}]) {
  test(`a file cannot be ${JSON.stringify(file)}`, async (t) => {
    const { hub, received } = await startServer(t, [UPLOADED])

    await assert.rejects(hub.media.upload(CHANNEL, { file: file as FileInput }), TypeError)
    assert.equal(received.length, 0)
  })
}

test('a download that breaks in the middle fails while it is read', async (t) => {
  const { hub } = await startServer(t, [
    (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('abc', () => response.destroy())
    },
  ])

  const response = await hub.media.download('123')

  await assert.rejects(response.text(), HubConnectionError)
})

test('a download that does not begin is requested again', async (t) => {
  const { hub, received } = await startServer(t, [reset, (response) => response.end('abc')])

  const response = await hub.media.download('123')

  assert.equal(await response.text(), 'abc')
  assert.equal(received.length, 2)
})

test('a refused download is an error of the hub', async (t) => {
  const { hub } = await startServer(t, [error(404, 'NOT_FOUND')])

  await assert.rejects(hub.media.download('123'), { code: 'NOT_FOUND', status: 404 })
})

test("a caller's signal ends a download in the middle, long after the time for its beginning", async (t) => {
  const controller = new AbortController()
  const reason = new Error('The user left')
  const { hub } = await startServer(t, [(response) => response.write('abc')], { timeoutMs: 60_000 })
  const response = await hub.media.download('123', { signal: controller.signal })
  const reader = response.body?.getReader()
  await reader?.read()

  controller.abort(reason)

  await assert.rejects(async () => reader?.read(), reason)
})

test('a download that is canceled frees the connection', async (t) => {
  let sending: ServerResponse | undefined
  const { hub } = await startServer(t, [
    (response) => {
      sending = response
      response.write('abc')
    },
  ])
  const response = await hub.media.download('123')
  const closed = sending && once(sending, 'close')

  await response.body?.cancel()

  await closed
})

test('no request leaves a listener on the signal of its caller', async (t) => {
  const { signal } = new AbortController()
  const { hub } = await startServer(t, [
    error(503, 'OVERLOADED', AT_ONCE),
    json(200, { data: { channel: {} } }),
    (response) => response.end('abc'),
    (response) => response.write('abc'),
    error(404, 'NOT_FOUND'),
  ])

  await hub.channels.get(CHANNEL, { signal })
  await (await hub.media.download('123', { signal })).text()
  await (await hub.media.download('123', { signal })).body?.cancel()
  await assert.rejects(hub.media.download('123', { signal }))

  assert.equal(getEventListeners(signal, 'abort').length, 0)
})
