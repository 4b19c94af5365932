import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { HOST, openSender, startRawReceiver, startReceiver } from './test/receivers.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

/** A receiver that answers only when told to, and tells how many requests it holds. */
async function startHoldingReceiver(t: TestContext) {
  const held: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => void held.push(response))
  async function untilHeld(count: number) {
    while (held.length < count) await new Promise(setImmediate)
  }
  return { ...receiver, held, untilHeld }
}

test('a connection is used again, one request at a time', async (t) => {
  const { port, sockets, received } = await startReceiver(t)
  const { send } = openSender(t, { port })

  for (let i = 0; i < 5; i++) assert.equal((await send()).ok, true)

  assert.deepEqual([sockets.size, received.length], [1, 5])
})

test('requests under way at one time have a connection each, and all of them are kept', async (t) => {
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

test('a receiver that says "close" is taken at its word', async (t) => {
  const { port, sockets } = await startReceiver(t, (response) => response.setHeader('connection', 'close').end())
  const { send } = openSender(t, { port })

  const outcomes = [await send(), await send()]

  assert.deepEqual([outcomes.map(({ ok }) => ok), sockets.size], [[true, true], 2])
})

const STALE: [what: string, end: (socket: Socket) => void][] = [
  ['closed', (socket) => socket.end()],
  ['reset', (socket) => socket.resetAndDestroy()],
]

for (const [what, end] of STALE) {
  test(`a kept connection that is ${what} when the next request comes is no failure: a new one is tried`, async (t) => {
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

  test(`a kept connection that is ${what} while it lies idle is not used`, async (t) => {
    const { port, sockets } = await startRawReceiver(t, (socket) => socket.on('data', () => socket.write(OK)))
    const { send } = openSender(t, { port })

    await send()
    end(sockets[0]!)
    const second = await send()

    assert.deepEqual([second.ok, sockets.length], [true, 2])
  })
}

test('in place of a stale connection a new one is tried, and no other that was kept', async (t) => {
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

test('a new connection that breaks is a failure, also in place of a stale one', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket, index) => {
    let requests = 0
    socket.on('data', () => (index === 0 && ++requests === 1 ? socket.write(OK) : socket.resetAndDestroy()))
  })
  const { send } = openSender(t, { port })

  await send()
  const second = await send()

  assert.deepEqual([second.errorCode, sockets.length], ['CONNECTION_FAILED', 2])
})

test('a kept connection that breaks in the middle of a response is a failure: the request was heard', async (t) => {
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

test('the deadline covers the stale connection and the new one together', async (t) => {
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

test('a kept connection that says nothing is no stale one: it has the deadline, and is not tried again', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.once('data', () => socket.write(OK)))
  const { send } = openSender(t, { port, deadlineMs: 600 })

  await send()
  const second = await send()

  assert.deepEqual([second.errorCode, sockets.length], ['TIMEOUT', 1])
})

test('a connection on which the receiver did not read the whole request is not used again', async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.pause().write(OK))
  const { send } = openSender(t, { port })
  const payload = Buffer.alloc(16 * 1024 * 1024)

  const outcomes = [await send({ payload }), await send()]

  assert.deepEqual([outcomes.map(({ ok }) => ok), sockets.length], [[true, true], 2])
})

test('bytes that nobody asked for end a kept connection, and answer no later request', async (t) => {
  const forged = 'HTTP/1.1 201 Forged\r\ncontent-length: 0\r\n\r\n'
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.on('data', () => socket.write(OK + forged)))
  const { send } = openSender(t, { port })

  const statuses = [await send(), await send()].map(({ httpStatus }) => httpStatus)

  assert.deepEqual([statuses, sockets.length], [[200, 200], 2])
})

test('one origin gets so many connections, and who comes next waits for one of them', async (t) => {
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

test('who waits for a connection in vain has run out of time, and leaves the next one its place', async (t) => {
  let isHanging = true
  const { port } = await startReceiver(t, (response) => void (isHanging || response.end()))
  const { send } = openSender(t, { port, connectionsPerOrigin: 1, deadlineMs: 600 })

  const outcomes = await Promise.all([send(), send(), send()])
  isHanging = false
  const next = await send()

  assert.deepEqual(
    outcomes.map(({ errorCode }) => errorCode),
    ['TIMEOUT', 'TIMEOUT', 'TIMEOUT'],
  )
  assert.equal(next.ok, true)
})

test('a connection that breaks makes room for who waits', async (t) => {
  const { port } = await startRawReceiver(t, (socket, index) => {
    socket.on('data', () => (index === 0 ? socket.resetAndDestroy() : socket.write(OK)))
  })
  const { send } = openSender(t, { port, connectionsPerOrigin: 1 })

  const outcomes = await Promise.all([send(), send(), send()])

  assert.deepEqual(
    outcomes.map(({ errorCode }) => errorCode),
    ['CONNECTION_FAILED', null, null],
  )
})

test('a kept connection that the receiver has closed leaves its place to one other, not to two', async (t) => {
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
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  assert.equal(held.length, 2)
  held.shift()?.end()
  await untilHeld(2)
  for (const response of held) response.end()

  assert.ok((await Promise.all(after)).every(({ ok }) => ok))
})

test('so many idle connections are kept over all origins, and the one that lay idle longest is closed', async (t) => {
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

test('a connection that nobody uses is closed after a while', { timeout: 3000 }, async (t) => {
  const { port, sockets } = await startRawReceiver(t, (socket) => socket.on('data', () => socket.write(OK)))
  const { send } = openSender(t, { port, idleMs: 50 })

  await send()

  const [socket] = sockets
  await once(socket!, 'end')
})

test('the receiver says in Keep-Alive for how long a connection lives', async (t) => {
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
