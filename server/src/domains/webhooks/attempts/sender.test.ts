import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { DELIVERY_ID, openSender, SECRET, startRawReceiver, startReceiver } from './test/receivers.ts'

test('an attempt sends one signed POST of the exact payload to the path and query of the URL', {
  rules: ['signature.native-covers-time-id-and-body', 'signature.covers-the-bytes-as-sent'],
}, async (t) => {
  const { port, received } = await startReceiver(t)
  const { send } = openSender(t, { port, now: () => new Date('2026-03-01T12:00:00.999Z') })
  const payload = Buffer.from([0x7b, 0xff, 0x00, 0xc3, 0x28, 0x7d])

  const result = await send({ payload })

  const signed = Buffer.concat([Buffer.from(`1772366400.${DELIVERY_ID}.`), payload])
  const signature = createHmac('sha256', SECRET).update(signed).digest('hex')
  const { method, url, headers, body: bytes } = received[0]!
  assert.deepEqual([result.ok, method, url, received.length], [true, 'POST', '/hooks?a=b', 1])
  assert.deepEqual(bytes, payload)
  assert.deepEqual(headers, {
    host: `hooks.example.com:${port}`,
    connection: 'keep-alive',
    'content-type': 'application/json',
    'user-agent': 'Hubline/1.2.3',
    'accept-encoding': 'identity',
    'x-hub-delivery-id': DELIVERY_ID,
    'x-hub-timestamp': '1772366400',
    'x-hub-signature-version': 'v2',
    'x-hub-signature-256': `sha256=${signature}`,
    'content-length': '6',
  })
})

test('a compat delivery has the version compat-v1 and a signature of the payload alone', {
  rules: ['signature.compat-covers-the-body'],
}, async (t) => {
  const { port, received } = await startReceiver(t)
  const { send } = openSender(t, { port })

  await send({ deliveryFormat: 'compat', payload: Buffer.from('{}') })

  const { headers } = received[0]!
  assert.equal(headers['x-hub-signature-version'], 'compat-v1')
  assert.equal(headers['x-hub-signature-256'], `sha256=${createHmac('sha256', SECRET).update('{}').digest('hex')}`)
})

test('the result has the request headers, the response, the address and the timings', {
  rules: ['delivery.attempt-keeps-its-evidence'],
}, async (t) => {
  const { port } = await startReceiver(t, (response) => response.writeHead(201, { 'x-request': 'r1' }).end('accepted'))
  const { send } = openSender(t, { port })

  const { requestHeaders, responseHeaders, timings, ...rest } = await send()
  const again = await send()

  assert.deepEqual(rest, {
    ok: true,
    httpStatus: 201,
    errorCode: null,
    retryAfterSeconds: null,
    responseBody: Buffer.from('accepted'),
    address: '127.0.0.1',
  })
  assert.equal(requestHeaders['X-Hub-Delivery-Id'], DELIVERY_ID)
  assert.equal(responseHeaders['x-request'], 'r1')
  assert.deepEqual(Object.values(timings).map(Number.isInteger), [true, true, true, true])
  assert.deepEqual([again.timings.connectMs, again.address], [null, '127.0.0.1'])
})

for (const status of [200, 201, 202, 204, 206, 226, 299]) {
  test(`status ${status} is a success`, async (t) => {
    const { port } = await startReceiver(t, (response) => response.writeHead(status).end())
    const { send } = openSender(t, { port })

    const { ok, httpStatus, errorCode } = await send()

    assert.deepEqual([ok, httpStatus, errorCode], [true, status, null])
  })
}

for (const status of [300, 304, 400, 401, 404, 410, 418, 429, 499, 500, 503, 599, 999]) {
  test(`status ${status} is the failure HTTP_${status}`, async (t) => {
    const { port } = await startReceiver(t, (response) => response.writeHead(status).end('no'))
    const { send } = openSender(t, { port })

    const { ok, httpStatus, errorCode } = await send()

    assert.deepEqual([ok, httpStatus, errorCode], [false, status, `HTTP_${status}`])
  })
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect ${status} is not followed`, {
    rules: ['delivery.other-answers-are-failures', 'destination.redirect-is-not-followed'],
  }, async (t) => {
    const elsewhere = await startReceiver(t)
    const location = `http://127.0.0.1:${elsewhere.port}/`
    const { port } = await startReceiver(t, (response) => response.writeHead(status, { location }).end())
    const { send } = openSender(t, { port })

    const { ok, errorCode, responseHeaders } = await send()

    assert.deepEqual([ok, errorCode, responseHeaders.location], [false, `HTTP_${status}`, location])
    assert.equal(elsewhere.received.length, 0)
  })
}

test('the Retry-After of a failed attempt is read as seconds or as a date', async (t) => {
  const values = ['120', 'Sun, 01 Mar 2026 12:00:30 GMT', 'later']
  const { port } = await startReceiver(t, (response) =>
    response.writeHead(503, { 'retry-after': values.shift() ?? '' }).end(),
  )
  const { send } = openSender(t, { port, now: () => new Date('2026-03-01T12:00:00Z') })

  const seconds = [await send(), await send(), await send()].map(({ retryAfterSeconds }) => retryAfterSeconds)

  assert.deepEqual(seconds, [120, 30, null])
})

test('the Retry-After of a successful attempt is ignored', async (t) => {
  const { port } = await startReceiver(t, (response) => response.writeHead(202, { 'retry-after': '60' }).end())
  const { send } = openSender(t, { port })

  assert.equal((await send()).retryAfterSeconds, null)
})

test('an empty payload is sent with a content length of 0', async (t) => {
  const { port, received } = await startReceiver(t)
  const { send } = openSender(t, { port })

  await send({ payload: Buffer.alloc(0) })

  assert.deepEqual([received[0]?.headers['content-length'], received[0]?.body.length], ['0', 0])
})

test('a payload of several megabytes arrives complete', async (t) => {
  const { port, received } = await startReceiver(t)
  const { send } = openSender(t, { port })
  const payload = Buffer.alloc(3 * 1024 * 1024, 'abcdefg')

  const { ok } = await send({ payload })

  assert.deepEqual([ok, received[0]?.body.equals(payload)], [true, true])
})

test('a closing sender waits for the attempts in flight and rejects new ones', async (t) => {
  const held: ServerResponse[] = []
  const { port } = await startReceiver(t, (response) => void held.push(response))
  const { send, sender } = openSender(t, { port })
  const order: string[] = []
  const inFlight = send().then(({ ok }) => order.push(`result ${ok}`))
  while (held.length === 0) await new Promise(setImmediate)

  const closed = sender[Symbol.asyncDispose]().then(() => order.push('closed'))
  await assert.rejects(send(), /closed/)
  held[0]?.end()
  await Promise.all([inFlight, closed])

  assert.deepEqual(order, ['result true', 'closed'])
})

test('a closed sender leaves no socket open', { timeout: 10_000 }, async (t) => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.on('data', () => socket.write(ok)))
  const { send, sender } = openSender(t, { port })
  await Promise.all([send(), send()])

  await sender[Symbol.asyncDispose]()

  await Promise.all(sockets.map((socket) => socket.readableEnded || once(socket, 'end')))
  assert.equal(sockets.length, 2)
})

test('an invalid header value rejects, and does not count as a failure of the receiver', async (t) => {
  const { port, received } = await startReceiver(t)
  const { send } = openSender(t, { port })

  await assert.rejects(send({ deliveryId: 'a\r\nX-Evil: 1' }), { code: 'UND_ERR_INVALID_ARG' })

  assert.equal((await send()).ok, true)
  assert.equal(received.length, 1)
})
