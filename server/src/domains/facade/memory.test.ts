import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { startUpstream } from '../../../test/upstream.ts'
import { buildPartHead, MULTIPART } from '../media/test/uploads.ts'

const MB = 2 ** 20
const GROWTH_BYTES_MAX = 16 * MB
/** Resident memory includes what the allocator keeps for later. A file that is held whole would still exceed this. */
const RESIDENT_GROWTH_BYTES_MAX = 40 * MB
const CHUNK_BYTES = 64 * 1024
/** By bytes and not by time: on a slow machine, the garbage collections would take all of it. */
const MEASURE_EVERY_BYTES = 5 * MB

/** A hub in a separate process that measures its memory, with one connected channel. */
async function startMeasuredHub(t: TestContext) {
  const { simulator, number } = await startUpstream(t)
  const { target } = await testDatabase()
  const { appId, appSecret, verifyToken, url: upstreamUrl } = simulator
  const settings = JSON.stringify({ appId, appSecret, verifyToken, url: upstreamUrl })
  const child = fork(join(import.meta.dirname, '../../../test/hub-process.ts'), [target, settings], {
    execArgv: ['--expose-gc'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [{ url, key }] = (await once(child, 'message')) as [{ url: string; key: string }]

  async function post(path: string, body: object) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as { data: { channel: { id: string; token: string; status: string } } }
  }
  async function measure(command: 'begin' | 'look' | 'end') {
    child.send(command)
    const [answer] = await once(child, 'message')
    return answer as { heldGrown: number; rssGrown: number; looks: number }
  }
  const { id, token } = (await post('/api/v1/channels', { name: 'Padaria' })).data.channel
  const { accessToken, wabaId, phoneNumberId } = await number()
  const connection = { access_token: accessToken, waba_id: wabaId, phone_number_id: phoneNumberId }
  assert.equal((await post(`/api/v1/channels/${id}/connection`, connection)).data.channel.status, 'active')
  const headers = { authorization: `Bearer ${token}` }

  async function upload(edge: string, bytes: number) {
    const answer = await fetch(`${url}/upstream/${edge.includes('media') ? phoneNumberId : wabaId}/${edge}`, {
      method: 'POST',
      headers: { ...MULTIPART, ...headers },
      body: ReadableStream.from(generateForm(bytes, () => measure('look'))),
      duplex: 'half',
    })
    return { status: answer.status, body: (await answer.json()) as { h?: string; id?: string } }
  }

  /** Retries while the channel exceeds its rate limit, and when a busy machine did not send the request in time. */
  async function open(id: string, init: RequestInit = {}): Promise<Response> {
    for (;;) {
      const answer = await fetch(`${url}/upstream/${id}/content`, { ...init, headers })
      if (answer.status !== 429 && answer.status !== 408) return answer
      await answer.arrayBuffer()
    }
  }

  async function download(id: string): Promise<number> {
    const answer = await open(id)
    let bytes = 0
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length
      if (isMeasured(bytes - chunk.length, bytes)) await measure('look')
    }
    return bytes
  }

  /** Disconnects after the first bytes. */
  async function abortDownload(id: string): Promise<void> {
    const leaving = new AbortController()
    const answer = await open(id, { signal: leaving.signal })
    assert.equal(answer.status, 200)
    await answer.body?.getReader().read()
    leaving.abort()
  }
  return { upload, download, abortDownload, measure }
}

/** Returns true if a transfer reaches a multiple of the bytes between two measurements. */
function isMeasured(before: number, after: number): boolean {
  return Math.floor(before / MEASURE_EVERY_BYTES) < Math.floor(after / MEASURE_EVERY_BYTES)
}

/** A form with a PDF that is generated while it is sent. */
async function* generateForm(bytes: number, measure: () => Promise<unknown>) {
  yield buildPartHead({ name: 'grande.pdf' })
  yield Buffer.from('%PDF-1.7\n'.padEnd(CHUNK_BYTES))
  for (let sent = CHUNK_BYTES; sent < bytes; sent += CHUNK_BYTES) {
    yield Buffer.alloc(CHUNK_BYTES, sent % 251)
    if (isMeasured(sent, sent + CHUNK_BYTES)) await measure()
  }
  yield Buffer.from(`\r\n--${MULTIPART['content-type'].split('=')[1]}--\r\n`)
}

type Measurement = Awaited<ReturnType<Awaited<ReturnType<typeof startMeasuredHub>>['measure']>>

function assertFlat(t: TestContext, { heldGrown, rssGrown, looks }: Measurement): void {
  t.diagnostic(`held +${(heldGrown / MB).toFixed(1)} MB, resident +${(rssGrown / MB).toFixed(1)} MB, ${looks} samples`)
  assert.ok(looks > 20)
  assert.ok(heldGrown <= GROWTH_BYTES_MAX, `held ${heldGrown} bytes more`)
  assert.ok(rssGrown <= RESIDENT_GROWTH_BYTES_MAX, `resident ${rssGrown} bytes more`)
}

// Small files warm the hub up. After a large first file, growth by a leak would no longer show.

test('an example of 100 MB is uploaded with at most 16 MB more memory', async (t) => {
  const { upload, measure } = await startMeasuredHub(t)
  for (let i = 0; i < 10; i++) await upload('header_handle', MB)

  await measure('begin')
  const { status, body } = await upload('header_handle', 100 * MB)
  const measured = await measure('end')

  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['h'])
  assertFlat(t, measured)
})

test('files of 50 MB are downloaded with at most 16 MB more memory', async (t) => {
  const { upload, download, measure } = await startMeasuredHub(t)
  for (let i = 0; i < 3; i++) await download((await upload('media', MB)).body.id ?? '')
  const { body } = await upload('media', 50 * MB)

  await measure('begin')
  const bytes = [await download(body.id ?? ''), await download(body.id ?? ''), await download(body.id ?? '')]
  const measured = await measure('end')

  assert.deepEqual(bytes, [50 * MB, 50 * MB, 50 * MB])
  assertFlat(t, measured)
})

test('aborted downloads leave no memory in use', async (t) => {
  const { upload, download, abortDownload, measure } = await startMeasuredHub(t)
  const { body } = await upload('media', 50 * MB)
  const id = body.id ?? ''
  for (let i = 0; i < 20; i++) await abortDownload(id)

  await measure('begin')
  for (let i = 0; i < 20; i++) {
    await Promise.all(Array.from({ length: 10 }, () => abortDownload(id)))
    await measure('look')
  }
  const bytes = await download(id)
  const measured = await measure('end')

  assert.equal(bytes, 50 * MB)
  assertFlat(t, measured)
})
