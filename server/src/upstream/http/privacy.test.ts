import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { describeError } from '../../kernel/logger.ts'
import { expectFailure } from '../test/results.ts'
import { APP, closePort, json, openUpstream, recordingServer, TEXT, TOKEN } from '../test/servers.ts'
import type { Upstream } from '../upstream.ts'

const CODE = 'canary-sign-up-code'
const VERIFY_TOKEN = 'canary-verify-token'
const PIN = '918273'
const NUMBER = '5511987654321'
const ID = '106540352242922'
const SECRETS = [TOKEN, APP.appSecret, CODE, VERIFY_TOKEN, PIN, NUMBER]

/** A logger without redaction, so that every leak of the client is found. */
function openLog() {
  const lines: string[] = []
  const logger = pino(
    { level: 'trace', serializers: { err: describeError } },
    { write: (line) => void lines.push(line) },
  )
  return { lines, logger }
}

/** Makes every call of the client once. */
async function callAll({ oauth, accounts, phoneNumbers, templates, media, messages, app }: Upstream) {
  async function* file() {
    yield Buffer.from('a file')
  }
  return [
    await oauth.exchangeCode(CODE),
    await oauth.debugToken(TOKEN),
    await accounts.get(TOKEN, ID),
    await accounts.listPhoneNumbers(TOKEN, ID),
    await accounts.subscribe(TOKEN, ID),
    await accounts.listSubscriptions(TOKEN, ID),
    await phoneNumbers.get(TOKEN, ID),
    await phoneNumbers.register(TOKEN, ID, PIN),
    await phoneNumbers.deregister(TOKEN, ID),
    await phoneNumbers.sync(TOKEN, ID, 'history'),
    await templates.list(TOKEN, ID, { limit: 5 }),
    await templates.create(TOKEN, ID, { name: 'a' }),
    await templates.delete(TOKEN, ID, { name: 'a' }),
    await media.upload(TOKEN, ID, { file: file(), filename: 'a.txt', mimeType: 'text/plain' }),
    await messages.send(TOKEN, ID, TEXT),
    await app.subscribeCallback({ callbackUrl: 'https://a.example', verifyToken: VERIFY_TOKEN, fields: ['messages'] }),
  ]
}
const CALLS = 16

function findSecrets(text: string): string[] {
  return SECRETS.filter((secret) => text.includes(secret))
}

test('a token is sent in the Authorization header only, except when it is debugged', async (t) => {
  const server = await recordingServer(t, (_request, response) => json(response, { success: true, id: '1', data: [] }))

  await callAll(openUpstream(t, server.url))

  for (const { url, headers, body } of server.requests) {
    const { authorization, ...others } = headers
    const [path = '', query = ''] = url.split('?')
    const isExchange = path.endsWith('/oauth/access_token')
    const token = /debug_token|subscriptions/.test(path) ? `${APP.appId}|${APP.appSecret}` : TOKEN
    assert.equal(authorization, isExchange ? undefined : `Bearer ${token}`, path)
    const leaked = findSecrets(`${path} ${JSON.stringify(others)}`)
    assert.deepEqual(leaked, [], path)
    assert.ok(!body.includes(TOKEN) && !body.includes(APP.appSecret), path)
    assert.equal(query.includes(TOKEN), path.endsWith('/debug_token'), path)
    assert.equal(query.includes(APP.appSecret), isExchange, path)
  }
  assert.equal(server.requests.length, CALLS)
})

async function assertNoLeaks(t: TestContext, url: string, expectedLines: number) {
  const { lines, logger } = openLog()

  const results = await callAll(openUpstream(t, url, { logger }))

  assert.equal(lines.length, expectedLines)
  assert.deepEqual(findSecrets(lines.join('')), [])
  const failures = results.filter((result) => !result.ok).map(expectFailure)
  assert.deepEqual(findSecrets(inspect(failures, { depth: 9, showHidden: true })), [])
}

test('no secret of successful calls is logged', async (t) => {
  const server = await recordingServer(t, ({ url }, response) => {
    const send = { messages: [{ id: 'wamid.1' }], contacts: [{ wa_id: NUMBER }] }
    const isDebug = url.includes('debug_token')
    json(response, { success: true, id: '1', access_token: TOKEN, data: isDebug ? { is_valid: true } : [], ...send })
  })

  await assertNoLeaks(t, server.url, CALLS)
})

test('no secret is logged or returned when the upstream quotes it in a refusal', async (t) => {
  const server = await recordingServer(t, (_request, response) => {
    const text = `Malformed ${TOKEN} ${APP.appSecret} ${CODE} ${VERIFY_TOKEN}`
    const error_data = { details: text, blamed: [text] }
    json(response, { error: { message: text, type: 'OAuthException', code: 190, fbtrace_id: 'A', error_data } }, 401)
  })
  const { lines, logger } = openLog()

  const results = await callAll(openUpstream(t, server.url, { logger }))

  assert.deepEqual(findSecrets(lines.join('')), [])
  // Each response is redacted of the secrets of its own call only.
  const refused = expectFailure(results.at(-2) ?? assert.fail())
  assert.ok(!inspect(refused, { depth: 9 }).includes(TOKEN))
  assert.match(refused.title ?? '', /^Malformed \[redacted\] \[redacted\] /)
  assert.ok(!inspect(results[0], { depth: 9 }).includes(CODE))
  assert.ok(!inspect(results[1], { depth: 9 }).includes(TOKEN))
  assert.ok(!inspect(results.at(-1), { depth: 9 }).includes(VERIFY_TOKEN))
})

test('a secret that the upstream quotes with escapes is redacted', async (t) => {
  const escaped = TOKEN.replace(TOKEN[0] ?? '', `\\u00${TOKEN.charCodeAt(0).toString(16)}`)
  const server = await recordingServer(t, (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(`{"error":{"message":"Malformed ${escaped}","code":100,"fbtrace_id":"${escaped}"}}`)
  })

  const results = await callAll(openUpstream(t, server.url, { logger: openLog().logger }))

  assert.match(expectFailure(results.at(-2) ?? assert.fail()).title ?? '', /^Malformed \[redacted\]$/)
  assert.ok(!inspect(results.at(-2), { depth: 9 }).includes(TOKEN))
})

test('no secret is logged when an unreadable response contains it', async (t) => {
  const garbage = `${TOKEN} ${APP.appSecret} ${CODE} ${NUMBER} ${PIN} ${VERIFY_TOKEN}`
  const server = await recordingServer(t, (_request, response) => void response.end(garbage))

  await assertNoLeaks(t, server.url, CALLS)
})

test('no secret is logged when the connection is refused', async (t) => {
  await assertNoLeaks(t, await closePort(), CALLS)
})

test('no secret is logged when the connection breaks', async (t) => {
  const server = await recordingServer(t, (_request, response) => void response.socket?.resetAndDestroy())

  await assertNoLeaks(t, server.url, CALLS)
})

test('each call is one log line with its name, kind and code', async (t) => {
  const { lines, logger } = openLog()
  const server = await recordingServer(t, (_request, response) => {
    json(response, { error: { message: '(#4) x', type: 'OAuthException', code: 4, fbtrace_id: 'A1' } }, 400)
  })

  await openUpstream(t, server.url, { logger }).messages.send(TOKEN, ID, TEXT)

  const { call, kind, status, code, fbtrace_id, attempts } = JSON.parse(lines[0] ?? '')
  assert.deepEqual([call, kind, status, code, fbtrace_id, attempts], ['messages.send', 'throttled', 400, 4, 'A1', 1])
})
