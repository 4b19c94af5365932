import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { bearer } from '../../../../test/hub.ts'
import { openRawConnection } from '../../../../test/raw-http.ts'
import { FILES, pdf } from '../../media/test/files.ts'
import { type FacadeFixture, postForm, startFacade, startRelayedFacade, toStatusAndCode } from '../test/fixture.ts'

type Seen = { url: string; headers: IncomingMessage['headers'] }

async function upload(
  { client, phone }: Pick<FacadeFixture, 'client' | 'phone'>,
  bytes = FILES.pdf!.bytes,
): Promise<string> {
  const { status, text, body } = await postForm(client, `${phone}/media`, [{ bytes, name: 'a.pdf' }])
  assert.equal(status, 200, text)
  return body.id
}

/** Downloads bytes; the usual test client reads text. */
async function download(fixture: { hub: { url: string }; channel: { token: string } }, id: string, headers = {}) {
  const answer = await fetch(`${fixture.hub.url}/upstream/${id}/content`, {
    headers: { ...bearer(fixture.channel.token), ...headers },
  })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** A second file host beside the relay, and downloads of a file whose URL the test chooses. */
async function startFileHost(t: TestContext, serve: (request: IncomingMessage, response: ServerResponse) => void) {
  const fixture = await startRelayedFacade(t)
  const id = await upload(fixture)
  const seen: Seen[] = []
  const host = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers })
    serve(request, response)
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    host.closeAllConnections()
    host.close()
  })
  const otherHost = `http://127.0.0.1:${(host.address() as AddressInfo).port}`

  /** Downloads the file while the upstream returns `url` as its URL. */
  async function downloadFrom(url: string, headers = {}) {
    const catching = fixture.relay.catch(`/${id}`)
    const downloading = download(fixture, id, headers)
    ;(await catching).answer(
      200,
      JSON.stringify({ id, url, mime_type: 'application/pdf', messaging_product: 'whatsapp' }),
    )
    return downloading
  }
  return { ...fixture, id, seen, otherHost, downloadFrom }
}

test('a file is streamed with headers that keep browsers from rendering, executing or caching it', {
  rules: ['facade.media-url-leads-to-the-hub', 'media.downloads-cannot-run', 'media.download-names-a-file'],
}, async (t) => {
  const fixture = await startFacade(t)
  const bytes = pdf(300_000)
  const id = await upload(fixture, bytes)

  const answer = await download(fixture, id)

  assert.equal(answer.status, 200)
  assert.ok(answer.bytes.equals(bytes))
  const headers = Object.fromEntries(
    [
      'content-type',
      'content-length',
      'content-disposition',
      'x-content-type-options',
      'cache-control',
      'content-security-policy',
      'accept-ranges',
      'x-frame-options',
    ].map((name) => [name, answer.headers.get(name)]),
  )
  assert.deepEqual(headers, {
    'content-type': 'application/pdf',
    'content-length': '300000',
    'content-disposition': `attachment; filename=${id}.pdf`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'accept-ranges': 'bytes',
    'x-frame-options': 'DENY',
  })
})

test("a media node's URL works an hour later, when the upstream's own URL has expired", async (t) => {
  const fixture = await startFacade(t)
  const id = await upload(fixture)
  const { url } = (await fixture.client.get(`/upstream/${id}`)).body
  await fixture.up.simulator.control('POST', '/clock', { advance_seconds: 3600 })

  const answer = await fixture.client.get(new URL(url).pathname)

  assert.equal(answer.status, 200)
})

for (const [range, expected] of [
  ['bytes=0-9', [206, 'bytes 0-9/2000', 0, 10]],
  ['bytes=1990-', [206, 'bytes 1990-1999/2000', 1990, 2000]],
  ['bytes=-5', [206, 'bytes 1995-1999/2000', 1995, 2000]],
  ['bytes=1500-99999', [206, 'bytes 1500-1999/2000', 1500, 2000]],
  ['bytes=9-5', [200, null, 0, 2000]],
  ['bytes=0-1,5-6', [200, null, 0, 2000]],
  ['pages=1-2', [200, null, 0, 2000]],
] as const) {
  test(`the range ${range} of 2000 bytes is ${expected[0]} ${expected[1] ?? 'with the whole file'}`, async (t) => {
    const fixture = await startFacade(t)
    const bytes = FILES.pdf!.bytes
    const id = await upload(fixture, bytes)
    const [status, contentRange, start, end] = expected

    const answer = await download(fixture, id, { range })

    assert.deepEqual([answer.status, answer.headers.get('content-range')], [status, contentRange])
    assert.equal(answer.headers.get('content-length'), String(end - start))
    assert.ok(answer.bytes.equals(bytes.subarray(start, end)))
  })
}

test('a range beyond the end is 416 with the length of the file', async (t) => {
  const fixture = await startFacade(t)
  const id = await upload(fixture)

  const answer = await fixture.client.get(`/upstream/${id}/content`, { headers: { range: 'bytes=2000-' } })

  assert.deepEqual(toStatusAndCode(answer), [416, 'RANGE_NOT_SATISFIABLE'])
  assert.equal(answer.headers.get('content-range'), 'bytes */2000')
})

test('a range with If-Range returns the whole file, because files have no version', async (t) => {
  const fixture = await startFacade(t)
  const id = await upload(fixture)

  const answer = await download(fixture, id, { range: 'bytes=0-9', 'if-range': '"x"' })

  assert.deepEqual([answer.status, answer.bytes.length], [200, 2000])
})

test('a partial response of the upstream is forwarded unchanged', async (t) => {
  const { relay, downloadFrom } = await startFileHost(t, () => {})

  const catching = relay.catch('/file')
  const downloading = downloadFrom(`${relay.url}/file`, { range: 'bytes=5-9' })
  const { request, respond } = await catching
  respond(206, { 'content-type': 'application/pdf', 'content-range': 'bytes 5-9/20', 'content-length': '5' }, 'fghij')
  const answer = await downloading

  assert.equal(request.headers.range, 'bytes=5-9')
  assert.equal(answer.status, 206)
  assert.equal(answer.headers.get('content-range'), 'bytes 5-9/20')
  assert.equal(answer.bytes.toString(), 'fghij')
})

test('the token goes to no host outside the allowed ones, for any URL in a media node', {
  rules: ['media.bytes-come-from-known-hosts'],
}, async (t) => {
  const { seen, otherHost, downloadFrom } = await startFileHost(t, (_request, response) => void response.end('stolen'))
  const { host } = new URL(otherHost)

  for (const url of [
    `${otherHost}/a`,
    `http://lookaside.fbsbx.com@${host}/a`,
    'http://lookaside.fbsbx.com/a',
    'file:///etc/passwd',
    'https://lookaside.fbsbx.com.example.com/a',
    `//${host}/a`,
    'nowhere',
    '',
    'javascript:alert(1)',
    'data:,x',
  ]) {
    const answer = await downloadFrom(url)
    assert.equal(answer.status, 502, url)
    assert.equal(JSON.parse(answer.bytes.toString()).error.code, 'UPSTREAM_UNAVAILABLE')
  }
  assert.deepEqual(seen, [])
})

test('a redirect is not followed', { rules: ['media.bytes-come-from-known-hosts'] }, async (t) => {
  const { relay, seen, otherHost, downloadFrom } = await startFileHost(
    t,
    (_request, response) => void response.end('x'),
  )

  for (const status of [301, 302, 303, 307, 308]) {
    const catching = relay.catch('/file')
    const downloading = downloadFrom(`${relay.url}/file`)
    ;(await catching).respond(status, { location: `${otherHost}/a` }, '')
    assert.equal((await downloading).status, 502)
  }
  assert.deepEqual(seen, [])
})

test('a file host that refuses, fails or returns an invalid response is 502, and a missing file is 404', async (t) => {
  const { relay, downloadFrom, acme, channel } = await startFileHost(t, () => {})
  const cases: [number, Record<string, string>, string, number][] = [
    [404, {}, '', 404],
    [410, {}, '', 404],
    [401, {}, 'no', 502],
    [403, {}, '<html>', 502],
    [500, {}, 'x'.repeat(200_000), 502],
    [206, { 'content-range': 'bytes 0-4/5' }, 'hello', 502],
    [204, {}, '', 502],
  ]

  for (const [status, headers, body, expected] of cases) {
    const catching = relay.catch('/file')
    const downloading = downloadFrom(`${relay.url}/file`)
    ;(await catching).respond(status, headers, body)
    assert.equal((await downloading).status, expected, String(status))
  }
  assert.equal((await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status, 'active')
})

test('a file host that reports an invalid token in an error object disconnects the channel', async (t) => {
  const { relay, downloadFrom, acme, channel } = await startFileHost(t, () => {})
  const error = { message: 'Error validating access token', type: 'OAuthException', code: 190 }

  const catching = relay.catch('/file')
  const downloading = downloadFrom(`${relay.url}/file`)
  ;(await catching).respond(401, { 'content-type': 'application/json' }, JSON.stringify({ error }))

  assert.equal((await downloading).status, 502)
  assert.equal((await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status, 'disconnected')
})

test('an invalid content type of the file host becomes application/octet-stream', async (t) => {
  const { relay, downloadFrom } = await startFileHost(t, () => {})

  for (const type of ['text/html, x', 'nonsense', `a/${'b'.repeat(300)}`]) {
    const catching = relay.catch('/file')
    const downloading = downloadFrom(`${relay.url}/file`)
    ;(await catching).respond(200, { 'content-type': type }, 'x')
    assert.equal((await downloading).headers.get('content-type'), 'application/octet-stream')
  }
})

test('a download that the upstream aborts is aborted for the client too', async (t) => {
  const { relay, hub, channel, id } = await startFileHost(t, () => {})

  const [node, file] = [relay.catch(`/${id}`), relay.catch('/file')]
  const opening = fetch(`${hub.url}/upstream/${id}/content`, { headers: bearer(channel.token) })
  ;(await node).answer(200, JSON.stringify({ id, url: `${relay.url}/file` }))
  const { response } = await file
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '1000' }).write('half')
  const opened = await opening
  response.destroy()

  assert.equal(opened.status, 200)
  await assert.rejects(opened.arrayBuffer())
})

test('a media node without a URL is 502', async (t) => {
  const fixture = await startRelayedFacade(t)
  const id = await upload(fixture)

  const catching = fixture.relay.catch(`/${id}`)
  const downloading = download(fixture, id)
  ;(await catching).answer(200, JSON.stringify({ id, messaging_product: 'whatsapp' }))

  assert.equal((await downloading).status, 502)
})

/** A download whose client and file host the test controls. */
async function beginDownload(t: TestContext) {
  const fixture = await startFileHost(t, () => {})
  const connection = await openRawConnection(fixture.hub.url)
  const node = fixture.relay.catch(`/${fixture.id}`)
  const file = fixture.relay.catch('/file')
  connection.write(
    [
      `GET /upstream/${fixture.id}/content HTTP/1.1`,
      'Host: hub',
      `Authorization: Bearer ${fixture.channel.token}`,
      'Connection: close',
      '\r\n',
    ].join('\r\n'),
  )
  ;(await node).answer(200, JSON.stringify({ id: fixture.id, url: `${fixture.relay.url}/file` }))
  const { request, response } = await file
  return { ...fixture, connection, request, response }
}

test('a client that disconnects aborts the download from the upstream', async (t) => {
  const { hub, connection, response, request } = await beginDownload(t)
  const closed = once(response, 'close')
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '100000000' })
  response.write(Buffer.alloc(100_000))

  connection.hangUp()
  await closed
  await hub.stop()

  assert.equal(request.complete, true)
  assert.equal(response.writableFinished, false)
  assert.ok(!hub.logs.some((line) => line.includes('"level":"error"')))
})

test('a client that disconnects before the first byte aborts the upstream call', async (t) => {
  const { connection, response } = await beginDownload(t)
  const closed = once(response, 'close')

  connection.hangUp()
  await closed

  assert.equal(response.headersSent, false)
})

test('a client that stops reading stops the download from the upstream', async (t) => {
  const { connection, response } = await beginDownload(t)
  connection.pause()
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '100000000' })
  let written = 0
  const isFull = () => {
    for (let i = 0; i < 100; i++) {
      written += 65_536
      if (!response.write(Buffer.alloc(65_536))) return true
    }
    return false
  }

  // Writes on for as long as the hub reads.
  while (!isFull() || (await isDrainedSoon(response))) if (written > 90_000_000) break
  connection.hangUp()

  assert.ok(written < 90_000_000, `the hub read ${written} bytes for a client that does not read`)
})

/** Returns true if the hub reads what was written within 2,000 iterations of the event loop. */
async function isDrainedSoon(response: ServerResponse): Promise<boolean> {
  let isDrained = false
  response.once('drain', () => {
    isDrained = true
  })
  for (let i = 0; i < 2000 && !isDrained; i++) await new Promise((resolve) => setImmediate(resolve))
  return isDrained
}
