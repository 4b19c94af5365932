import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject } from '../../kernel/json/values.ts'
import { failureOf, granted } from '../test/results.ts'
import {
  APP,
  closedPort,
  json,
  openSandbox,
  openUpstream,
  PHONE_ID,
  recordingServer,
  SENT,
  TEXT,
  TOKEN,
} from '../test/servers.ts'
import { createUpstreamClient } from './client.ts'

const TRANSIENT = { error: { message: '(#2) Service', type: 'OAuthException', code: 2, fbtrace_id: 'A1' } }
const THROTTLED = { error: { message: '(#4) Limit', type: 'OAuthException', code: 4, fbtrace_id: 'A1' } }

test('a read is tried three times, and waits longer before the third', async (t) => {
  const waits: number[] = []
  const server = await recordingServer(t, (_request, response, index) =>
    index < 2 ? json(response, TRANSIENT, 503) : json(response, { id: PHONE_ID }),
  )
  const upstream = openUpstream(t, server.url, { sleep: async (ms) => void waits.push(ms) })

  granted(await upstream.phoneNumbers.get(TOKEN, PHONE_ID))

  assert.equal(server.requests.length, 3)
  const [first = 0, second = 0] = waits
  assert.ok(first >= 50 && first <= 100 && second >= 200 && second <= 400, String(waits))
})

test('a read that fails three times has failed', async (t) => {
  const server = await recordingServer(t, (_request, response) => void response.writeHead(502).end('<html>'))

  const failure = failureOf(await openUpstream(t, server.url).phoneNumbers.get(TOKEN, PHONE_ID))

  assert.deepEqual([failure.kind, failure.status], ['unavailable', 502])
  assert.equal(server.requests.length, 3)
})

test('a read whose connection is refused is tried again', async (t) => {
  const waits: number[] = []
  const upstream = openUpstream(t, await closedPort(), { sleep: async (ms) => void waits.push(ms) })

  failureOf(await upstream.phoneNumbers.get(TOKEN, PHONE_ID))

  assert.equal(waits.length, 2)
})

const NOT_REPEATED: [string, number, unknown][] = [
  ['refused', 400, { error: { message: 'no', type: 'OAuthException', code: 100 } }],
  ['limited', 400, THROTTLED],
  ['answered in another shape', 200, { hello: 1 }],
  ['answered by a 404 without an error object', 404, {}],
]

for (const [what, status, body] of NOT_REPEATED) {
  test(`a read that is ${what} is not tried again`, async (t) => {
    const server = await recordingServer(t, (_request, response) => json(response, body, status))

    failureOf(await openUpstream(t, server.url).phoneNumbers.get(TOKEN, PHONE_ID))

    assert.equal(server.requests.length, 1)
  })
}

test('all tries of a read share one deadline, which also ends the wait between them', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, TRANSIENT, 503))
  const upstream = openUpstream(t, server.url, {
    timeoutMs: 1_000,
    sleep: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  })

  const failure = failureOf(await upstream.phoneNumbers.get(TOKEN, PHONE_ID))

  assert.deepEqual([failure.kind, failure.code], ['unavailable', 2])
  assert.equal(server.requests.length, 1)
})

test('no write is ever tried again, and neither is the exchange of a code', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, TRANSIENT, 503))
  const { oauth, accounts, phoneNumbers, templates, media, messages, app } = openUpstream(t, server.url)
  const part = { file: chunksOf('a'), filename: 'a.txt', mimeType: 'text/plain' }

  const results = [
    await oauth.exchangeCode('some-sign-up-code'),
    await accounts.subscribe(TOKEN, PHONE_ID),
    await phoneNumbers.register(TOKEN, PHONE_ID, '123456'),
    await phoneNumbers.deregister(TOKEN, PHONE_ID),
    await phoneNumbers.sync(TOKEN, PHONE_ID, 'history'),
    await templates.create(TOKEN, PHONE_ID, {}),
    await templates.delete(TOKEN, PHONE_ID, { name: 'a' }),
    await media.upload(TOKEN, PHONE_ID, part),
    await messages.send(TOKEN, PHONE_ID, TEXT),
    await app.subscribeCallback({ callbackUrl: 'https://a.example', verifyToken: 'verify', fields: [] }),
  ]

  assert.deepEqual(new Set(results.map((result) => failureOf(result).kind)), new Set(['unavailable']))
  assert.equal(server.requests.length, results.length)
})

test('a write whose connection breaks is not tried again, also not by the HTTP client below', async (t) => {
  const server = await recordingServer(t, (_request, response, index) =>
    index === 0 ? json(response, SENT) : void response.socket?.resetAndDestroy(),
  )
  const upstream = openUpstream(t, server.url)
  granted(await upstream.messages.send(TOKEN, PHONE_ID, TEXT))

  const failure = failureOf(await upstream.messages.send(TOKEN, PHONE_ID, TEXT))

  assert.equal(failure.kind, 'unknown-outcome')
  assert.equal(server.requests.length, 2)
})

test('a host that is not on the list is refused without a connection', async (t) => {
  const stranger = await recordingServer(t, (_request, response) => json(response, { id: '1' }))
  const server = await recordingServer(t, (_request, response) => json(response, { id: '1' }))
  await using client = createUpstreamClient({ url: server.url, version: 'v25.0', ...APP, timeoutMs: 1_000 })
  const get = (to: URL) => client.call({ name: 'test', method: 'GET', to, token: TOKEN, read: (body) => body })

  const foreign = failureOf(await get(new URL(`${stranger.url}/file`)))
  const own = await get(new URL(`${server.url}/file?mid=1`))

  assert.deepEqual([foreign.kind, foreign.status, foreign.isCredentialRefused], ['refused', null, false])
  assert.equal(stranger.requests.length, 0)
  assert.ok(own.ok)
  assert.equal(server.requests[0]?.url, '/file?mid=1')
})

test('a listed host is reached over https only, so that no token travels in the clear', async (t) => {
  const listed = await recordingServer(t, (_request, response) => json(response, { id: '1' }))
  const allowedHosts = [new URL(listed.url).host]
  await using client = createUpstreamClient({
    url: await closedPort(),
    version: 'v25.0',
    ...APP,
    timeoutMs: 1_000,
    allowedHosts,
  })
  const get = (to: URL) =>
    client.call({ name: 'test', method: 'GET', effect: 'write', to, token: TOKEN, read: (body) => body })

  const plain = failureOf(await get(new URL(listed.url)))
  const secure = failureOf(await get(new URL(listed.url.replace('http:', 'https:'))))

  assert.equal(plain.kind, 'refused')
  assert.equal(secure.kind, 'unavailable')
  assert.equal(listed.requests.length, 0)
})

for (const id of ['..', '1/2', '', '1?x=1', '%2e%2e', '1\r\n', 'a'.repeat(129)]) {
  test(`${JSON.stringify(id.slice(0, 10))} is refused as an id without a connection`, async (t) => {
    const server = await recordingServer(t, (_request, response) => json(response, { id: '1' }))

    const failure = failureOf(await openUpstream(t, server.url).phoneNumbers.get(TOKEN, id))

    assert.equal(failure.kind, 'refused')
    assert.equal(server.requests.length, 0)
  })
}

for (const token of ['', 'a b', 'line\nbreak', 'tökén']) {
  test(`${JSON.stringify(token)} is refused as a credential without a connection`, async (t) => {
    const server = await recordingServer(t, (_request, response) => json(response, { id: '1' }))

    const failure = failureOf(await openUpstream(t, server.url).phoneNumbers.get(token, PHONE_ID))

    assert.deepEqual([failure.kind, failure.isCredentialRefused], ['refused', true])
    assert.equal(server.requests.length, 0)
  })
}

test('the version and a path of the configured address come before every path', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, SENT))

  granted(await openUpstream(t, `${server.url}/graph/`, { version: 'v26.0' }).messages.send(TOKEN, PHONE_ID, TEXT))

  assert.equal(server.requests[0]?.url, `/graph/v26.0/${PHONE_ID}/messages`)
})

test('the simulator finds every token of ours in the Authorization header', async (t) => {
  const { simulator, upstream, token, wabaId, phoneId } = await openSandbox(t)

  await upstream.accounts.listPhoneNumbers(token, wabaId)
  await upstream.messages.send(token, phoneId, TEXT)
  await upstream.oauth.debugToken(token)

  const { requests } = await simulator.control<{ requests: unknown[] }>('GET', '/requests')
  assert.deepEqual(
    requests.map((request) => isObject(request) && request.token_in),
    ['bearer', 'bearer', 'bearer'],
  )
})

async function* chunksOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
