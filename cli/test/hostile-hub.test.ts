import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startReceiver } from '../../server/test/receiver.ts'
import { newConfigDirectory, run, start, startInTerminal } from './program.ts'

/** Clears the screen, sets the title, writes to the clipboard, hides text, turns lines around: in 7 and in 8 bits. */
const EVIL =
  'x\u001b[2J\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u001b[8mhidden\u009b2J\u009d0;t\u009c\u202e\r\u0008y'
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/
const ID = '019a0000-0000-7000-8000-000000000001'
const TIME = '2026-01-31T12:00:00.000Z'

const CHANNEL = {
  id: ID,
  token: EVIL,
  name: EVIL,
  status: 'active',
  display_phone_number: EVIL,
  quality_rating: EVIL,
  external_id: EVIL,
}
const MESSAGE = {
  id: EVIL,
  direction: 'inbound',
  type: 'text',
  status: EVIL,
  from: EVIL,
  to: EVIL,
  contact: { name: EVIL },
  content: { body: EVIL },
  error: null,
  created_at: TIME,
}
const WEBHOOK = { id: ID, name: EVIL, url: EVIL, status: 'paused', consecutive_failures: 0, events: [EVIL] }
const DELIVERY = { id: EVIL, event: EVIL, status: EVIL, attempts: 1, last_error_code: EVIL, created_at: TIME }
const KEY = { id: EVIL, name: EVIL, prefix: EVIL, last4: EVIL, status: EVIL, scopes: [EVIL], last_used_at: null }
const QR_CODE = { code: EVIL, prefilled_message: EVIL, deep_link_url: EVIL, qr_image_url: null }
const DIAGNOSTICS = { overall: 'failing', checks: [{ id: EVIL, status: 'failing', message: EVIL, remedy: EVIL }] }
const FIGURES = { messages: 1, charged: EVIL, without_rate: 0, cost: EVIL }
const COSTS = {
  since: EVIL,
  until: EVIL,
  group_by: 'day',
  currency: EVIL,
  groups: [{ key: EVIL, name: EVIL, ...FIGURES }],
  total: FIGURES,
}
const SUBSCRIPTION = { subscription: { plan: EVIL, status: EVIL }, quotas: { channels: { used: EVIL, limit: EVIL } } }

/** The hub's answer by the end of the path, and the commands that print it. */
const ANSWERS: [RegExp, unknown][] = [
  [/\/diagnostics$/, { diagnostics: DIAGNOSTICS }],
  [/\/messages/, { messages: [MESSAGE], message: MESSAGE, next_cursor: null }],
  [/\/templates/, { templates: [{ id: EVIL, name: EVIL, language: EVIL, category: EVIL, status: EVIL }] }],
  [/\/blocked/, { blocked: [{ person: EVIL, wa_id: EVIL, user_id: EVIL }], failed: [{ person: EVIL, title: EVIL }] }],
  [/\/qr-codes/, { qr_codes: [QR_CODE], qr_code: QR_CODE }],
  [/\/username$/, { username: { username: EVIL, status: EVIL } }],
  [/-token$/, { token: EVIL, warning: EVIL }],
  [/-secret$/, { secret: EVIL, warning: EVIL, previous_valid_until: EVIL }],
  [/\/connect-link$/, { connect_url: EVIL, expires_at: TIME }],
  [/\/channels\/[^/]+$/, { channel: CHANNEL }],
  [/\/channels$/, { channels: [CHANNEL], channel: CHANNEL }],
  [/\/deliveries$/, { deliveries: [DELIVERY] }],
  [/\/test$|\/replay\/|\/retry$/, { delivery_id: EVIL, event_id: EVIL, status: EVIL }],
  [/\/webhooks$/, { webhooks: [WEBHOOK], webhook: WEBHOOK, secret: EVIL, warning: EVIL }],
  [/\/webhooks\/[^/]+$/, { deleted: true }],
  [/\/api-keys/, { api_keys: [KEY], api_key: KEY, secret: EVIL, warning: EVIL, next_cursor: null }],
  [/\/usage$/, { usage: { period_start: TIME, period_end: TIME, channels: EVIL } }],
  [/\/usage\/costs/, { costs: COSTS }],
  [/\/subscription$/, SUBSCRIPTION],
]
const COMMANDS = [
  ['channels'],
  ['channels', ID],
  ['status'],
  ['usage'],
  ['costs'],
  ['costs', ID],
  ['doctor'],
  ['connect', ID],
  ['templates', ID],
  ['blocked', ID],
  ['blocked', ID, 'add', 'x'],
  ['qr-codes', ID],
  ['qr-codes', ID, 'create', 'x'],
  ['username', ID],
  ['messages', ID],
  ['send', ID, '5511987654321', 'x'],
  ['webhooks'],
  ['webhooks', 'test', ID],
  ['webhooks', 'create', 'https://example.com'],
  ['webhooks', 'delete', ID],
  ['webhooks', 'pause', ID],
  ['webhooks', 'rotate', ID],
  ['tokens', 'regenerate', ID],
  ['connect', '--new', 'x'],
  ['deliveries', ID],
  ['replay', ID, ID],
  ['retry', ID, ID],
  ['keys'],
  ['keys', 'create', 'ci', '--scope', 'x:y'],
  ['keys', 'revoke', ID],
]

async function startHostileHub(t: TestContext) {
  const hub = await startReceiver(t)
  const json = { 'content-type': 'application/json' }
  hub.answer(({ path }) => {
    const [, data = {}] = ANSWERS.find(([pattern]) => pattern.test(path.split('?')[0] ?? '')) ?? []
    return { status: 200, headers: json, body: JSON.stringify({ data }) }
  })
  const env = { HUBLINE_CONFIG_DIR: await newConfigDirectory(t), HUBLINE_URL: hub.url, HUBLINE_KEY: 'hub_pk_x' }
  return { hub, env, json }
}

test('nothing that a hub answers controls the terminal', {
  rules: ['cli.foreign-text-cannot-control-the-terminal'],
}, async (t) => {
  const { hub, env, json } = await startHostileHub(t)

  for (const args of COMMANDS) {
    const [text, asJson] = await Promise.all([run(args, env), run([...args, '--json'], env)])
    assert.doesNotMatch(text.stderr, /bug/, args.join(' '))
    assert.doesNotMatch(text.stdout + text.stderr, CONTROL, args.join(' '))
    assert.doesNotMatch(asJson.stdout + asJson.stderr, CONTROL, args.join(' '))
  }
  const error = { code: EVIL, message: EVIL, request_id: EVIL, details: { issues: [{ path: EVIL, message: EVIL }] } }
  hub.answer(() => ({ status: 400, headers: json, body: JSON.stringify({ error }) }))
  for (const args of [['channels'], ['channels', '--json'], ['doctor']]) {
    const { stdout, stderr } = await run(args, env)
    assert.match(stdout + stderr, /hidden/)
    assert.doesNotMatch(stdout + stderr, CONTROL, args.join(' '))
  }
})

test('at a terminal there are the colors of the program, and no other sequences', {
  rules: ['cli.foreign-text-cannot-control-the-terminal'],
}, async (t) => {
  const { env } = await startHostileHub(t)
  const program = startInTerminal(t, ['status'], env)
  await program.ended

  // biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence begins with one
  const sequences = new Set(program.stdout().match(/\u001b[^m]*m?/g))
  assert.ok(sequences.has('\u001b[1m'), program.stdout())
  assert.deepEqual(
    [...sequences].filter((one) => !['\u001b[0m', '\u001b[1m', '\u001b[32m', '\u001b[33m', '\u001b[K'].includes(one)),
    [],
  )
})

const GOOD = { type: 'delivery', id: ID, event: EVIL, headers: { 'x-hub-delivery-id': ID, cookie: 'a=b' }, body: '{}' }
const LINES: [string, unknown][] = [
  ['no JSON', '{"type":'],
  ['null', null],
  ['a number as body', { ...GOOD, body: 7 }],
  ['an object as id', { ...GOOD, id: {} }],
  ['no headers', { ...GOOD, headers: null }],
  ['a header with a line end', { ...GOOD, headers: { 'x-hub-delivery-id': 'a\nb: c' } }],
]

/** A hub whose stream sends these lines, one stream after the other, and then a good delivery. */
async function startHostileStream(t: TestContext, streams: string[]) {
  let attached = 0
  const server = createServer((request, response) => {
    request.resume()
    if (!request.url?.endsWith('/stream')) {
      const data = { listener: { id: ID }, secret: 'whsec_x', acknowledged: 1 }
      return void response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
    }
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const text = streams[attached++]
    response.write(`{"type":"heartbeat"}\n${text ?? JSON.stringify(GOOD)}\n`)
    if (text !== undefined) response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('listen survives lines that no hub sends, and posts only headers of deliveries', async (t) => {
  const receiver = await startReceiver(t)
  const HUBLINE_URL = await startHostileStream(
    t,
    LINES.map(([, line]) => (typeof line === 'string' ? line : JSON.stringify(line))),
  )
  const env = { HUBLINE_CONFIG_DIR: await newConfigDirectory(t), HUBLINE_URL, HUBLINE_KEY: 'hub_pk_x' }
  const program = start(t, ['listen', '--forward-to', receiver.url], env)

  await program.prints(/hidden.* ms/)

  assert.equal(receiver.received.length, 1, program.stdout())
  assert.equal(receiver.received[0]?.headers.cookie, undefined)
  assert.doesNotMatch(program.stdout() + program.stderr(), CONTROL)
  assert.equal(await program.end('SIGINT'), 0)
})

test('listen gives up a line without an end', async (t) => {
  const receiver = await startReceiver(t)
  const HUBLINE_URL = await startHostileStream(t, ['x'.repeat(40 * 1024 * 1024)])
  const env = { HUBLINE_CONFIG_DIR: await newConfigDirectory(t), HUBLINE_URL, HUBLINE_KEY: 'hub_pk_x' }
  const program = start(t, ['listen', '--forward-to', receiver.url], env)

  await program.prints(/longer than 32 MiB/)
  await receiver.until(1)

  assert.equal(await program.end('SIGINT'), 0)
})
