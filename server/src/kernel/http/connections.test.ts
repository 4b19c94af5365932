import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, maxHeaderSize } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { assertErrorEnvelope } from '../../../test/error-envelope.ts'
import { ECHO } from '../../../test/extension.ts'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { openRawConnection, type RawResponse, sendRaw } from '../../../test/raw-http.ts'
import { readBody } from './body.ts'
import { createBodyBudget } from './body-budget.ts'

const HEAD = 'POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n'
const KIBIBYTE = 1024
const QUICK = { headers: 50, body: 50, request: 60_000, check: 10 }

function assertRefused(answer: RawResponse, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assertErrorEnvelope(answer)
  assert.equal(answer.body.error.code, code)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(answer.headers.get('connection'), 'close')
}

test('headers that are too large are 431', {
  rules: ['error.large-headers-are-431', 'api.request-id-is-in-every-response'],
}, async (t) => {
  const { url } = await startHub(t)

  const answer = await sendRaw(url, `GET /health HTTP/1.1\r\nHost: h\r\nX-Large: ${'x'.repeat(maxHeaderSize)}\r\n\r\n`)

  assertRefused(answer, 431, 'HEADERS_TOO_LARGE')
})

test('a URL that is too long is 431', { rules: ['error.large-headers-are-431'] }, async (t) => {
  const { url } = await startHub(t)

  const answer = await sendRaw(url, `GET /${'x'.repeat(maxHeaderSize)} HTTP/1.1\r\nHost: h\r\n\r\n`)

  assertRefused(answer, 431, 'HEADERS_TOO_LARGE')
})

const NOT_HTTP: Record<string, string | Buffer> = {
  'another protocol': 'SSH-2.0-OpenSSH_9.9\r\n',
  'a TLS greeting': Buffer.from('16030100c8010000c40303', 'hex'),
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an unknown method': 'FETCH /health HTTP/1.1\r\nHost: h\r\n\r\n',
  'a header without a name': 'GET /health HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n',
  'two lengths': `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
  'a length and chunks': `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
  'a negative length': `${HEAD}Content-Length: -1\r\n\r\n`,
}

for (const [what, bytes] of Object.entries(NOT_HTTP)) {
  test(`${what} is 400 and ends the connection`, async (t) => {
    const { url } = await startHub(t, { extension: ECHO })

    const answer = await sendRaw(url, bytes)

    assertRefused(answer, 400, 'INVALID_REQUEST')
  })
}

test('a refused connection logs one line with the request id, without the bytes that were sent', async (t) => {
  const { url, logs } = await startHub(t)

  const answer = await sendRaw(url, 'GET /health HTTP/1.1\r\nAuthorization: Bearer hub_ak_planted\r\n: x\r\n\r\n')

  const lines = logs.filter((line) => line.includes('connection refused'))
  assert.equal(lines.length, 1)
  const { request_id, status, ip } = JSON.parse(lines[0]!)
  assert.deepEqual([request_id, status, ip], [answer.body.error.request_id, 400, '127.0.0.1'])
  assert.ok(!lines[0]!.includes('planted'))
})

test('a request without a Host is 400', async (t) => {
  const { url } = await startHub(t)

  const answer = await sendRaw(url, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')

  assertRefused(answer, 400, 'INVALID_REQUEST')
})

test('an expectation that the hub does not know is ignored', async (t) => {
  const { url } = await startHub(t)

  const answer = await sendRaw(url, 'GET /health HTTP/1.1\r\nHost: h\r\nExpect: tea\r\nConnection: close\r\n\r\n')

  assert.equal(answer.status, 200)
})

test('a client that never sends a byte gets 408 and is disconnected', {
  rules: ['error.slow-request-is-408'],
}, async (t) => {
  const { url } = await startHub(t, { timeouts: QUICK })

  const answer = await sendRaw(url, '')

  assertRefused(answer, 408, 'REQUEST_TIMEOUT')
})

test('a client whose headers never end gets 408 and is disconnected', {
  rules: ['error.slow-request-is-408'],
}, async (t) => {
  const { url } = await startHub(t, { timeouts: QUICK })

  const answer = await sendRaw(url, 'GET /health HTTP/1.1\r\nHost: h\r\nX-Slow: ')

  assertRefused(answer, 408, 'REQUEST_TIMEOUT')
})

test('a client whose body never ends gets 408 and is disconnected', {
  rules: ['error.slow-request-is-408'],
}, async (t) => {
  const { url } = await startHub(t, { extension: ECHO, timeouts: QUICK })

  const announced = await sendRaw(url, `${HEAD}Content-Length: 12\r\n\r\n{"name"`)
  const chunked = await sendRaw(url, `${HEAD}Transfer-Encoding: chunked\r\n\r\n7\r\n{"name"\r\n`)

  assertRefused(announced, 408, 'REQUEST_TIMEOUT')
  assertRefused(chunked, 408, 'REQUEST_TIMEOUT')
})

/** Holds up the event loop, and with it every reading of a socket, for longer than the timeout. */
function holdUp(timeoutMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * timeoutMs)
}

test('headers that arrived while the process was held up are read, however late', {
  rules: ['process.late-reading-is-no-408'],
}, async (t) => {
  // Long enough for a busy machine to send the headers in time.
  const timeouts = { ...QUICK, headers: 1000 }
  const { url, anonymous } = await startHub(t, { timeouts })
  const connection = await openRawConnection(url)
  // The hub accepts connections in their order.
  await anonymous.get('/health')

  connection.write('GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')
  holdUp(timeouts.headers)
  const answer = await connection.answer()

  assert.equal(answer.status, 200, answer.text)
})

test('a body that arrived while the process was held up is read, however late', {
  rules: ['process.late-reading-is-no-408'],
}, async (t) => {
  const done = Promise.withResolvers<Buffer>()
  const reading = Promise.withResolvers<void>()
  const server = createServer((request) => {
    const limits = { bytesMax: 64 * KIBIBYTE, timeoutMs: QUICK.body, budget: createBodyBudget(64 * KIBIBYTE) }
    readBody(request, limits).then(done.resolve, done.reject)
    reading.resolve()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const connection = await openRawConnection(`http://127.0.0.1:${port}`)
  t.after(() => connection.hangUp())
  const body = 'x'.repeat(32 * KIBIBYTE)
  connection.write(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n`)
  await reading.promise

  connection.write(body)
  holdUp(QUICK.body)

  assert.equal((await done.promise).length, body.length)
})

test('a client whose request takes longer than the limit gets 408 and is disconnected', async (t) => {
  const timeouts = { headers: 40, body: 60_000, request: 50, check: 10 }
  const { url } = await startHub(t, { extension: ECHO, timeouts })

  const answer = await sendRaw(url, `${HEAD}Content-Length: 12\r\n\r\n{"name"`)

  assertRefused(answer, 408, 'REQUEST_TIMEOUT')
})

test('a slow client does not delay another', async (t) => {
  const { url, anonymous } = await startHub(t, { extension: ECHO })
  const slow = await openRawConnection(url)
  slow.write(`${HEAD}Content-Length: 12\r\n\r\n{"name"`)

  const res = await anonymous.post('/api/v1/echo', { name: 'quick' })

  assert.equal(res.status, 200)
  slow.hangUp()
})

test('two requests on one connection are both answered', async (t) => {
  const { url } = await startHub(t, { extension: ECHO })
  const refused = `${HEAD}Content-Length: 7\r\n\r\n{"a":1}`
  const taken = `${HEAD}Content-Length: 12\r\nConnection: close\r\n\r\n{"name":"x"}`

  const answer = await sendRaw(url, refused + taken)

  assert.equal(answer.status, 400)
  assert.match(answer.text, /HTTP\/1\.1 200 OK/)
  assert.match(answer.text, /\{"data":\{"name":"x"\}\}$/)
})

test('a request with two Idempotency-Key headers is 400 in any case of letters', async (t) => {
  const { url } = await startHub(t, { extension: ECHO })
  const body = 'Content-Length: 12\r\nConnection: close\r\n\r\n{"name":"x"}'

  const one = await sendRaw(url, `${HEAD}Idempotency-Key: a-key-of-one\r\n${body}`)
  const two = await sendRaw(url, `${HEAD}Idempotency-Key: a-key-of-one\r\nidempotency-KEY: a-key-of-one\r\n${body}`)

  assert.equal(one.status, 200)
  assert.deepEqual([two.status, two.body.error.code], [400, 'INVALID_REQUEST'])
  assert.equal(two.headers.get('x-request-id'), two.body.error.request_id)
  assert.equal(two.headers.get('x-content-type-options'), 'nosniff')
})

/** A connection with a request in flight, which ends with one more byte. An idle one would be closed for another. */
async function openBusyConnection({ url, app }: TestHub) {
  const received = once(app.server, 'request')
  const connection = await openRawConnection(url)
  connection.write(`${HEAD}Connection: close\r\nContent-Length: 12\r\n\r\n{"name":"x"`)
  await received
  return connection
}

test('a connection over the limit is closed without a response and is a warning, and works when another has ended', async (t) => {
  const hub = await startHub(t, { extension: ECHO, capacity: { connectionsMax: 2 } })
  const request = 'GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
  const open = [await openBusyConnection(hub), await openBusyConnection(hub)]

  const refused = await sendRaw(hub.url, request)
  open[0]?.write('}')
  const served = await open[0]?.answer()
  let again = await sendRaw(hub.url, request)
  while (again.status !== 200) again = await sendRaw(hub.url, request)

  assert.equal(refused.text, '')
  assert.equal(served?.status, 200)
  assert.equal(hub.logs.filter((line) => line.includes('too many are open')).length, 1)
  open[1]?.hangUp()
})
