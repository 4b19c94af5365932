import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openRawConnection } from '../../../test/raw-http.ts'
import { readRawFile, receiveUpload } from './upload.ts'

const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'

/** A request whose body the test writes in parts. */
async function beginRequest(t: TestContext, bytes = 1_000_000) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const connection = await openRawConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const arriving = once(server, 'request') as Promise<[IncomingMessage]>
  connection.write('POST / HTTP/1.1\r\nHost: hub\r\nContent-Type: multipart/form-data; boundary=x\r\n')
  connection.write(`Content-Length: ${bytes}\r\n\r\n`)
  const [request] = await arriving
  return { request, connection }
}

const ENDED_EARLY = { code: 'INVALID_REQUEST', message: 'The body ended early.' }

test('a client that disconnects before its file starts rejects the upload', async (t) => {
  const { request, connection } = await beginRequest(t)
  const receiving = receiveUpload(request, 'file')

  connection.write('--x\r\nContent-Dis')
  connection.hangUp()

  await assert.rejects(receiving, ENDED_EARLY)
})

test('a client that disconnected before the upload was received rejects it at once', async (t) => {
  const { request, connection } = await beginRequest(t)
  const closed = once(request, 'close').catch(() => undefined)
  connection.hangUp()
  await closed

  await assert.rejects(receiveUpload(request, 'file'), ENDED_EARLY)
})

test('a client that disconnects during its file fails the content and the form', async (t) => {
  const { request, connection } = await beginRequest(t)
  connection.write(`${HEAD}first`)
  const { content, finished, filename } = await receiveUpload(request, 'file')
  const first = await content.next()

  connection.hangUp()

  await assert.rejects(content.next(), ENDED_EARLY)
  await assert.rejects(finished, ENDED_EARLY)
  assert.equal(filename, 'a.txt')
  assert.equal(first.value?.toString(), 'first')
})

test('content that is not read is not read from the client either', async (t) => {
  const { request, connection } = await beginRequest(t)
  connection.write(`${HEAD}first`)
  await receiveUpload(request, 'file')

  connection.write(Buffer.alloc(900_000, 'a'))
  while (request.readableFlowing) await new Promise((resolve) => setImmediate(resolve))

  assert.ok(request.socket.bytesRead < 500_000)
})

test('a reader that stops early stops the request without an error', async (t) => {
  const { request, connection } = await beginRequest(t)
  connection.write(`${HEAD}first`)
  const { content } = await receiveUpload(request, 'file')
  await content.next()

  await content.return(undefined)
  connection.write(Buffer.alloc(300_000, 'a'))

  assert.equal((await content.next()).done, true)
})

const STALLED = { code: 'REQUEST_TIMEOUT', message: 'The file stopped arriving.' }

test('a client that stops sending before or during its file gets a timeout', {
  rules: ['media.stalled-upload-is-408'],
}, async (t) => {
  const [inFile, before] = [await beginRequest(t), await beginRequest(t)]
  inFile.connection.write(`${HEAD}first`)
  before.connection.write('--x\r\nContent-Dis')

  const never = assert.rejects(receiveUpload(before.request, 'file', {}, { stallMs: 100 }), STALLED)
  const { content, finished } = await receiveUpload(inFile.request, 'file', {}, { stallMs: 100 })
  await content.next()

  await assert.rejects(content.next(), STALLED)
  await assert.rejects(finished, STALLED)
  await never
})

/** Waits longer than the stall limit. */
async function waitPastStall(): Promise<void> {
  const until = performance.now() + 100
  while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve))
}

test('a slow reader does not cause a timeout', async (t) => {
  const { request, connection } = await beginRequest(t)
  connection.write(`${HEAD}first`)
  const { content } = await receiveUpload(request, 'file', {}, { stallMs: 20 })
  connection.write(Buffer.alloc(900_000, 'a'))
  while (request.readableFlowing) await new Promise((resolve) => setImmediate(resolve))

  await waitPastStall()

  const { value } = await content.next()
  assert.match(value?.toString() ?? '', /^first/)
})

test('a client that has sent everything does not get a timeout', async (t) => {
  const form = `${HEAD}${'a'.repeat(10_000)}\r\n--x--\r\n`
  const { request, connection } = await beginRequest(t, form.length)
  connection.write(form)
  const { content, finished } = await receiveUpload(request, 'file', {}, { stallMs: 20 })

  await waitPastStall()
  let bytes = 0
  for await (const chunk of content) bytes += chunk.length

  await finished
  assert.equal(bytes, 10_000)
})

test('a raw file is read while it arrives, to its end', async (t) => {
  const { request, connection } = await beginRequest(t, 10)
  const content = readRawFile(request)
  connection.write('first')
  const first = await content.next()

  connection.write('again')

  assert.equal(String(first.value), 'first')
  assert.equal(String((await content.next()).value), 'again')
  assert.equal((await content.next()).done, true)
})

test('a client that disconnects during a raw file fails the content', async (t) => {
  const { request, connection } = await beginRequest(t)
  const content = readRawFile(request)
  connection.write('first')
  await content.next()

  connection.hangUp()

  await assert.rejects(content.next(), ENDED_EARLY)
})

test('a client that disconnected before a raw file was read fails the content', async (t) => {
  const { request, connection } = await beginRequest(t)
  const closed = once(request, 'close').catch(() => undefined)
  connection.hangUp()
  await closed

  await assert.rejects(readRawFile(request).next(), ENDED_EARLY)
})

test('a raw file that stops arriving fails with REQUEST_TIMEOUT', async (t) => {
  const { request, connection } = await beginRequest(t)
  const content = readRawFile(request, 40)
  connection.write('first')
  await content.next()

  await assert.rejects(content.next(), { code: 'REQUEST_TIMEOUT' })
})
