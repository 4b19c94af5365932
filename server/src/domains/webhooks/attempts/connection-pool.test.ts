import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { HOST, openSender, startRawReceiver, startReceiver } from './test/receivers.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

/** A receiver that holds all responses until the test ends them. */
async function startHoldingReceiver(t: TestContext) {
  const held: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => void held.push(response))
  async function untilHeld(count: number) {
    while (held.length < count) await new Promise(setImmediate)
  }
  return { ...receiver, held, untilHeld }
}

test('sequential requests reuse one connection', async (t) => {
  const { port, sockets, received } = await startReceiver(t)
  const { send } = openSender(t, { port })

  for (let i = 0; i < 5; i++) assert.equal((await send()).ok, true)

  assert.deepEqual([sockets.size, received.length], [1, 5])
})

test('concurrent requests have a connection each, and all of them are kept alive', async (t) => {
  const { port, sockets, held, untilHeld } = await startHoldingReceiver(t)
  const { send } = openSender(t, { port })

  for (const count of [4, 8]) {
    const all = [send(), send(), send(), send()]
    await untilHeld(count)
    for (const response of held.slice(-4)) response.end()
    await Promise.all(all)
  }

  assert.equal(sockets.size, 4)
})

test('a connection is not reused after "Connection: close"', async (t) => {
  const { port, sockets } = await startReceiver(t, (response) => response.setHeader('connection', 'close').end())
  const { send } = openSender(t, { port })

  const results = [await send(), await send()]

  assert.deepEqual([results.map(({ ok }) => ok), sockets.size], [[true, true], 2])
})

const STALE: [what: string, end: (socket: Socket) => void][] = [
  ['closed', (socket) => socket.end()],
  ['reset', (socket) => socket.resetAndDestroy()],
]

for (const [what, end] of STALE) {
  test(`a request is resent on a new connection if its kept-alive connection is ${what} without a response`, async (t) => {
    const { port, sockets } = await startRawReceiver(t, (socket, index) => {
      let requests = 0
      socket.on('data', () => (index === 0 && ++requests === 2 ? end(socket) : socket.write(OK)))
    })
    const { send } = openSender(t, { port })

    const first = await send()
    const second = await send()

    assert.deepEqual([first.ok, second.ok, sockets.length], [true, true, 2])
    assert.notEqual(second.timings.connectMs, null)
  })

  test(`an idle connection that is ${what} is not reused`, async (t) => {
    const { port, sockets } = await startRawReceiver(t, (socket) => socket.on('data', () => socket.write(OK)))
    const { send } = openSender(t, { port })

    await send()
    end(sockets[0]!)
    const second = await send()

    assert.deepEqual([second.ok, sockets.length], [true, 2])
  })
}

test('a request on a stale connection is resent on a new one, not on another idle one', async (t) => {
  let requests = 0
  const { port, sockets } = await startRawReceiver(t, (socket, index) => {
    let isUsed = false
    socket.on('data', () => {
      requests++
      if (index < 2 && isUsed) socket.resetAndDestroy()
      else socket.write(OK)
      isUsed = true
    })
  })
  const { send } = openSender(t, { port })

  await Promise.all([send(), send()])
  const { ok } = await send()

  assert.deepEqual([ok, sockets.length, requests], [true, 3, 4])
})

test('a request that was resent is not resent again', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket, index) => {
    let requests = 0
    socket.on('data', () => (index === 0 && ++requests === 1 ? socket.write(OK) : socket.resetAndDestroy()))
  })
  const { send } = openSender(t, { port })

  await send()
  const second = await send()

  assert.deepEqual([second.errorCode, sockets.length], ['CONNECTION_FAILED', 2])
})

test('a kept-alive connection that breaks in the middle of a response is a failure, and the request is not resent', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket) => {
    let requests = 0
    socket.on('data', () => {
      if (++requests === 1) socket.write(OK)
      else socket.write('HTTP/1.1 20', () => socket.resetAndDestroy())
    })
  })
  const { send } = openSender(t, { port })

  await send()
  const second = await send()

  assert.deepEqual([second.errorCode, sockets.length], ['CONNECTION_FAILED', 1])
})

test('one deadline covers the stale connection and the new one', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket, index) => {
    let requests = 0
    socket.on('data', () => {
      if (index === 0 && ++requests === 1) socket.write(OK)
      else if (index === 0) socket.end()
    })
  })
  const { send } = openSender(t, { port, deadlineMs: 600 })

  await send()
  const second = await send()

  assert.deepEqual([second.errorCode, sockets.length], ['TIMEOUT', 2])
})

test('a kept-alive connection without a response is a timeout, and the request is not resent', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.once('data', () => socket.write(OK)))
  const { send } = openSender(t, { port, deadlineMs: 600 })

  await send()
  const second = await send()

  assert.deepEqual([second.errorCode, sockets.length], ['TIMEOUT', 1])
})

test('a connection with unsent bytes of a request is not reused', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.pause().write(OK))
  const { send } = openSender(t, { port })
  const payload = Buffer.alloc(16 * 1024 * 1024)

  const results = [await send({ payload }), await send()]

  assert.deepEqual([results.map(({ ok }) => ok), sockets.length], [[true, true], 2])
})

test('an unsolicited response closes an idle connection, and answers no later request', async (t) => {
  const forged = 'HTTP/1.1 201 Forged\r\ncontent-length: 0\r\n\r\n'
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.on('data', () => socket.write(OK + forged)))
  const { send } = openSender(t, { port })

  const statuses = [await send(), await send()].map(({ httpStatus }) => httpStatus)

  assert.deepEqual([statuses, sockets.length], [[200, 200], 2])
})

test('attempts beyond the connections per origin wait for a free one', async (t) => {
  const { port, sockets, held, untilHeld } = await startHoldingReceiver(t)
  const { send } = openSender(t, { port, connectionsPerOrigin: 2 })

  const all = Array.from({ length: 6 }, () => send())
  for (let answered = 0; answered < 6; answered++) {
    await untilHeld(Math.min(answered + 2, 6))
    assert.ok(held.length - answered <= 2)
    held[answered]?.end()
  }

  assert.deepEqual(
    (await Promise.all(all)).map(({ ok }) => ok),
    Array(6).fill(true),
  )
  assert.equal(sockets.size, 2)
})

test('an attempt that waits for a connection past its deadline is a timeout', async (t) => {
  let isHanging = true
  const { port } = await startReceiver(t, (response) => void (isHanging || response.end()))
  const { send } = openSender(t, { port, connectionsPerOrigin: 1, deadlineMs: 600 })

  const results = await Promise.all([send(), send(), send()])
  isHanging = false
  const next = await send()

  assert.deepEqual(
    results.map(({ errorCode }) => errorCode),
    ['TIMEOUT', 'TIMEOUT', 'TIMEOUT'],
  )
  assert.equal(next.ok, true)
})

test('a broken connection is replaced for a waiting attempt', async (t) => {
  const { port } = await startRawReceiver(t, (socket, index) => {
    socket.on('data', () => (index === 0 ? socket.resetAndDestroy() : socket.write(OK)))
  })
  const { send } = openSender(t, { port, connectionsPerOrigin: 1 })

  const results = await Promise.all([send(), send(), send()])

  assert.deepEqual(
    results.map(({ errorCode }) => errorCode),
    ['CONNECTION_FAILED', null, null],
  )
})

test('a closed idle connection is replaced by one connection, not by two', async (t) => {
  const { port, sockets, held, untilHeld } = await startHoldingReceiver(t)
  const { send } = openSender(t, { port, connectionsPerOrigin: 2 })
  const before = [send(), send()]
  await untilHeld(2)
  for (const response of held.splice(0)) response.end()
  await Promise.all(before)

  const [gone] = sockets
  gone?.end()
  await once(gone!, 'close')
  const after = [send(), send(), send()]
  await untilHeld(2)
  for (let tick = 0; tick < 20; tick++) await new Promise(setImmediate)
  assert.equal(held.length, 2)
  held.shift()?.end()
  await untilHeld(2)
  for (const response of held) response.end()

  assert.ok((await Promise.all(after)).every(({ ok }) => ok))
})

test('beyond the limit of all idle connections, the one idle longest is closed', async (t) => {
  const names = ['a.example.com', 'b.example.com', 'c.example.com']
  const { port, sockets } = await startReceiver(t)
  const zone = Object.fromEntries(names.map((name) => [name, ['127.0.0.1']]))
  const { send } = openSender(t, { port, zone, idleConnections: 2 })
  const to = (name: string | undefined) => send({ url: `http://${name}:${port}/` })

  for (const name of names) await to(name)
  const [oldest] = sockets
  if (oldest && !oldest.closed) await once(oldest, 'close')
  await to(names[1])
  await to(names[2])

  assert.equal(sockets.size, 3)
  await to(names[0])
  assert.equal(sockets.size, 4)
})

test('a connection is closed after the idle time', { timeout: 3000 }, async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.on('data', () => socket.write(OK)))
  const { send } = openSender(t, { port, idleMs: 50 })

  await send()

  const [socket] = sockets
  await once(socket!, 'end')
})

test('the Keep-Alive header of the receiver limits the idle time', async (t) => {
  const reply = 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 0\r\n\r\n'
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.on('data', () => socket.write(reply)))
  const { send } = openSender(t, { port })

  await send()
  await send()

  assert.equal(sockets.length, 2)
})

test('origins do not share connections', async (t) => {
  const { port, sockets } = await startReceiver(t)
  const { send } = openSender(t, { port, zone: { [HOST]: ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] } })

  await send()
  await send({ url: `http://other.example.com:${port}/` })
  await send({ url: `http://127.0.0.1:${port}/` })

  assert.equal(sockets.size, 3)
})
