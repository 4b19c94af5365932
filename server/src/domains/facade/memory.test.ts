import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { startUpstream } from '../../../test/upstream.ts'
import { headOf, MULTIPART } from '../media/test/uploads.ts'

const MB = 2 ** 20
const GROWTH_BYTES_MAX = 16 * MB
/** Seldom enough that weighing is not most of what the hub does: a file on disk is many small steps. */
const LOOK_EVERY_MS = '200'
const CHUNK_BYTES = 64 * 1024

/** A hub in a process of its own, with one connected channel and its token. */
async function startWeighedHub(t: TestContext) {
  const { simulator, number } = await startUpstream(t)
  const { target } = await testDatabase()
  const { appId, appSecret, verifyToken, url: upstreamUrl } = simulator
  const settings = JSON.stringify({ appId, appSecret, verifyToken, url: upstreamUrl })
  const child = fork(join(import.meta.dirname, '../../../test/hub-process.ts'), [target, settings, LOOK_EVERY_MS], {
    execArgv: ['--expose-gc'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [{ url, key }] = (await once(child, 'message')) as [{ url: string; key: string }]

  async function post(path: string, body: object) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as { data: { channel: { id: string; token: string; status: string } } }
  }
  async function order(word: string) {
    child.send(word)
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
      body: ReadableStream.from(formOf(bytes)),
      duplex: 'half',
    })
    return { status: answer.status, body: (await answer.json()) as { h?: string; id?: string } }
  }

  /** Asks again where the channel has asked for more in this second than it may. */
  async function open(id: string, init: RequestInit = {}): Promise<Response> {
    for (;;) {
      const answer = await fetch(`${url}/upstream/${id}/content`, { ...init, headers })
      if (answer.status !== 429) return answer
      await answer.arrayBuffer()
    }
  }

  async function download(id: string): Promise<number> {
    const answer = await open(id)
    let bytes = 0
    for await (const chunk of answer.body ?? []) bytes += chunk.length
    return bytes
  }

  /** Leaves after the first bytes. */
  async function breakOff(id: string): Promise<void> {
    const leaving = new AbortController()
    const answer = await open(id, { signal: leaving.signal })
    assert.equal(answer.status, 200)
    await answer.body?.getReader().read()
    leaving.abort()
  }
  return { upload, download, breakOff, order }
}

/** A PDF that exists only as it is read. */
async function* formOf(bytes: number) {
  yield headOf({ name: 'grande.pdf' })
  yield Buffer.from('%PDF-1.7\n'.padEnd(CHUNK_BYTES))
  for (let sent = CHUNK_BYTES; sent < bytes; sent += CHUNK_BYTES) yield Buffer.alloc(CHUNK_BYTES, sent % 251)
  yield Buffer.from(`\r\n--${MULTIPART['content-type'].split('=')[1]}--\r\n`)
}

type Weighed = Awaited<ReturnType<Awaited<ReturnType<typeof startWeighedHub>>['order']>>

function assertFlat(t: TestContext, { heldGrown, rssGrown, looks }: Weighed): void {
  t.diagnostic(`held +${(heldGrown / MB).toFixed(1)} MB, resident +${(rssGrown / MB).toFixed(1)} MB, ${looks} looks`)
  assert.ok(looks > 1)
  assert.ok(heldGrown <= GROWTH_BYTES_MAX, `held ${heldGrown} bytes more`)
  assert.ok(rssGrown <= GROWTH_BYTES_MAX, `resident ${rssGrown} bytes more`)
}

// Small files warm the hub up: had the first one been large, a hub that keeps files would be at its worst already.

test('a hundred megabytes become a handle without growing the hub by more than sixteen', async (t) => {
  const { upload, order } = await startWeighedHub(t)
  for (let i = 0; i < 10; i++) await upload('header_handle', MB)

  await order('begin')
  const { status, body } = await upload('header_handle', 100 * MB)
  const weighed = await order('end')

  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['h'])
  assertFlat(t, weighed)
})

test('files of fifty megabytes come down without growing the hub by more than sixteen', async (t) => {
  const { upload, download, order } = await startWeighedHub(t)
  for (let i = 0; i < 3; i++) await download((await upload('media', MB)).body.id ?? '')
  const { body } = await upload('media', 50 * MB)

  await order('begin')
  const bytes = [await download(body.id ?? ''), await download(body.id ?? ''), await download(body.id ?? '')]
  const weighed = await order('end')

  assert.deepEqual(bytes, [50 * MB, 50 * MB, 50 * MB])
  assertFlat(t, weighed)
})

test('downloads that are broken off leave nothing behind in the hub', async (t) => {
  const { upload, download, breakOff, order } = await startWeighedHub(t)
  const { body } = await upload('media', 50 * MB)
  const id = body.id ?? ''
  for (let i = 0; i < 20; i++) await breakOff(id)

  await order('begin')
  for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 10 }, () => breakOff(id)))
  const bytes = await download(id)
  const weighed = await order('end')

  assert.equal(bytes, 50 * MB)
  assertFlat(t, weighed)
})
