import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { bearer } from '../../../test/hub.ts'
import { FILES, pdf } from './test/files.ts'
import { startChannel, upload } from './test/uploads.ts'

const PDF = FILES.pdf!

/** A channel with an uploaded file, and downloads of bytes; the usual test client reads text. */
async function startFile(t: TestContext, bytes = PDF.bytes) {
  const fixture = await startChannel(t)
  const { hub, acme, path } = fixture
  const { body } = await upload(acme, path, bytes, { name: PDF.name, type: PDF.type })
  const id: string = body.data.media.id

  async function download(headers: Record<string, string> = {}, of = `${path}/${id}`) {
    const answer = await fetch(hub.url + of, { headers: { ...bearer(acme.key), ...headers } })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  return { ...fixture, id, download }
}

test('a file of the channel is streamed to an API key, and no browser renders or keeps it', {
  rules: ['media.download-serves-ranges'],
}, async (t) => {
  const { id, download } = await startFile(t)

  const { status, headers, bytes } = await download()

  assert.equal(status, 200)
  assert.ok(bytes.equals(PDF.bytes))
  assert.equal(headers.get('content-type'), 'application/pdf')
  assert.equal(headers.get('content-length'), String(PDF.bytes.length))
  assert.equal(headers.get('content-disposition'), `attachment; filename=${id}.pdf`)
  assert.equal(headers.get('cache-control'), 'private, no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('a received file is read by its id in the content of the message', {
  rules: ['media.download-serves-ranges'],
}, async (t) => {
  const { up, acme, channel, download } = await startFile(t)
  const customer = `/numbers/${channel.number.phoneNumberId}/customers/5511987650001/messages`
  await up.simulator.control('POST', customer, { type: 'image' })
  const { messages } = (await acme.get(`/api/v1/channels/${channel.id}/messages?direction=inbound`)).body.data

  const { status, headers, bytes } = await download(
    {},
    `/api/v1/channels/${channel.id}/media/${messages[0].content.id}`,
  )

  assert.deepEqual([status, headers.get('content-type')], [200, messages[0].content.mime_type])
  assert.ok(bytes.length > 0)
})

test('a range of a file is 206, and one that it does not have is 416', {
  rules: ['media.download-serves-ranges'],
}, async (t) => {
  const { download } = await startFile(t)

  const part = await download({ range: 'bytes=2-9' })
  const none = await download({ range: 'bytes=999999-' })

  assert.deepEqual(
    [part.status, part.headers.get('content-range'), part.bytes.toString('hex')],
    [206, `bytes 2-9/${PDF.bytes.length}`, PDF.bytes.subarray(2, 10).toString('hex')],
  )
  assert.deepEqual(
    [none.status, JSON.parse(none.bytes.toString()).error.code, none.headers.get('content-range')],
    [416, 'RANGE_NOT_SATISFIABLE', `bytes */${PDF.bytes.length}`],
  )
})

test('a file of another channel or organization is not found, and the upstream is not asked', {
  rules: ['media.download-serves-ranges'],
}, async (t) => {
  const { hub, acme, channel, connect, id, path, requests } = await startFile(t)
  const globex = await hub.organization()
  const sibling = await connect(acme)
  const token = await hub.channelToken(acme.organizationId, channel.id, ['messages:read'])
  const weak = await hub.channelToken(acme.organizationId, channel.id, ['media:write'])
  const before = (await requests(`/${id}`)).length

  const answers = [
    await globex.get(`${path}/${id}`),
    await acme.get(`/api/v1/channels/${sibling.id}/media/${id}`),
    await token.get(`/api/v1/channels/${sibling.id}/media/${id}`),
    await acme.get(`${path}/1234567890`),
    await weak.get(`${path}/${id}`),
    await acme.get(`${path}/..%2F1`),
  ]

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error.code]),
    [
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [403, 'INSUFFICIENT_SCOPE'],
      [400, 'INVALID_REQUEST'],
    ],
  )
  assert.equal((await requests(`/${id}`)).length, before)
  assert.equal((await token.get(`${path}/${id}`)).status, 200)
})

test('of a disconnected channel, a file that is not its own is not found, and its own is 400 CHANNEL_NOT_CONNECTED', {
  rules: ['media.download-serves-ranges'],
}, async (t) => {
  const { acme, channel, id, path, move } = await startFile(t)
  await move(acme, channel, 'BANNED')

  const answers = await Promise.all([acme.get(`${path}/1234567890`), acme.get(`${path}/${id}`)])

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error.code]),
    [
      [404, 'NOT_FOUND'],
      [400, 'CHANNEL_NOT_CONNECTED'],
    ],
  )
})

test('64 downloads of an organization run at once, by the API and the facade together, and one that ends makes room', {
  rules: ['media.transfers-are-limited'],
}, async (t) => {
  const { hub, acme, channel, id, path, download } = await startFile(t, pdf(8_000_000))
  const facade = hub.anonymous.with(bearer(channel.token))
  const ended = new AbortController()
  const headers = bearer(acme.key)
  const start = () => fetch(`${hub.url}${path}/${id}`, { headers, signal: ended.signal })
  const open = await Promise.all(Array.from({ length: 64 }, start))

  const over = [await acme.get(`${path}/${id}`), await facade.get(`/upstream/${id}/content`)]
  ended.abort()
  let again = await download()
  while (again.status === 429) again = await download()

  assert.deepEqual([...new Set(open.map(({ status }) => status))], [200])
  for (const { status, body } of over) assert.deepEqual([status, body.error.code], [429, 'RATE_LIMITED'])
  assert.equal(again.bytes.length, 8_000_000)
})
