import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { expectFailure, expectValue } from '../test/results.ts'
import {
  closePort,
  json,
  openSandbox,
  openUpstream,
  PHONE_ID,
  recordingServer,
  SENT,
  socketServer,
  TEXT,
  TOKEN,
} from '../test/servers.ts'

const SHORT = { timeoutMs: 600 }

/** Sends once and reads once against the same server. */
async function sendAndRead(t: TestContext, url: string, options = {}) {
  const upstream = openUpstream(t, url, options)
  const [send, read] = await Promise.all([
    upstream.messages.send(TOKEN, PHONE_ID, TEXT),
    upstream.phoneNumbers.get(TOKEN, PHONE_ID),
  ])
  return { send: expectFailure(send), read: expectFailure(read) }
}

/** Writes these bytes to a raw socket after the head of the request. */
function respondWith(text: string, then: (socket: Socket) => void = () => {}) {
  return (socket: Socket) => socket.once('data', () => socket.write(text, () => then(socket)))
}

test('a refused connection is unavailable for writes and reads', async (t) => {
  const { send, read } = await sendAndRead(t, await closePort())

  assert.deepEqual([send.kind, send.status, read.kind], ['unavailable', null, 'unavailable'])
  assert.equal((send.cause as NodeJS.ErrnoException).code, 'ECONNREFUSED')
})

test('a failed TLS handshake is unavailable', async (t) => {
  const server = await socketServer(t, (socket) => socket.end('this is no TLS\r\n'))

  const { send, read } = await sendAndRead(t, server.url.replace('http:', 'https:'))

  assert.deepEqual([send.kind, read.kind], ['unavailable', 'unavailable'])
})

test('a reset after the request was sent is an unknown outcome of a write', async (t) => {
  const server = await socketServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))

  const { send, read } = await sendAndRead(t, server.url)

  assert.deepEqual([send.kind, send.status, read.kind], ['unknown-outcome', null, 'unavailable'])
})

test('a connection closed without a response is an unknown outcome of a write', async (t) => {
  const server = await socketServer(t, (socket) => socket.once('data', () => socket.end()))

  const { send, read } = await sendAndRead(t, server.url)

  assert.deepEqual([send.kind, read.kind], ['unknown-outcome', 'unavailable'])
})

test('the deadline covers headers that never arrive', async (t) => {
  const server = await socketServer(t, (socket) => socket.resume())

  const { send, read } = await sendAndRead(t, server.url, SHORT)

  assert.deepEqual([send.kind, read.kind], ['unknown-outcome', 'unavailable'])
})

test('a send may take the whole timeout, and every other call half of it', {
  rules: ['config.defaults', 'config.other-calls-get-half-the-timeout'],
}, async (t) => {
  const server = await socketServer(t, (socket) => socket.resume())

  const { send, read } = await sendAndRead(t, server.url, SHORT)

  assert.match(String(send.cause), /within 600 ms/)
  assert.match(String(read.cause), /within 300 ms/)
})

test('the deadline covers a body that never ends', async (t) => {
  const server = await socketServer(t, respondWith('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"messages":'))

  const { send, read } = await sendAndRead(t, server.url, SHORT)

  assert.deepEqual([send.kind, send.status, read.kind], ['unknown-outcome', 200, 'unavailable'])
})

test('the deadline covers a body that arrives one byte at a time', async (t) => {
  const server = await socketServer(t, (socket) => {
    const timer = setInterval(() => socket.write('1\r\n \r\n'), 20)
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'))
    socket.once('close', () => clearInterval(timer))
  })

  const { send, read } = await sendAndRead(t, server.url, SHORT)

  assert.deepEqual([send.kind, read.kind], ['unknown-outcome', 'unavailable'])
})

test('a truncated response is an unknown outcome of a write', async (t) => {
  const body = JSON.stringify(SENT)
  const reply = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`
  const server = await socketServer(
    t,
    respondWith(reply, (socket) => socket.end()),
  )

  const { send, read } = await sendAndRead(t, server.url)

  assert.deepEqual([send.kind, read.kind], ['unknown-outcome', 'unavailable'])
})

test('a non-HTTP response is an unknown outcome of a write', async (t) => {
  const server = await socketServer(
    t,
    respondWith('SSH-2.0-OpenSSH_9.2\r\n\r\n', (socket) => socket.end()),
  )

  const { send, read } = await sendAndRead(t, server.url)

  assert.deepEqual([send.kind, read.kind], ['unknown-outcome', 'unavailable'])
})

const STRANGE: [string, number, string | Buffer][] = [
  ['garbage', 200, '{"messages":[{"id"'],
  ['nothing', 200, ''],
  ['HTML', 200, '<html>Sorry</html>'],
  ['JSON of another shape', 200, '{"success":true}'],
  ['a message without an id', 200, '{"messages":[{}]}'],
  ['bytes that are no text', 200, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['nesting that exhausts the parser', 200, `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['more than a mebibyte', 200, JSON.stringify({ ...SENT, id: '1', padding: 'x'.repeat(1024 * 1024) })],
  ['HTML beside a 502', 502, '<html>Bad gateway</html>'],
  ['HTML beside a 429', 429, '<html>Slow down</html>'],
  ["a gateway's own JSON beside a 503", 503, '{"error":{"code":503,"message":"no healthy upstream"}}'],
]

for (const [what, status, body] of STRANGE) {
  test(`${what} with status ${status} leaves the outcome of a write unknown`, async (t) => {
    const server = await recordingServer(t, (_request, response) => void response.writeHead(status).end(body))

    const { send, read } = await sendAndRead(t, server.url)

    assert.deepEqual([send.kind, read.kind], ['unknown-outcome', 'unavailable'])
    assert.equal(send.code, null)
  })
}

test('a response is classified by its body, not by its content type', async (t) => {
  const server = await recordingServer(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=UTF-8' }).end(JSON.stringify(SENT))
  })

  const sent = expectValue(await openUpstream(t, server.url).messages.send(TOKEN, PHONE_ID, TEXT))

  assert.equal(sent.wamid, 'wamid.HBgLNTUx')
})

test('the client does not request compression, and does not decompress responses', async (t) => {
  const server = await recordingServer(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from('1f8b0800', 'hex'))
  })

  const { send } = await sendAndRead(t, server.url)

  assert.equal(send.kind, 'unknown-outcome')
  assert.equal(server.requests[0]?.headers['accept-encoding'], 'identity')
})

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect with ${status} is not followed`, async (t) => {
    const otherHost = await recordingServer(t, (_request, response) => json(response, SENT))
    const server = await recordingServer(t, (_request, response) => {
      response.writeHead(status, { location: `${otherHost.url}/` }).end()
    })

    const { send, read } = await sendAndRead(t, server.url)

    assert.deepEqual([send.kind, send.status, read.kind], ['unknown-outcome', status, 'unavailable'])
    assert.equal(otherHost.requests.length, 0)
  })
}

test('the failure of an unreadable response has its trace id', async (t) => {
  const server = await recordingServer(t, (_request, response) => {
    response.writeHead(500, { 'x-fb-trace-id': 'Az8or2yhqkZfEZ' }).end('<html>')
  })

  const { send } = await sendAndRead(t, server.url)

  assert.equal(send.fbtrace_id, 'Az8or2yhqkZfEZ')
})

const FAULTS: [string, Record<string, string | number>, string, string][] = [
  ['throttled', { kind: 'throttle', code: 130429 }, 'throttled', 'throttled'],
  ['refused for its pair', { kind: 'throttle', code: 131056 }, 'throttled', 'throttled'],
  ['met by a transient error', { kind: 'error', code: 131016 }, 'unavailable', 'unavailable'],
  ['met by a final error', { kind: 'error', code: 131031 }, 'refused', 'refused'],
  ['reset before it had an effect', { kind: 'reset_before' }, 'unknown-outcome', 'unavailable'],
  ['reset after it had its effect', { kind: 'reset_after' }, 'unknown-outcome', 'unavailable'],
  ['left hanging after its effect', { kind: 'hang_after' }, 'unknown-outcome', 'unavailable'],
  ['answered by an outage page', { kind: 'http', status: 503 }, 'unknown-outcome', 'unavailable'],
  ['answered by a 500 after its effect', { kind: 'http_after', status: 500 }, 'unknown-outcome', 'unavailable'],
  ['answered by half a body', { kind: 'garbled_after' }, 'unknown-outcome', 'unavailable'],
]

for (const [what, fault, sendKind, readKind] of FAULTS) {
  test(`a call that the simulator has ${what} is ${sendKind} for a send and ${readKind} for a read`, async (t) => {
    const sandbox = await openSandbox(t, fault.kind === 'hang_after' ? SHORT : {})
    await sandbox.fault({ ...fault, times: null } as never)

    const send = expectFailure(await sandbox.upstream.messages.send(sandbox.token, sandbox.phoneId, TEXT))
    const read = expectFailure(await sandbox.upstream.phoneNumbers.get(sandbox.token, sandbox.phoneId))

    assert.deepEqual([send.kind, read.kind], [sendKind, readKind])
  })
}

test('a write that waits for a connection until its deadline is never sent', async (t) => {
  const held: ServerResponse[] = []
  const server = await recordingServer(t, (_request, response) => void held.push(response))
  const upstream = openUpstream(t, server.url, { timeoutMs: 6_000 })

  // The held sends use all connections until the deadline of the other call has passed.
  const sends = Array.from({ length: 128 }, () => upstream.messages.send(TOKEN, PHONE_ID, TEXT))
  const late = expectFailure(await upstream.phoneNumbers.register(TOKEN, PHONE_ID, '123456'))
  for (const response of held) json(response, SENT)
  const outcomes = await Promise.all(sends)
  await upstream[Symbol.asyncDispose]()

  assert.equal(late.kind, 'unavailable')
  assert.ok(outcomes.every(({ ok }) => ok))
  assert.equal(server.requests.length, 128)
})

test('a call of a disposed client is unavailable and does not throw', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, SENT))
  const upstream = openUpstream(t, server.url)
  await upstream[Symbol.asyncDispose]()

  const failure = expectFailure(await upstream.messages.send(TOKEN, PHONE_ID, TEXT))

  assert.equal(failure.kind, 'unavailable')
  assert.equal(server.requests.length, 0)
})
