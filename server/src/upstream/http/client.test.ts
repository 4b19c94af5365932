import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject } from '../../kernel/json/values.ts'
import { expectFailure, expectValue } from '../test/results.ts'
import {
  APP,
  closePort,
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
import { isMediaHost } from './transport.ts'

const TRANSIENT = { error: { message: '(#2) Service', type: 'OAuthException', code: 2, fbtrace_id: 'A1' } }
const THROTTLED = { error: { message: '(#4) Limit', type: 'OAuthException', code: 4, fbtrace_id: 'A1' } }

test('a read has three attempts, with a longer wait before the third', async (t) => {
  const waits: number[] = []
  const server = await recordingServer(t, (_request, response, index) =>
    index < 2 ? json(response, TRANSIENT, 503) : json(response, { id: PHONE_ID }),
  )
  const upstream = openUpstream(t, server.url, { sleep: async (ms) => void waits.push(ms) })

  expectValue(await upstream.phoneNumbers.get(TOKEN, PHONE_ID))

  assert.equal(server.requests.length, 3)
  const [first = 0, second = 0] = waits
  assert.ok(first >= 50 && first <= 100 && second >= 200 && second <= 400, String(waits))
})

test('a read fails after three failed attempts', async (t) => {
  const server = await recordingServer(t, (_request, response) => void response.writeHead(502).end('<html>'))

  const failure = expectFailure(await openUpstream(t, server.url).phoneNumbers.get(TOKEN, PHONE_ID))

  assert.deepEqual([failure.kind, failure.status], ['unavailable', 502])
  assert.equal(server.requests.length, 3)
})

test('a read whose connection is refused is retried', async (t) => {
  const waits: number[] = []
  const upstream = openUpstream(t, await closePort(), { sleep: async (ms) => void waits.push(ms) })

  expectFailure(await upstream.phoneNumbers.get(TOKEN, PHONE_ID))

  assert.equal(waits.length, 2)
})

const NOT_REPEATED: [string, number, unknown][] = [
  ['refused', 400, { error: { message: 'no', type: 'OAuthException', code: 100 } }],
  ['throttled', 400, THROTTLED],
  ['answered with an unexpected body', 200, { hello: 1 }],
  ['answered with a 404 without an error object', 404, {}],
]

for (const [what, status, body] of NOT_REPEATED) {
  test(`a read that is ${what} is not retried`, async (t) => {
    const server = await recordingServer(t, (_request, response) => json(response, body, status))

    expectFailure(await openUpstream(t, server.url).phoneNumbers.get(TOKEN, PHONE_ID))

    assert.equal(server.requests.length, 1)
  })
}

test('all attempts of a read share one deadline, which also ends the wait between them', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, TRANSIENT, 503))
  const upstream = openUpstream(t, server.url, {
    timeoutMs: 1_000,
    sleep: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  })

  const failure = expectFailure(await upstream.phoneNumbers.get(TOKEN, PHONE_ID))

  assert.deepEqual([failure.kind, failure.code], ['unavailable', 2])
  assert.equal(server.requests.length, 1)
})

test('writes and code exchanges are never retried', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, TRANSIENT, 503))
  const { oauth, accounts, phoneNumbers, templates, media, messages, app } = openUpstream(t, server.url)
  const part = { file: generateChunks('a'), filename: 'a.txt', mimeType: 'text/plain' }

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

  assert.deepEqual(new Set(results.map((result) => expectFailure(result).kind)), new Set(['unavailable']))
  assert.equal(server.requests.length, results.length)
})

test('a write whose connection breaks is not retried, not even by undici', async (t) => {
  const server = await recordingServer(t, (_request, response, index) =>
    index === 0 ? json(response, SENT) : void response.socket?.resetAndDestroy(),
  )
  const upstream = openUpstream(t, server.url)
  expectValue(await upstream.messages.send(TOKEN, PHONE_ID, TEXT))

  const failure = expectFailure(await upstream.messages.send(TOKEN, PHONE_ID, TEXT))

  assert.equal(failure.kind, 'unknown-outcome')
  assert.equal(server.requests.length, 2)
})

test('a host outside the allowlist is refused without a connection', async (t) => {
  const otherHost = await recordingServer(t, (_request, response) => json(response, { id: '1' }))
  const server = await recordingServer(t, (_request, response) => json(response, { id: '1' }))
  await using client = createUpstreamClient({ url: server.url, version: 'v25.0', ...APP, timeoutMs: 1_000 })
  const get = (to: URL) => client.call({ name: 'test', method: 'GET', to, token: TOKEN, read: (body) => body })

  const foreign = expectFailure(await get(new URL(`${otherHost.url}/file`)))
  const own = await get(new URL(`${server.url}/file?mid=1`))

  assert.deepEqual([foreign.kind, foreign.status, foreign.isCredentialRefused], ['refused', null, false])
  assert.equal(otherHost.requests.length, 0)
  assert.ok(own.ok)
  assert.equal(server.requests[0]?.url, '/file?mid=1')
})

test('an allowed host is reached over https only', async (t) => {
  const listed = await recordingServer(t, (_request, response) => json(response, { id: '1' }))
  const allowedHosts = [new URL(listed.url).host]
  await using client = createUpstreamClient({
    url: await closePort(),
    version: 'v25.0',
    ...APP,
    timeoutMs: 1_000,
    allowedHosts,
  })
  const get = (to: URL) =>
    client.call({ name: 'test', method: 'GET', effect: 'write', to, token: TOKEN, read: (body) => body })

  const plain = expectFailure(await get(new URL(listed.url)))
  const secure = expectFailure(await get(new URL(listed.url.replace('http:', 'https:'))))

  assert.equal(plain.kind, 'refused')
  assert.equal(secure.kind, 'unavailable')
  assert.equal(listed.requests.length, 0)
})

for (const id of ['..', '1/2', '', '1?x=1', '%2e%2e', '1\r\n', 'a'.repeat(129)]) {
  test(`${JSON.stringify(id.slice(0, 10))} is refused as an id without a connection`, async (t) => {
    const server = await recordingServer(t, (_request, response) => json(response, { id: '1' }))

    const failure = expectFailure(await openUpstream(t, server.url).phoneNumbers.get(TOKEN, id))

    assert.equal(failure.kind, 'refused')
    assert.equal(server.requests.length, 0)
  })
}

for (const token of ['', 'a b', 'line\nbreak', 'tökén']) {
  test(`${JSON.stringify(token)} is refused as a credential without a connection`, async (t) => {
    const server = await recordingServer(t, (_request, response) => json(response, { id: '1' }))

    const failure = expectFailure(await openUpstream(t, server.url).phoneNumbers.get(token, PHONE_ID))

    assert.deepEqual([failure.kind, failure.isCredentialRefused], ['refused', true])
    assert.equal(server.requests.length, 0)
  })
}

test('the path of the configured URL and the version precede every path', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, SENT))

  expectValue(await openUpstream(t, `${server.url}/graph/`, { version: 'v26.0' }).messages.send(TOKEN, PHONE_ID, TEXT))

  assert.equal(server.requests[0]?.url, `/graph/v26.0/${PHONE_ID}/messages`)
})

test('the simulator gets every token in the Authorization header', async (t) => {
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

async function* generateChunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

for (const [origin, isOne] of [
  ['https://lookaside.fbsbx.com', true],
  ['https://lookaside.fbsbx.com:443', true],
  ['https://cdn.fbsbx.com', true],
  ['https://LOOKASIDE.FBSBX.COM', true],
  ['http://lookaside.fbsbx.com', false],
  ['https://lookaside.fbsbx.com:8443', false],
  ['https://lookaside.fbsbx.com.', false],
  ['https://lookaside.fbsbx.com.example.com', false],
  ['https://evilfbsbx.com', false],
  ['https://fbsbx.com.br', false],
  ['https://fbsbx.com@example.com', false],
  ['https://127.0.0.1', false],
  ['null', false],
] as const) {
  test(`${origin} is ${isOne ? '' : 'not '}a host that gets the token for a file`, () => {
    assert.equal(isMediaHost(origin), isOne)
  })
}
