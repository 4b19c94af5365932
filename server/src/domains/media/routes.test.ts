import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { waitForHeldRequests } from '../../../test/held-requests.ts'
import { createChannel } from '../../../test/hub-with-upstream.ts'
import { MEDIA_BYTES_MAX } from './media-types.ts'
import { FILES, padded, pdf, REFUSED } from './test/files.ts'
import { startChannel, upload, uploadChunked } from './test/uploads.ts'

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

test('an upload reaches the upstream unchanged, returns type, size and hash, and belongs to the channel', {
  rules: ['media.upload-is-201-with-the-id', 'send.goes-through-a-channel'],
}, async (t) => {
  const { hub, acme, channel, path, registered, stored } = await startChannel(t)
  const bytes = pdf(3_000_000)

  const answer = await upload(acme, path, bytes, { name: 'cardápio "novo".pdf', type: 'application/pdf' })

  assert.equal(answer.status, 201)
  const { id, ...rest } = answer.body.data.media
  assert.deepEqual(rest, { mime_type: 'application/pdf', size_bytes: 3_000_000, sha256: sha256(bytes) })
  const { mime_type, sha256: hash, file_size } = await stored(id)
  assert.deepEqual([mime_type, hash, file_size], ['application/pdf', sha256(bytes), 3_000_000])
  const rows = await hub.sql`
    select organization_id, channel_id, media_id, mime_type, size_bytes::int, sha256
    from channel_media where media_id = ${id}`
  assert.deepEqual([...rows], [{ organization_id: acme.organizationId, channel_id: channel.id, media_id: id, ...rest }])
  const sibling = await createChannel(acme)
  assert.deepEqual(await registered(sibling.id), [])
})

test('the type of a file is detected from its bytes, here and upstream, and not from the declared type', async (t) => {
  const { acme, path, stored } = await startChannel(t)

  for (const [kind, { name, type, bytes }] of Object.entries(FILES)) {
    const answer = await upload(acme, path, bytes, { name, type: 'application/x-msdownload' })

    assert.equal(answer.status, 201, `${kind}: ${answer.text}`)
    const { id, mime_type, size_bytes, sha256: hash } = answer.body.data.media
    assert.deepEqual([mime_type, size_bytes, hash], [type, bytes.length, sha256(bytes)], kind)
    assert.equal((await stored(id)).mime_type, type, kind)
  }
})

test('a file of another type is INVALID_MEDIA under any name, and is not sent upstream', {
  rules: ['media.unknown-type-is-400'],
}, async (t) => {
  const { acme, path, registered, requests } = await startChannel(t)

  for (const [kind, bytes] of Object.entries(REFUSED)) {
    const answer = await upload(acme, path, bytes, { name: 'a.jpg', type: 'image/jpeg' })

    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_MEDIA'], kind)
    assert.deepEqual(answer.body.error.details.allowed, Object.keys(MEDIA_BYTES_MAX), kind)
  }
  assert.deepEqual(await registered(), [])
  assert.deepEqual(await requests('/media'), [])
})

// One type for each limit: every type's limit is in the table, which the next test reads.
for (const kind of ['webp', 'jpeg', 'ogg']) {
  test(`a ${kind} file of the largest allowed size is accepted, and one byte more is MEDIA_TOO_LARGE`, {
    rules: ['media.each-type-has-a-ceiling'],
  }, async (t) => {
    const { hub, acme, path, registered } = await startChannel(t)
    const { bytes, type } = FILES[kind]!
    const bytesMax = MEDIA_BYTES_MAX[type]!

    const fits = await upload(acme, path, padded(bytes, bytesMax))
    const over = await upload(acme, path, padded(bytes, bytesMax + 1))
    const fitsChunked = await uploadChunked(hub.url + path, acme.key, padded(bytes, bytesMax))
    const overChunked = await uploadChunked(hub.url + path, acme.key, padded(bytes, bytesMax + 1))

    assert.deepEqual([fits.status, fitsChunked.status], [201, 201])
    assert.equal(fits.body.data.media.size_bytes, bytesMax)
    for (const { status, body } of [over, overChunked]) {
      assert.deepEqual([status, body.error.code], [413, 'MEDIA_TOO_LARGE'])
      assert.partialDeepStrictEqual(body.error.details, { mime_type: type, bytes_max: bytesMax })
    }
    assert.equal((await registered()).length, 2)
  })
}

test('the size limits are those of the upstream', { rules: ['media.each-type-has-a-ceiling'] }, () => {
  const MB = 2 ** 20
  const documents = Object.entries(MEDIA_BYTES_MAX).filter(([type]) => /^(text|application)/.test(type))
  const videos = Object.entries(MEDIA_BYTES_MAX).filter(([type]) => /^(video|audio)/.test(type))

  assert.deepEqual([MEDIA_BYTES_MAX['image/jpeg'], MEDIA_BYTES_MAX['image/png']], [5 * MB, 5 * MB])
  assert.equal(MEDIA_BYTES_MAX['image/webp'], 500 * 1024)
  assert.ok(documents.length === 8 && documents.every(([, bytesMax]) => bytesMax === 100 * MB))
  assert.ok(videos.length === 7 && videos.every(([, bytesMax]) => bytesMax === 16 * MB))
})

test('a file far above its limit is 413 before the client has sent all of it', {
  rules: ['media.each-type-has-a-ceiling'],
}, async (t) => {
  const { hub, acme, path, registered } = await startChannel(t)
  const bytes = padded(FILES.png!.bytes, 30_000_000)

  const known = await upload(acme, path, bytes)
  const chunked = await uploadChunked(hub.url + path, acme.key, bytes)

  assert.deepEqual([known.status, chunked.status], [413, 413])
  assert.deepEqual(await registered(), [])
})

test("an upstream refusal before the end of the file is UPSTREAM_REJECTED with the upstream's error code", async (t) => {
  const { acme, path, fault, registered } = await startChannel(t)
  await fault('error', '/media', { code: 131053, times: null })

  const small = await upload(acme, path, pdf(2000))
  const large = await upload(acme, path, pdf(30_000_000))

  for (const answer of [small, large]) {
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'UPSTREAM_REJECTED'])
    assert.equal(answer.body.error.details.code, 131053)
  }
  assert.deepEqual(await registered(), [])
})

for (const [what, status, code, kind, more] of [
  ['throttles', 429, 'RATE_LIMITED', 'throttle', { code: 80007 }],
  ['is down', 502, 'UPSTREAM_UNAVAILABLE', 'http', { status: 503 }],
  ['hangs before it accepts the file', 502, 'UPSTREAM_UNAVAILABLE', 'hang_before', {}],
  ['hangs after it accepted the file', 502, 'UPSTREAM_UNAVAILABLE', 'hang_after', {}],
  ['resets the connection', 502, 'UPSTREAM_UNAVAILABLE', 'reset_after', {}],
  ['sends incomplete JSON', 502, 'UPSTREAM_UNAVAILABLE', 'garbled_after', {}],
] as const) {
  test(`an upstream that ${what} is ${status} ${code}, and no id is registered`, async (t) => {
    const { acme, path, fault, registered, up } = await startChannel(t, { UPSTREAM_TIMEOUT_MS: '2000' })
    await fault(kind, '/media', { times: null, ...more })

    const answer = await upload(acme, path, pdf(3_000_000))
    await waitForHeldRequests(up)

    assert.deepEqual([answer.status, answer.body.error.code], [status, code])
    assert.equal(answer.headers.has('retry-after'), status === 429)
    assert.deepEqual(await registered(), [])
  })
}

test('a channel that is pending or disconnected is 400 CHANNEL_NOT_CONNECTED', {
  rules: ['send.unconnected-channel-is-400'],
}, async (t) => {
  const { acme, channel, path, move } = await startChannel(t)
  const pending = await createChannel(acme)

  const before = await upload(acme, `/api/v1/channels/${pending.id}/media`, pdf(2000))
  await move(acme, channel, 'BANNED')
  const after = await upload(acme, path, pdf(2000))

  for (const { status, body } of [before, after]) {
    assert.deepEqual([status, body.error.code], [400, 'CHANNEL_NOT_CONNECTED'])
  }
})

test('a channel token uploads only with media:write, and only to its own channel', {
  rules: ['token.reaches-messages-media-and-templates'],
}, async (t) => {
  const { hub, acme, channel, path } = await startChannel(t)
  const other = await createChannel(acme)
  const full = await hub.channelToken(acme.organizationId, channel.id, ['media:write'])
  const narrow = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])

  const uploaded = await upload(full, path, pdf(2000))
  const refused = await upload(narrow, path, pdf(2000))
  const foreign = await upload(full, `/api/v1/channels/${other.id}/media`, pdf(2000))

  assert.deepEqual([uploaded.status, refused.status, foreign.status], [201, 403, 404])
  assert.equal(refused.body.error.details.scope, 'media:write')
})
