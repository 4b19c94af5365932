import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer, type TlsOptions } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { createAuthority, issue } from '../../../../test/certificates.ts'
import type { SendResult } from './send-result.ts'
import { HOST, listen, type Options, openSender, startRawReceiver, startReceiver } from './test/receivers.ts'

const AUTHORITY = createAuthority()
const GOOD = issue(AUTHORITY, [HOST])

/** A receiver with TLS, and a sender that trusts the authority of this file. */
async function startSecure(t: TestContext, tls: TlsOptions = GOOD, options: Partial<Options> = {}) {
  const receiver = await startReceiver(t, (response) => response.end('accepted'), tls)
  receiver.server.on('tlsClientError', () => undefined)
  const { send, ...rest } = openSender(t, { port: receiver.port, ca: AUTHORITY.cert, ...options })
  const at = (host: string) => send({ url: `https://${host}:${receiver.port}/hooks` })
  return { ...receiver, ...rest, at }
}

test('a certificate for the name is accepted, and the handshake sends the name as SNI', async (t) => {
  const names: (string | undefined)[] = []
  const { at, received } = await startSecure(t, {
    ...GOOD,
    SNICallback: (name, done) => {
      names.push(name)
      done(null)
    },
  })

  const { ok, httpStatus, address, timings } = await at(HOST)

  assert.deepEqual([ok, httpStatus, address, names], [true, 200, '127.0.0.1', [HOST]])
  assert.equal(received[0]?.url, '/hooks')
  assert.notEqual(timings.connectMs, null)
})

test('a TLS connection is reused', async (t) => {
  const { at, sockets } = await startSecure(t)

  const results = [await at(HOST), await at(HOST), await at(HOST)]

  assert.deepEqual([results.map(({ ok }) => ok), sockets.size], [[true, true, true], 1])
})

test('a request is sent on a new TLS connection if the kept one closes before it is written', async (t) => {
  const server = createServer(GOOD, (socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
  })
  const port = await listen(t, server)
  const { send } = openSender(t, { port, ca: AUTHORITY.cert })
  const url = `https://${HOST}:${port}/`

  const results = [await send({ url }), await send({ url }), await send({ url })]

  assert.deepEqual(
    results.map(({ errorCode }) => errorCode),
    [null, null, null],
  )
})

/** A receiver in a thread of its own, which responds while the thread of the sender is busy. */
const RECEIVER = `
  const { parentPort, workerData } = require('node:worker_threads')
  let connections = 0
  const server = require('node:https').createServer(workerData, (_request, response) => response.end(String(connections)))
  server.on('secureConnection', () => connections++)
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

test('a TLS connection is reused if its response arrives before Node says that the request is written', async (t) => {
  const receiver = new Worker(RECEIVER, { eval: true, workerData: GOOD })
  t.after(() => receiver.terminate())
  const [port] = await once(receiver, 'message')
  const { send } = openSender(t, { port, ca: AUTHORITY.cert })
  const connections: string[] = []

  for (let round = 0; round < 10; round++) {
    const sent = Promise.withResolvers<SendResult>()
    setImmediate(() => sent.resolve(send({ url: `https://${HOST}:${port}/` })))
    // The request is on its way. The next thing that this thread sees is the response.
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50))
    connections.push((await sent.promise).responseBody.toString())
  }

  assert.deepEqual(new Set(connections), new Set(['1']))
})

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`a new ${version} connection resumes the session of an earlier one for an hour`, async (t) => {
    let now = Date.now()
    const { at, server } = await startSecure(t, { ...GOOD, maxVersion: version }, { now: () => new Date(now) })
    const resumed: boolean[] = []
    server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()))
    server.on('request', (_request, response) => response.setHeader('connection', 'close'))

    for (const minutes of [0, 30, 29, 1, 1]) {
      now += minutes * 60_000
      assert.equal((await at(HOST)).ok, true)
    }

    assert.deepEqual(resumed, [false, true, true, false, true])
  })
}

test('a session at which the handshake fails is offered once', async (t) => {
  const { at, server } = await startSecure(t)
  const resumed: boolean[] = []
  server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()))
  server.on('request', (_request, response) => response.setHeader('connection', 'close'))

  await at(HOST)
  server.once('connection', (socket) => socket.write(Buffer.alloc(64)))
  const codes = [await at(HOST), await at(HOST)].map(({ errorCode }) => errorCode)

  assert.deepEqual(codes, ['TLS_FAILED', null])
  assert.deepEqual(resumed, [false, false])
})

test('the session of a refused certificate is not resumed', async (t) => {
  const { at, server } = await startSecure(t, issue(AUTHORITY, ['other.example.com']))
  const resumed: boolean[] = []
  server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()))

  const codes = [await at(HOST), await at(HOST)].map(({ errorCode }) => errorCode)

  assert.deepEqual(codes, ['TLS_FAILED', 'TLS_FAILED'])
  assert.ok(!resumed.includes(true))
})

test('the certificate of the second address is verified against the name', async (t) => {
  const { at } = await startSecure(t, GOOD, { zone: { [HOST]: ['127.0.0.2', '127.0.0.1'] } })

  const { ok, address } = await at(HOST)

  assert.deepEqual([ok, address], [true, '127.0.0.1'])
})

test('an address in the URL needs a certificate for the address, and is not sent as SNI', async (t) => {
  const names: string[] = []
  const SNICallback = (name: string, done: (err: null) => void) => {
    names.push(name)
    done(null)
  }
  const own = await startSecure(t, { ...issue(AUTHORITY, ['127.0.0.1']), SNICallback })
  const foreign = await startSecure(t, GOOD)

  assert.equal((await own.at('127.0.0.1')).ok, true)
  assert.equal((await foreign.at('127.0.0.1')).errorCode, 'TLS_FAILED')
  assert.deepEqual(names, [])
})

const REFUSED: [what: string, tls: TlsOptions][] = [
  ['for another name', issue(AUTHORITY, ['other.example.com'])],
  ['for the address instead of the name', issue(AUTHORITY, ['127.0.0.1'])],
  ['that has expired', issue(AUTHORITY, [HOST], { expiredDays: 1 })],
  ['of an unknown authority', issue(createAuthority('Unknown'), [HOST])],
  ['of an unknown authority with the name of a trusted one', issue(createAuthority(), [HOST])],
]

for (const [what, tls] of REFUSED) {
  test(`a certificate ${what} is refused before any byte of the delivery is sent`, async (t) => {
    const { at, received, server } = await startSecure(t, tls)
    let secured = 0
    server.on('secureConnection', (socket) => socket.on('data', () => secured++))

    const { ok, httpStatus, errorCode, address } = await at(HOST)

    assert.deepEqual([ok, httpStatus, errorCode, address], [false, null, 'TLS_FAILED', '127.0.0.1'])
    assert.deepEqual([received.length, secured], [0, 0])
  })
}

test('only the root certificates of Node are trusted, despite NODE_TLS_REJECT_UNAUTHORIZED=0', async (t) => {
  const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env
  t.after(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  const { port, server } = await startReceiver(t, undefined, GOOD)
  server.on('tlsClientError', () => undefined)
  const { send } = openSender(t, { port })

  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const { errorCode } = await send({ url: `https://${HOST}:${port}/` })

  assert.equal(errorCode, 'TLS_FAILED')
})

const BROKEN: [what: string, serve: (socket: Socket) => void][] = [
  ['resets the handshake', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['closes the handshake', (socket) => socket.once('data', () => socket.end())],
  ['sends plain HTTP', (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
  ['sends an alert', (socket) => socket.once('data', () => socket.end(Buffer.from('15030300020228', 'hex')))],
  ['sends zeros', (socket) => socket.once('data', () => socket.write(Buffer.alloc(64)))],
]

for (const [what, serve] of BROKEN) {
  test(`a receiver that ${what} is the failure TLS_FAILED`, async (t) => {
    const { port } = await startRawReceiver(t, serve)
    const { send } = openSender(t, { port })

    const { ok, errorCode } = await send({ url: `https://${HOST}:${port}/` })

    assert.deepEqual([ok, errorCode], [false, 'TLS_FAILED'])
  })
}

test('a receiver that requires a client certificate is the failure TLS_FAILED', async (t) => {
  const clientCertificate = { ...GOOD, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' as const }
  const { at, received } = await startSecure(t, clientCertificate)

  assert.equal((await at(HOST)).errorCode, 'TLS_FAILED')
  assert.equal(received.length, 0)
})

// TLS 1.3 refuses a client by an alert after the handshake.
test('invalid TLS records after the handshake are the failure TLS_FAILED', async (t) => {
  const { at, server, sockets } = await startSecure(t)
  server.on('secureConnection', () => [...sockets].at(-1)?.write(Buffer.alloc(64)))

  assert.equal((await at(HOST)).errorCode, 'TLS_FAILED')
})

test('a receiver with TLS 1.1 at most is the failure TLS_FAILED', async (t) => {
  const { at } = await startSecure(t, {
    ...GOOD,
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
    ciphers: 'ALL:@SECLEVEL=0',
  })

  assert.equal((await at(HOST)).errorCode, 'TLS_FAILED')
})

test('the deadline covers a handshake that never ends', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.resume())
  const { send } = openSender(t, { port, deadlineMs: 150 })

  const { errorCode, address } = await send({ url: `https://${HOST}:${port}/` })

  assert.deepEqual([errorCode, address, sockets.length], ['TIMEOUT', '127.0.0.1', 1])
})
