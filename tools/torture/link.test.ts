import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { openLink } from './link.ts'

/** A server that repeats what it gets, and a link to it. */
async function startLink(t: TestContext) {
  const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const link = await openLink({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  t.after(async () => {
    await link[Symbol.asyncDispose]()
    server.close()
  })
  return link
}

function dial(port: number): Socket {
  return connect(port, '127.0.0.1').on('error', () => undefined)
}

/** A reset is a way to close, too. */
const waitForClose = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

async function repeat(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  const [bytes] = await once(socket, 'data')
  return String(bytes)
}

test('a link passes bytes on in both directions, and the end of a connection too', async (t) => {
  const link = await startLink(t)
  const socket = dial(link.port)

  assert.equal(await repeat(socket, 'hello'), 'hello')
  socket.end()
  await waitForClose(socket.resume())
})

test('a link that is cut closes its connections and refuses others until it is restored', async (t) => {
  const link = await startLink(t)
  const socket = dial(link.port)
  await repeat(socket, 'hello')

  link.cut()
  await waitForClose(socket)
  await waitForClose(dial(link.port))
  link.restore()

  const next = dial(link.port)
  assert.equal(await repeat(next, 'again'), 'again')
  next.destroy()
})

test('a link that is half-closed ends what its client reads, and takes what it writes', async (t) => {
  const received = Promise.withResolvers<string>()
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.write('hello')
    received.resolve(await text(socket))
    socket.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const link = await openLink({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  t.after(async () => {
    await link[Symbol.asyncDispose]()
    server.close()
  })
  const socket = connect({ port: link.port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'data')

  link.halfClose()
  await once(socket.resume(), 'end')
  socket.end('still here')

  assert.equal(await received.promise, 'still here')
})

test('what is sent through a stalled link arrives when it is restored', async (t) => {
  const link = await startLink(t)
  const socket = dial(link.port)
  await repeat(socket, 'hello')

  link.stall()
  const arrived = repeat(socket, 'late')
  link.restore()

  assert.equal(await arrived, 'late')
  socket.destroy()
})

test('a slow link keeps the order of bytes', async (t) => {
  const link = await startLink(t)
  const socket = dial(link.port)
  await repeat(socket, 'hello')
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })

  link.delay(5)
  for (const part of ['a', 'b', 'c', 'd']) socket.write(part)
  socket.end()
  await waitForClose(socket)

  assert.equal(text, 'abcd')
})
