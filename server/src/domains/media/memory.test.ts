import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { startUpstream } from '../../../test/upstream.ts'
import { buildPartHead, MULTIPART } from './test/uploads.ts'

const MB = 2 ** 20
const FILE_BYTES = 100 * MB
const GROWTH_BYTES_MAX = 16 * MB
const CHUNK_BYTES = 64 * 1024
/** By bytes and not by time: on a slow machine, the garbage collections would take all of it. */
const MEASURE_EVERY_BYTES = 2 * MB

/** A hub in its own process, with one connected channel. */
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
  const authorization = `Bearer ${key}`

  async function post(path: string, body: object) {
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as { data: { channel: { id: string; status: string } } }
  }
  async function measure(command: 'begin' | 'look' | 'end') {
    child.send(command)
    const [answer] = await once(child, 'message')
    return answer as { heldGrown: number; rssGrown: number; looks: number }
  }
  const { id } = (await post('/api/v1/channels', { name: 'Padaria' })).data.channel
  const { accessToken, wabaId, phoneNumberId } = await number()
  const connection = { access_token: accessToken, waba_id: wabaId, phone_number_id: phoneNumberId }
  assert.equal((await post(`/api/v1/channels/${id}/connection`, connection)).data.channel.status, 'active')

  async function upload(bytes: number) {
    const answer = await fetch(`${url}/api/v1/channels/${id}/media`, {
      method: 'POST',
      headers: { ...MULTIPART, authorization },
      body: ReadableStream.from(generateForm(bytes, () => measure('look'))),
      duplex: 'half',
    })
    return { status: answer.status, body: (await answer.json()) as { data: { media: { size_bytes: number } } } }
  }
  return { upload, measure }
}

/** A form with a PDF that is generated while it is read. */
async function* generateForm(bytes: number, measure: () => Promise<unknown>) {
  yield buildPartHead({ name: 'grande.pdf' })
  yield Buffer.from('%PDF-1.7\n'.padEnd(CHUNK_BYTES))
  for (let sent = CHUNK_BYTES; sent < bytes; sent += CHUNK_BYTES) {
    yield Buffer.alloc(CHUNK_BYTES, sent % 251)
    if (sent % MEASURE_EVERY_BYTES === 0) await measure()
  }
  yield Buffer.from(`\r\n--${MULTIPART['content-type'].split('=')[1]}--\r\n`)
}

test("an upload of 100 MB grows the hub's memory by at most 16 MB", {
  rules: ['media.upload-streams'],
}, async (t) => {
  const { upload, measure } = await startMeasuredHub(t)
  // Small uploads first: buffers that are allocated once must not count as growth.
  for (let i = 0; i < 20; i++) await upload(MB)

  await measure('begin')
  const answer = await upload(FILE_BYTES)
  const { heldGrown, rssGrown, looks } = await measure('end')

  assert.equal(answer.status, 201)
  assert.equal(answer.body.data.media.size_bytes, FILE_BYTES)
  assert.ok(looks > 40)
  t.diagnostic(`held +${(heldGrown / MB).toFixed(1)} MB, resident +${(rssGrown / MB).toFixed(1)} MB, ${looks} looks`)
  assert.ok(heldGrown <= GROWTH_BYTES_MAX, `held ${heldGrown} bytes more`)
  assert.ok(rssGrown <= GROWTH_BYTES_MAX, `resident ${rssGrown} bytes more`)
})
