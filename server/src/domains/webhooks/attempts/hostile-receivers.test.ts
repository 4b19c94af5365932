import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { SenderOptions } from './sender.ts'
import { closedPort, openSender, respondWith, startRawReceiver } from './test/receivers.ts'

const KIB = 1024

/** One attempt at a TCP server. */
async function attempt(t: TestContext, serve: (socket: Socket) => void, options: Partial<SenderOptions> = {}) {
  const { port, sockets } = await startRawReceiver(t, serve)
  const { send } = openSender(t, { port, ...options })
  const result = await send()
  return { ...result, sockets, send }
}

/** Writes the same piece at an interval until the client closes. */
function dribble(socket: Socket, piece: string | Buffer, everyMs = 5): void {
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.once('close', () => clearInterval(timer))
}

/** Writes as fast as the client reads. */
function pour(socket: Socket, piece: Buffer): void {
  while (!socket.destroyed && socket.write(piece));
  if (!socket.destroyed) socket.once('drain', () => pour(socket, piece))
}

test('a refused connection is the failure CONNECTION_FAILED', async (t) => {
  const { send } = openSender(t, { port: await closedPort() })

  const { ok, httpStatus, errorCode, address, timings } = await send()

  assert.deepEqual([ok, httpStatus, errorCode, address], [false, null, 'CONNECTION_FAILED', '127.0.0.1'])
  assert.deepEqual([timings.connectMs, timings.firstByteMs], [null, null])
})

const SILENT: [what: string, serve: (socket: Socket) => void][] = [
  ['accepts and sends nothing', (socket) => socket.resume()],
  ['does not even read', (socket) => socket.pause()],
  ['sends half a status line', respondWith('HTTP/1.1 20')],
  ['sends headers that never end', respondWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n')],
  ['dribbles its headers', respondWith('HTTP/1.1 200 OK\r\n', (socket) => dribble(socket, 'a: b\r\n'))],
  ['sends an interim response and nothing more', respondWith('HTTP/1.1 103 Early Hints\r\n\r\n')],
]

for (const [what, serve] of SILENT) {
  test(`a receiver that ${what} is the failure TIMEOUT`, { rules: ['delivery.ten-seconds-to-answer'] }, async (t) => {
    const { ok, httpStatus, errorCode, sockets } = await attempt(t, serve, { deadlineMs: 150 })

    assert.deepEqual([ok, httpStatus, errorCode, sockets.length], [false, null, 'TIMEOUT', 1])
  })
}

const BROKEN: [what: string, serve: (socket: Socket) => void][] = [
  ['resets at once', (socket) => socket.resetAndDestroy()],
  ['closes at once', (socket) => socket.end()],
  ['resets after the request', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['closes after the request', (socket) => socket.once('data', () => socket.end())],
  ['resets in the status line', respondWith('HTTP/1.1 20', (socket) => socket.resetAndDestroy())],
  ['resets in the headers', respondWith('HTTP/1.1 200 OK\r\na: b\r\n', (socket) => socket.resetAndDestroy())],
  ['closes in the headers', respondWith('HTTP/1.1 200 OK\r\na: b\r\n', (socket) => socket.end())],
  ['closes after an interim response', respondWith('HTTP/1.1 103 Early Hints\r\n\r\n', (socket) => socket.end())],
  ['sends SSH', respondWith('SSH-2.0-OpenSSH_9.2\r\n\r\n')],
  ['sends TLS', respondWith(Buffer.from('15030300020228', 'hex'))],
  ['sends HTTP/2', respondWith(Buffer.from('000000040000000000', 'hex'))],
  ['sends zeros', respondWith(Buffer.alloc(64))],
  ['has a status of four digits', respondWith('HTTP/1.1 2000 OK\r\n\r\n')],
  ['has a status below 100', respondWith('HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n')],
  ['has a status that is not a number', respondWith('HTTP/1.1 abc OK\r\n\r\n')],
  ['has a control character in a header', respondWith('HTTP/1.1 200 OK\r\na: b\u0000c\r\n\r\n')],
  ['has two different lengths', respondWith('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab')],
  ['has a length that is not a number', respondWith('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n')],
  ['switches protocols', respondWith('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n')],
  ['has one header of 20 KiB', respondWith(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(20 * KIB)}\r\n\r\n`)],
  ['has 20 KiB of headers', respondWith(`HTTP/1.1 200 OK\r\n${'abcd: efgh\r\n'.repeat(2 * KIB)}\r\n`)],
  [
    'pours out headers without end',
    respondWith('HTTP/1.1 200 OK\r\n', (socket) => pour(socket, Buffer.from('abcd: efgh\r\n'.repeat(64)))),
  ],
  [
    'pours out interim responses without end',
    respondWith('HTTP/1.1 103 a\r\n\r\n', (socket) => pour(socket, Buffer.from('HTTP/1.1 103 a\r\n\r\n'.repeat(64)))),
  ],
]

for (const [what, serve] of BROKEN) {
  test(`a receiver that ${what} is the failure CONNECTION_FAILED`, async (t) => {
    const { ok, httpStatus, errorCode, sockets } = await attempt(t, serve)

    assert.deepEqual([ok, httpStatus, errorCode, sockets.length], [false, null, 'CONNECTION_FAILED', 1])
  })
}

const SKIPPED: [what: string, reply: string][] = [
  ['an unsolicited 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['100 Continue twice', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nserver: x\r\n\r\n'],
  ['102 and 103', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
  ['an empty line', '\r\n'],
]

for (const [what, interim] of SKIPPED) {
  test(`${what} before a 200 is skipped, in one piece or byte by byte`, async (t) => {
    const reply = Buffer.from(`${interim}HTTP/1.1 200 OK\r\nx-final: yes\r\ncontent-length: 2\r\n\r\nok`)
    const whole = await attempt(t, respondWith(reply))
    const bytewise = await attempt(t, (socket) => void socket.once('data', () => void writeBytewise(socket, reply)))

    for (const { ok, httpStatus, responseHeaders, responseBody } of [whole, bytewise]) {
      assert.deepEqual([ok, httpStatus, responseHeaders['x-final']], [true, 200, 'yes'])
      assert.equal(responseBody.toString(), 'ok')
    }
  })
}

async function writeBytewise(socket: Socket, bytes: Buffer): Promise<void> {
  socket.setNoDelay(true)
  for (const byte of bytes) {
    socket.write(Buffer.from([byte]))
    await new Promise(setImmediate)
  }
}

const CUT: [what: string, serve: (socket: Socket) => void][] = [
  ['dribbles its body', respondWith(head(KIB), (socket) => dribble(socket, '.'))],
  ['sends half of its body and waits', respondWith(`${head(KIB)}half`)],
  ['sends half of its body and resets', respondWith(`${head(KIB)}half`, (socket) => socket.resetAndDestroy())],
  ['sends half of its body and closes', respondWith(`${head(KIB)}half`, (socket) => socket.end())],
  ['has a body without end', respondWith(chunkedHead(), (socket) => pour(socket, buildChunk(Buffer.alloc(KIB, '.'))))],
  ['has chunks of one byte without end', respondWith(chunkedHead(), (socket) => pour(socket, manyChunks()))],
  [
    'never ends the size of a chunk',
    respondWith(`${chunkedHead()}1;`, (socket) => pour(socket, Buffer.alloc(KIB, 'a'))),
  ],
  ['has a chunk with an invalid size', respondWith(`${chunkedHead()}zz\r\n`)],
  [
    'pours out trailers without end',
    respondWith(`${chunkedHead()}0\r\n`, (socket) => pour(socket, Buffer.from('a: b\r\n'.repeat(KIB)))),
  ],
  ['has 65 KiB of body', respondWith(head(65 * KIB) + '.'.repeat(65 * KIB))],
]

for (const [what, serve] of CUT) {
  test(`a receiver that sends 200 and then ${what} is a success, and its connection is closed`, {
    rules: ['delivery.response-body-is-cut'],
  }, async (t) => {
    const { ok, httpStatus, errorCode, responseBody, sockets, send } = await attempt(t, serve, { bodyMs: 100 })
    await send()

    assert.deepEqual([ok, httpStatus, errorCode, sockets.length], [true, 200, null, 2])
    assert.ok(responseBody.length <= 4 * KIB)
  })
}

const ENDED: [what: string, serve: (socket: Socket) => void][] = [
  ['timed out', (socket) => socket.resume()],
  ['was cut', respondWith(`${head(KIB)}half`)],
]

for (const [what, serve] of ENDED) {
  test(`the connection of an attempt that ${what} is closed`, { timeout: 5000 }, async (t) => {
    const { sockets } = await attempt(t, serve, { deadlineMs: 200, bodyMs: 100 })

    const [socket] = sockets
    if (!socket?.readableEnded) await once(socket!, 'end')
  })
}

test('a failed response whose body is cut has the error code of its status', async (t) => {
  const { ok, errorCode, responseBody } = await attempt(
    t,
    respondWith(`HTTP/1.1 500 Oops\r\ncontent-length: ${KIB}\r\n\r\nhalf`),
    { bodyMs: 100 },
  )

  assert.deepEqual([ok, errorCode, responseBody.toString()], [false, 'HTTP_500', 'half'])
})

test('the first 4 KiB of a body are kept, and a body of 64 KiB leaves the connection reusable', {
  rules: ['delivery.response-body-is-cut'],
}, async (t) => {
  const body = Buffer.from(Array.from({ length: 64 * KIB }, (_, i) => 97 + (i % 26)))
  const { ok, responseBody, sockets, send } = await attempt(t, (socket) => {
    socket.on('data', () => socket.write(Buffer.concat([Buffer.from(head(body.length)), body])))
  })
  const again = await send()

  assert.deepEqual([ok, again.ok, sockets.length], [true, true, 1])
  assert.deepEqual(responseBody, body.subarray(0, 4 * KIB))
  assert.deepEqual(again.responseBody, body.subarray(0, 4 * KIB))
})

test('a compressed body is stored as received and never decompressed', async (t) => {
  const bomb = gzipSync(Buffer.alloc(16 * KIB * KIB))
  const reply = Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
    bomb,
  ])

  const { ok, responseBody, responseHeaders } = await attempt(t, respondWith(reply))

  assert.deepEqual([ok, responseHeaders['content-encoding']], [true, 'gzip'])
  assert.deepEqual(responseBody, bomb.subarray(0, 4 * KIB))
})

test('a response without a length ends with its connection', async (t) => {
  const { ok, responseBody } = await attempt(
    t,
    respondWith('HTTP/1.0 200 OK\r\n\r\nto the end', (socket) => socket.end()),
  )

  assert.deepEqual([ok, responseBody.toString()], [true, 'to the end'])
})

test('a receiver may respond before it has read the request', async (t) => {
  const { port } = await startRawReceiver(t, (socket) =>
    socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n'),
  )
  const { send } = openSender(t, { port })

  const { errorCode } = await send({ payload: Buffer.alloc(512) })

  assert.equal(errorCode, 'HTTP_413')
})

test('the first 64 header lines are kept, under any names', async (t) => {
  const lines = ['__proto__: a', 'constructor: b', ...Array.from({ length: 100 }, () => 'set-cookie: c')]
  const { ok, responseHeaders } = await attempt(
    t,
    respondWith(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\nlast: d\r\ncontent-length: 0\r\n\r\n`),
  )

  assert.equal(ok, true)
  assert.deepEqual(Object.keys(responseHeaders).sort(), ['__proto__', 'constructor', 'set-cookie'])
  assert.equal(responseHeaders['set-cookie']?.length, 62)
})

function head(length: number): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`
}

function chunkedHead(): string {
  return 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
}

function manyChunks(): Buffer {
  return Buffer.from('1\r\n.\r\n'.repeat(KIB))
}

function buildChunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}
