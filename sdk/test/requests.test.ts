import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Hub, HubApiError, HubConnectionError, HubError, HubResponseError, HubTimeoutError } from '../src/sdk.ts'
import { AT_ONCE, CREDENTIAL, cut, error, hang, html, json, reset, startServer } from './server.ts'

const CHANNEL = '0198c2f0-7a5b-7c3d-8e4f-123456789abc'
const TEXT = { to: '5511987654321', type: 'text', text: { body: 'Olá' } } as const
const SENT = json(202, { data: { message: { id: 'm-1' } } })

async function rejectionOf<Kind extends HubError>(
  promise: Promise<unknown>,
  kind: new (...args: never[]) => Kind,
): Promise<Kind> {
  const reason = await promise.then(
    () => assert.fail('It resolved'),
    (err: unknown) => err,
  )
  assert.ok(reason instanceof kind, String(reason))
  return reason
}

test('an error has the reason of the hub and the values of its message, null and empty if the hub sends none', {
  rules: ['sdk.errors-have-the-reason'],
}, async (t) => {
  const details = {
    quota: 'channels',
    limit: 2,
    used: 2,
    reason: 'channels_of_plan',
    parameters: { limit: 2, used: 2 },
  }
  const refusal = (given: object | null) =>
    json(403, { error: { code: 'QUOTA_EXCEEDED', message: 'No', request_id: CHANNEL, details: given } })
  const { hub } = await startServer(t, [refusal(details), refusal(null)])

  const known = await rejectionOf(hub.channels.create({ name: 'Padaria' }), HubApiError)
  const other = await rejectionOf(hub.channels.create({ name: 'Padaria' }), HubApiError)

  assert.deepEqual([known.reason, known.parameters], ['channels_of_plan', { limit: 2, used: 2 }])
  assert.deepEqual([other.reason, other.parameters], [null, {}])
})

test('a request carries the credential, the body and the query, and resolves to the data', async (t) => {
  const { hub, received } = await startServer(t, [json(201, { data: { channel: { id: CHANNEL } } })])

  const created = await hub.channels.create({ name: 'Padaria' })
  await hub.channels.delete(CHANNEL, { deregister: true })
  await hub.channels.delete(CHANNEL, { deregister: undefined })

  assert.equal(created.channel.id, CHANNEL)
  assert.deepEqual(
    received.map(({ method, path, headers, body }) => [method, path, headers.authorization, body]),
    [
      ['POST', '/api/v1/channels', `Bearer ${CREDENTIAL}`, '{"name":"Padaria"}'],
      ['DELETE', `/api/v1/channels/${CHANNEL}?deregister=true`, `Bearer ${CREDENTIAL}`, ''],
      ['DELETE', `/api/v1/channels/${CHANNEL}`, `Bearer ${CREDENTIAL}`, ''],
    ],
  )
  assert.deepEqual(
    received.map(({ headers }) => [headers['content-type'], headers['idempotency-key']]),
    [
      ['application/json', undefined],
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
})

test('a hub behind a path of a proxy, and headers of the caller', async (t) => {
  const { url, received } = await startServer(t, [json(200, { data: { usage: {} } })])
  const hub = new Hub({ url: `${url}/messaging/`, headers: { 'x-one': '1', 'x-two': '2' } })

  await hub.billing.getUsage({ headers: { 'x-two': 'two' } })

  assert.equal(received[0]?.path, '/messaging/api/v1/usage')
  const { 'x-one': one, 'x-two': two, authorization } = received[0]?.headers ?? {}
  assert.deepEqual([one, two, authorization], ['1', 'two', undefined])
})

for (const url of [
  '',
  'hub.example.com',
  'ftp://hub.example.com',
  'https://user:pw@hub.example.com',
  'https://a?b=c',
]) {
  test(`${JSON.stringify(url)} is refused as the url of a hub, and a password in it is not shown`, () => {
    assert.throws(
      () => new Hub({ url }),
      (err) => err instanceof TypeError && !/pw/.test(err.message),
    )
  })
}

for (const credential of ['', 'hub_pk_secret\n', 'hub_pk_se\ncret', 'hub_pk secret', 7]) {
  test(`${JSON.stringify(credential)} is refused as a credential, and not shown`, {
    rules: ['sdk.errors-hide-the-credential'],
  }, () => {
    assert.throws(
      () => new Hub({ url: 'https://hub.example.com', credential: credential as string }),
      (err) => err instanceof TypeError && !/secret/.test(err.message),
    )
  })
}

test('a key that no header can carry is a mistake of the caller, before anything is sent', async (t) => {
  const { hub, received } = await startServer(t, [SENT])

  await assert.rejects(hub.messages.send(CHANNEL, TEXT, { idempotencyKey: 'pão\nquente' }), TypeError)
  assert.equal(received.length, 0)
})

test('a refusal is an error with its code, status, request id and details', async (t) => {
  const details = { quota: 'channels', limit: 2, used: 2 }
  const { hub, received } = await startServer(t, [error(403, 'QUOTA_EXCEEDED', {}, details)])

  const refused = await rejectionOf(hub.channels.create({ name: 'Padaria' }), HubApiError)

  assert.deepEqual(
    [refused.name, refused.code, refused.status, refused.requestId, refused.message],
    ['HubApiError', 'QUOTA_EXCEEDED', 403, 'r-1', 'Because.'],
  )
  assert.ok(refused instanceof HubError && refused.is('QUOTA_EXCEEDED') && !refused.is('NOT_FOUND'))
  assert.equal(refused.details.limit, 2)
  assert.equal(received.length, 1)
})

test('a send has a key of its own, which all of its attempts share', {
  rules: ['sdk.attempts-share-one-key'],
}, async (t) => {
  const { hub, received } = await startServer(t, [
    error(429, 'RATE_LIMITED', AT_ONCE),
    error(502, 'UPSTREAM_UNAVAILABLE', AT_ONCE),
    SENT,
  ])

  const { message } = await hub.messages.send(CHANNEL, TEXT)
  await hub.messages.send(CHANNEL, TEXT)
  await hub.messages.send(CHANNEL, TEXT, { idempotencyKey: 'order-4711' })

  assert.equal(message.id, 'm-1')
  const [first, second, third, other, own] = received.map(({ headers }) => headers['idempotency-key'])
  assert.match(String(first), /^[0-9a-f]{32}$/)
  assert.deepEqual([second, third], [first, first])
  assert.notEqual(other, first)
  assert.equal(own, 'order-4711')
})

test('an unknown result of a send is not retried, and names the message and the key', {
  rules: ['sdk.unknown-send-is-never-retried'],
}, async (t) => {
  const { hub, received } = await startServer(t, [
    error(409, 'SEND_RESULT_UNKNOWN', AT_ONCE, { message_id: 'm-7' }),
    SENT,
  ])

  const unknown = await rejectionOf(hub.messages.send(CHANNEL, TEXT), HubApiError)

  assert.equal(received.length, 1)
  assert.equal(unknown.idempotencyKey, received[0]?.headers['idempotency-key'])
  assert.equal(unknown.is('SEND_RESULT_UNKNOWN') && unknown.details.message_id, 'm-7')
})

test('a send whose response is lost is repeated with the same key, through "in progress" to its result', {
  rules: ['sdk.attempts-share-one-key'],
}, async (t) => {
  const { hub, received } = await startServer(t, [reset, error(409, 'OPERATION_IN_PROGRESS', AT_ONCE), SENT])

  const { message } = await hub.messages.send(CHANNEL, TEXT)

  assert.equal(message.id, 'm-1')
  assert.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 1)
})

test('a creation whose response is lost is not repeated', {
  rules: ['sdk.repeats-only-without-second-effect'],
}, async (t) => {
  const { hub, received } = await startServer(t, [reset])

  const broken = await rejectionOf(hub.channels.create({ name: 'Padaria' }), HubConnectionError)

  assert.deepEqual([broken.code, broken.status, broken.isSent], ['CONNECTION_FAILED', null, true])
  assert.equal(received.length, 1)
})

test('a creation that reached no server is retried, and then fails as not sent', async (t) => {
  const { url, server } = await startServer(t, [hang])
  server.close()
  await once(server, 'close')
  let attempts = 0
  const counted: typeof fetch = (...request) => {
    attempts += 1
    return fetch(...request)
  }
  const hub = new Hub({ url, fetch: counted, retries: 1 })

  const unsent = await rejectionOf(hub.channels.create({ name: 'Padaria' }), HubConnectionError)

  assert.deepEqual([unsent.isSent, attempts], [false, 2])
})

// Deno's errors have a message and no code.
const DENO_ERRORS: [string, boolean][] = [
  [
    'for url (http://127.0.0.1:1/api/v1/channels): client error (Connect): tcp connect error: Connection refused (os error 111)',
    false,
  ],
  [
    'for url (https://hub.example.com/): client error (Connect): dns error: failed to lookup address information',
    false,
  ],
  [
    'for url (http://127.0.0.1:1/): error trying to connect: tcp connect error: Connection refused (os error 61)',
    false,
  ],
  [
    'from 127.0.0.1:50472 for http://hub.example.com/ (127.0.0.1:80): client error (SendRequest): connection error: Connection reset by peer (os error 54)',
    true,
  ],
  ['for url (http://hub.example.com/client%20error%20(Connect):): client error (SendRequest): connection closed', true],
]

test('in Deno, too, a connection that was never made is distinguished from one that broke', {
  rules: ['sdk.unmade-connection-is-not-sent'],
}, async () => {
  for (const [text, isSent] of DENO_ERRORS) {
    const fails = () => Promise.reject(new TypeError(`error sending request ${text}`))
    const hub = new Hub({ url: 'http://127.0.0.1:1', fetch: fails, retries: 0 })

    const failed = await rejectionOf(hub.channels.create({ name: 'Padaria' }), HubConnectionError)

    assert.equal(failed.isSent, isSent, text)
  }
})

test('a creation is retried where the hub refused before it changed anything', {
  rules: ['sdk.repeats-only-without-second-effect'],
}, async (t) => {
  const { hub, received } = await startServer(t, [
    error(503, 'OVERLOADED', AT_ONCE),
    json(201, { data: { channel: { id: CHANNEL } } }),
  ])

  await hub.channels.create({ name: 'Padaria' })

  assert.deepEqual(
    received.map(({ body }) => body),
    ['{"name":"Padaria"}', '{"name":"Padaria"}'],
  )
})

test('two retries are made, or as many as the caller says', { rules: ['sdk.repeats-twice'] }, async (t) => {
  const { hub, received } = await startServer(t, [error(503, 'NOT_READY', AT_ONCE)])

  await rejectionOf(hub.channels.get(CHANNEL), HubApiError)
  assert.equal(received.length, 3)
  await rejectionOf(hub.channels.get(CHANNEL, { retries: 0 }), HubApiError)
  assert.equal(received.length, 4)
})

test('a wait of more than a minute is left to the caller', { rules: ['sdk.repeats-twice'] }, async (t) => {
  const { hub, received } = await startServer(t, [error(429, 'RATE_LIMITED', { 'retry-after': '3600' })])

  const limited = await rejectionOf(hub.webhooks.test(CHANNEL), HubApiError)

  assert.deepEqual([limited.code, received.length], ['RATE_LIMITED', 1])
})

test("a proxy's page is an error with the status and how the page begins", async (t) => {
  const { hub, received } = await startServer(t, [html(502, { ...AT_ONCE, 'x-request-id': 'r-9' })])

  const read = await rejectionOf(hub.channels.get(CHANNEL), HubResponseError)
  const created = await rejectionOf(hub.channels.create({ name: 'Padaria' }), HubResponseError)

  assert.deepEqual([read.code, read.status, read.requestId], ['UNREADABLE_RESPONSE', 502, 'r-9'])
  assert.deepEqual(read.details, { body: '<html>Bad Gateway</html>' })
  assert.equal(created.status, 502)
  assert.equal(received.length, 3 + 1)
})

const UNREADABLE: [string, Parameters<typeof startServer>[1][number]][] = [
  ['a page in place of a result', html(200, AT_ONCE)],
  ['an empty body', (response) => response.writeHead(200, AT_ONCE).end()],
  ['half a JSON', (response) => response.writeHead(200, AT_ONCE).end('{"data":{"channel":')],
  ['a result without data', json(200, { channel: {} }, AT_ONCE)],
  ['data that is null', json(200, { data: null }, AT_ONCE)],
  ['data that is a text', json(200, { data: 'x' }, AT_ONCE)],
  ['a list', json(200, [], AT_ONCE)],
  ['null', json(200, null, AT_ONCE)],
  ['a number', json(200, 7, AT_ONCE)],
  ['a redirect', (response) => response.writeHead(301, { location: '/elsewhere' }).end()],
  ['an error without a code', json(400, { error: 'no' })],
  ['an error whose code is a number', json(400, { error: { code: 7, message: 'x' } })],
  ['an error that is null', json(500, { error: null }, AT_ONCE)],
]

for (const [title, respond] of UNREADABLE) {
  test(`${title} is an unreadable response`, { rules: ['sdk.foreign-answer-is-an-error'] }, async (t) => {
    const { hub } = await startServer(t, [respond], { retries: 0 })

    const failed = await rejectionOf(hub.channels.get(CHANNEL), HubResponseError)

    assert.equal(failed.code, 'UNREADABLE_RESPONSE')
  })
}

for (const data of [{}, { channels: null }, { channels: { length: 1 } }, { messages: [] }]) {
  test(`a list is unreadable in ${JSON.stringify(data)}`, async (t) => {
    const { hub } = await startServer(t, [json(200, { data })], { retries: 0 })

    await rejectionOf(hub.channels.list().toArray(), HubResponseError)
  })
}

test('a cursor that is no text ends a list', async (t) => {
  const { hub, received } = await startServer(t, [json(200, { data: { messages: [], next_cursor: 7 } })])

  assert.deepEqual(await hub.messages.list(CHANNEL).toArray(), [])
  assert.equal(received.length, 1)
})

test('a success that is cut is read again, and a creation is not', {
  rules: ['sdk.foreign-answer-is-an-error'],
}, async (t) => {
  const whole = json(200, { data: { channel: { id: CHANNEL } } })
  const { hub, received } = await startServer(t, [cut(200, '{"data":{'), whole, cut(201, '{"data":{')])

  const { channel } = await hub.channels.get(CHANNEL)
  const created = await rejectionOf(hub.channels.create({ name: 'Padaria' }), HubConnectionError)

  assert.equal(channel.id, CHANNEL)
  assert.deepEqual([created.isSent, received.length], [true, 3])
})

test('an unknown code of a newer hub is still an error of the hub', async (t) => {
  const { hub } = await startServer(t, [error(418, 'TEAPOT')])

  const refused = await rejectionOf(hub.channels.get(CHANNEL), HubApiError)

  assert.deepEqual([refused.code as string, refused.status], ['TEAPOT', 418])
})

test('a hub that does not respond in time is a timeout, after which a send has its key', {
  rules: ['sdk.failed-send-has-its-key'],
}, async (t) => {
  const { hub, received } = await startServer(t, [hang], { timeoutMs: 20, retries: 0 })

  const late = await rejectionOf(hub.messages.send(CHANNEL, TEXT), HubTimeoutError)

  assert.deepEqual([late.code, late.isSent], ['TIMEOUT', true])
  assert.ok(received.length === 0 || received[0]?.headers['idempotency-key'] === late.idempotencyKey)
})

test('a body that does not end in time is a timeout too', async (t) => {
  const { hub } = await startServer(t, [(response) => response.writeHead(200).write('{')], {
    timeoutMs: 200,
    retries: 0,
  })

  await rejectionOf(hub.channels.get(CHANNEL), HubTimeoutError)
})

test('an infinite time and a number of retries that is none do no harm', async (t) => {
  const { hub, received } = await startServer(t, [
    json(200, { data: { channel: { id: CHANNEL } } }),
    error(503, 'NOT_READY', AT_ONCE),
  ])

  await hub.channels.get(CHANNEL, { timeoutMs: Number.POSITIVE_INFINITY })
  await rejectionOf(hub.channels.get(CHANNEL, { retries: Number.NaN }), HubApiError)

  assert.equal(received.length, 2)
})

test("a caller's signal ends a request that is under way, with the signal's reason", {
  rules: ['sdk.signal-ends-a-request'],
}, async (t) => {
  const controller = new AbortController()
  const reason = new Error('The user left')
  const { hub, received } = await startServer(t, [() => controller.abort(reason)])

  await assert.rejects(hub.channels.get(CHANNEL, { signal: controller.signal }), reason)
  assert.equal(received.length, 1)
})

test("a caller's signal ends the wait before a retry", { rules: ['sdk.signal-ends-a-request'] }, async (t) => {
  const controller = new AbortController()
  const { hub, received } = await startServer(t, [
    (response, request) => {
      error(429, 'RATE_LIMITED', { 'retry-after': '60' })(response, request)
      response.once('close', () => setImmediate(() => controller.abort()))
    },
  ])

  await assert.rejects(hub.channels.get(CHANNEL, { signal: controller.signal }), { name: 'AbortError' })
  assert.equal(received.length, 1)
})

test('a signal of the client ends its requests, but for those with a signal of their own', async (t) => {
  const controller = new AbortController()
  const whole = json(200, { data: { channel: { id: CHANNEL } } })
  const { hub, received } = await startServer(t, [() => controller.abort(), whole], { signal: controller.signal })

  await assert.rejects(hub.channels.get(CHANNEL), { name: 'AbortError' })
  await assert.rejects(hub.channels.get(CHANNEL), { name: 'AbortError' })
  await hub.channels.get(CHANNEL, { signal: AbortSignal.timeout(60_000) })

  assert.equal(received.length, 2)
})

test('a signal that is aborted already sends nothing', async (t) => {
  const { hub, received } = await startServer(t, [hang])

  await assert.rejects(hub.channels.create({ name: 'x' }, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  assert.equal(received.length, 0)
})

test('a redirect is not followed, so that the credential reaches no other host', {
  rules: ['sdk.redirect-is-not-followed'],
}, async (t) => {
  const other = await startServer(t, [json(200, { data: { channel: {} } })])
  const { hub } = await startServer(t, [
    (response) => response.writeHead(307, { location: `${other.url}/api/v1/channels/x` }).end(),
  ])

  await rejectionOf(hub.channels.get(CHANNEL), HubResponseError)
  await rejectionOf(hub.messages.send(CHANNEL, TEXT), HubResponseError)

  assert.equal(other.received.length, 0)
})

test('an answer without an end is given up, and is not kept', {
  rules: ['sdk.large-answer-is-given-up'],
}, async (t) => {
  const chunk = Buffer.alloc(1024 * 1024, ' ')
  const endless: Parameters<typeof startServer>[1][number] = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', write)
    write()
  }
  const { hub } = await startServer(t, [endless], { retries: 0 })

  const failed = await rejectionOf(hub.channels.get(CHANNEL), HubResponseError)

  assert.match(failed.message, /longer than 64 MiB/)
})

test('no error shows the credential', { rules: ['sdk.errors-hide-the-credential'] }, async (t) => {
  const { hub } = await startServer(t, [reset, html(500), error(401, 'UNAUTHORIZED')], { retries: 0 })

  for (let call = 0; call < 3; call += 1) {
    const failed = await rejectionOf(hub.channels.get(CHANNEL), HubError)

    assert.doesNotMatch(JSON.stringify(failed) + failed.stack + String(failed.cause), new RegExp(CREDENTIAL))
  }
})
