import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createMultipartForm } from '../http/multipart.ts'
import { expectFailure, expectValue } from '../test/results.ts'
import {
  APP,
  json,
  openSandbox,
  openUpstream,
  PHONE_ID,
  recordingServer,
  socketServer,
  TOKEN,
} from '../test/servers.ts'

const MEBIBYTE = 1024 * 1024
const PDF = { filename: 'a.pdf', mimeType: 'application/pdf' }

async function* generateChunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function readMedia(url: string, token: string, id: string) {
  const response = await fetch(`${url}/v25.0/${id}`, { headers: { authorization: `Bearer ${token}` } })
  return (await response.json()) as { sha256: string; file_size: number; mime_type: string }
}

test('a file of several chunks is uploaded byte for byte, and gets an id', async (t) => {
  const { simulator, upstream, token, phoneId } = await openSandbox(t)
  const bytes = 'a\r\n--hubline\r\n\r\nção'

  const file = generateChunks('', 'a\r', '', '\n--hubline', '\r\n\r\n', 'ção', '')
  const { id } = expectValue(await upstream.media.upload(token, phoneId, { ...PDF, file }))

  const media = await readMedia(simulator.url, token, id)
  assert.equal(media.sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.equal(media.mime_type, 'application/pdf')
})

test('a filename with quotes and line breaks is escaped', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, { id: '1' }))
  const filename = 'nota "fiscal"\r\nX-Evil: 1.pdf'

  const part = { file: generateChunks('a'), filename, mimeType: 'text/plain\r\nX-Evil: 2' }
  expectValue(await openUpstream(t, server.url).media.upload(TOKEN, PHONE_ID, part))

  const body = server.requests[0]?.body ?? ''
  assert.match(body, /filename="nota %22fiscal%22%0D%0AX-Evil: 1\.pdf"\r\nContent-Type: text\/plainX-Evil: 2\r\n/)
  assert.doesNotMatch(body, /\nX-Evil/)
  assert.equal(server.requests[0]?.headers['transfer-encoding'], 'chunked')
})

test('a file of 100 MiB is uploaded without being held in memory', async (t) => {
  const { simulator, token, phoneId } = await openSandbox(t)
  const options = JSON.stringify({ url: simulator.url, version: 'v25.0', ...APP, timeoutMs: 60_000 })
  const script = join(import.meta.dirname, '../test/upload.ts')

  const args = ['--expose-gc', script, options, token, phoneId, String(100 * MEBIBYTE)]
  const { stdout } = await promisify(execFile)(process.execPath, args)

  const { result, grownBytes } = JSON.parse(stdout)
  const media = await readMedia(simulator.url, token, expectValue<{ id: string }>(result).id)
  assert.equal(media.file_size, 100 * MEBIBYTE)
  assert.ok(grownBytes < 16 * MEBIBYTE, `${grownBytes} bytes`)
})

test('a refusal before the end of the file is returned, and ends the reading of the file', async (t) => {
  let isClosed = false
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(MEBIBYTE)
    } finally {
      isClosed = true
    }
  }
  const error = { message: 'Invalid token', type: 'OAuthException', code: 190, fbtrace_id: 'A1' }
  const server = createServer((request, response) => {
    request.once('data', () => json(response, { error }, 401))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  t.after(() => server.closeAllConnections())

  const upstream = openUpstream(t, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const failure = expectFailure(await upstream.media.upload(TOKEN, PHONE_ID, { ...PDF, file: endless() }))

  assert.deepEqual([failure.kind, failure.code, failure.isCredentialRefused], ['refused', 190, true])
  await upstream[Symbol.asyncDispose]()
  assert.ok(isClosed)
})

test('an error of the file itself is thrown to the caller', async (t) => {
  const server = await socketServer(t, (socket) => socket.resume())
  const tooLarge = new Error('The file is too large')
  async function* failing() {
    yield Buffer.from('a')
    throw tooLarge
  }

  const upload = openUpstream(t, server.url).media.upload(TOKEN, PHONE_ID, { ...PDF, file: failing() })

  await assert.rejects(upload, tooLarge)
})

test('a connection that breaks in the middle of the file is unavailable: nothing was stored', async (t) => {
  const server = await socketServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
  async function* endless() {
    for (;;) yield Buffer.alloc(MEBIBYTE)
  }

  const failure = expectFailure(
    await openUpstream(t, server.url).media.upload(TOKEN, PHONE_ID, { ...PDF, file: endless() }),
  )

  assert.equal(failure.kind, 'unavailable')
})

test('a connection that breaks after the whole file was sent is an unknown outcome', async (t) => {
  const server = await recordingServer(t, (_request, response) => void response.socket?.resetAndDestroy())

  const part = { ...PDF, file: generateChunks('a') }
  const failure = expectFailure(await openUpstream(t, server.url).media.upload(TOKEN, PHONE_ID, part))

  assert.equal(failure.kind, 'unknown-outcome')
})

test('a file that stalls ends at the deadline, and nothing was stored', async (t) => {
  const server = await socketServer(t, (socket) => socket.resume())
  async function* stalled() {
    yield Buffer.from('a')
    await new Promise(() => {})
  }

  const upstream = openUpstream(t, server.url, { timeoutMs: 200 })
  const failure = expectFailure(await upstream.media.upload(TOKEN, PHONE_ID, { ...PDF, file: stalled() }))

  assert.equal(failure.kind, 'unavailable')
  assert.match(String(failure.cause), /within 100 ms/)
})

test('a file that makes progress may take longer than the deadline of other calls', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, { id: '1' }))
  const startedAt = performance.now()
  async function* slow() {
    while (performance.now() - startedAt < 2500) {
      yield Buffer.from('a')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  const upstream = openUpstream(t, server.url, { timeoutMs: 4000 })

  expectValue(await upstream.media.upload(TOKEN, PHONE_ID, { ...PDF, file: slow() }))
})

test('a connection that destroys the form closes the file, and is not a failure of the file', async () => {
  let isClosed = false
  async function* endless() {
    try {
      for (;;) yield Buffer.from('a')
    } finally {
      isClosed = true
    }
  }
  const form = createMultipartForm({}, { file: endless(), filename: 'a', mimeType: 'text/plain' }, () => {})
  form.body.on('error', () => {}).resume()
  await once(form.body, 'data')

  const closed = new Promise((resolve) => form.body.once('close', resolve))
  form.body.destroy(new Error('The connection broke'))
  await closed

  assert.equal(form.fileFailure(), undefined)
  assert.equal(form.isComplete(), false)
  assert.ok(isClosed)
})
