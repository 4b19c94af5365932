import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakableDatabase } from '../../../../test/breakable-database.ts'
import type { Answer } from '../../../../test/client.ts'
import { assertGraphError } from '../../../../test/error-envelope.ts'
import { bearer, startHub } from '../../../../test/hub.ts'
import { openRawConnection, type RawResponse, sendRaw } from '../../../../test/raw-http.ts'
import { newToken } from '../../../kernel/crypto/tokens.ts'
import { createChannelClient, newContact, startFacade, startRelayedFacade } from '../test/fixture.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const TEXT = { messaging_product: 'whatsapp', type: 'text', text: { body: 'Olá' } }

function toError(answer: Answer | RawResponse): unknown[] {
  assertGraphError(answer)
  const { code, error_subcode } = answer.body.error
  return error_subcode === undefined ? [answer.status, code] : [answer.status, code, error_subcode]
}

test('a token that is missing, of another kind, unknown, repeated or given twice differently is 401 with code 190', {
  rules: ['graph.token-comes-in-one-place'],
}, async (t) => {
  const { hub, acme, channel, client, upstreamCalls } = await startFacade(t)
  const { anonymous } = hub
  const path = `/graph/${channel.number.phoneNumberId}`
  const { token } = channel
  const other = newToken('channel_token')
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const postForm = (fields: string, headers = {}) =>
    anonymous.send('POST', `${path}/messages`, { raw: fields, headers: { ...FORM, ...headers } })

  const answers = {
    missing: await anonymous.get(path),
    'an API key': await acme.get(path),
    'a session': await ana.get(path),
    "the upstream's token": await anonymous.with(bearer(channel.number.accessToken)).get(path),
    'an unknown token': await anonymous.with(bearer(other)).get(path),
    'another scheme': await anonymous.with({ authorization: `Basic ${token}` }).get(path),
    'twice in the query': await anonymous.get(`${path}?access_token=${token}&access_token=${token}`),
    'twice, once misspelled': await anonymous.get(`${path}?access_token=${token}&ACCESS_TOKEN=${token}`),
    'header and query differ': await client.get(`${path}?access_token=${other}`),
    'header and form differ': await postForm(`access_token=${other}`, bearer(token)),
    'query and form differ': await anonymous.send('POST', `${path}/messages?access_token=${token}`, {
      raw: `access_token=${other}`,
      headers: FORM,
    }),
    'twice in a form': await postForm(`access_token=${token}&access_token=${token}`),
    'a list in a form': await postForm(`access_token[]=${token}`),
    'an empty form': await postForm(''),
    'in JSON': await anonymous.post(`${path}/messages`, { ...TEXT, to: newContact(), access_token: token }),
    'under another name': await client.get(`${path}?fields=id&token=${token}`),
    'in another parameter': await client.get(`${path}?fields=id;${token}`),
    'beside many fields': await postForm(`access_token=${token}&access_token=${other}&${'a=1&'.repeat(900)}`),
  }

  for (const [what, answer] of Object.entries(answers)) {
    assert.deepEqual(toError(answer), [401, 190], what)
    for (const secret of [token, other]) assert.ok(!answer.text.includes(secret), what)
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test('two Authorization headers are 401 with code 190, whichever comes first', {
  rules: ['graph.token-comes-in-one-place'],
}, async (t) => {
  const { hub, channel } = await startFacade(t)
  const own = `Authorization: Bearer ${channel.token}`
  const head = `GET /graph/${channel.number.phoneNumberId} HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n`

  for (const other of [own, `Authorization: Bearer ${newToken('channel_token')}`, 'authorization: Basic eDp5']) {
    for (const headers of [`${own}\r\n${other}`, `${other}\r\n${own}`]) {
      assert.deepEqual(toError(await sendRaw(hub.url, `${head}${headers}\r\n\r\n`)), [401, 190], headers)
    }
  }
})

test('GRAPH_QUERY_TOKENS=off refuses tokens in the query and in a form, also beside the header', {
  rules: ['graph.query-tokens-can-be-refused'],
}, async (t) => {
  const { hub, channel, client } = await startFacade(t, { env: { GRAPH_QUERY_TOKENS: 'off' } })
  const path = `/graph/${channel.number.phoneNumberId}`
  const raw = `access_token=${channel.token}`

  const refused = [
    await hub.anonymous.get(`${path}?${raw}`),
    await client.get(`${path}?${raw}`),
    await hub.anonymous.send('POST', `${path}/messages`, { raw, headers: FORM }),
    await client.send('POST', `${path}/messages`, { raw, headers: FORM }),
  ]
  const allowed = await client.get(path)

  for (const answer of refused) assert.deepEqual(toError(answer), [401, 190])
  assert.equal(allowed.status, 200)
})

test('a refusal of the hub at /graph has the status and the code that Meta would use', {
  rules: ['graph.failure-is-metas-error-object'],
}, async (t) => {
  const { hub, acme, channel, client, connect, move } = await startFacade(t)
  const { phoneNumberId, wabaId } = channel.number
  const path = `/graph/${phoneNumberId}`
  const big = 'x'.repeat(1024 * 1024)
  const lost = await connect(acme)
  await move(acme, lost, 'BANNED')
  const disconnected = createChannelClient({ hub }, lost).client

  const answers: [string, Answer, unknown[]][] = [
    ['an unknown id', await client.get('/graph/1'), [400, 100, 33]],
    ['an unknown path', await client.get('/graph/me/accounts'), [400, 100, 33]],
    ['an unknown edge', await client.post(`${path}/register`, { pin: '123456' }), [400, 100, 33]],
    ['the root', await hub.anonymous.get('/graph'), [400, 100, 33]],
    ['a page', await hub.anonymous.get('/graph', { headers: { accept: 'text/html' } }), [400, 100, 33]],
    ['another method', await client.put(path, {}), [400, 100, 33]],
    ['an escaped path', await client.get(`/%67raph/${phoneNumberId}`), [400, 100, 33]],
    ['a malformed address', await client.get('/graph/%zz'), [400, 100]],
    ['a NUL', await client.get(`${path}?fields=%00`), [400, 100]],
    ['a repeated parameter', await client.get(`${path}?fields=id&fields=id`), [400, 100]],
    ['another media type', await client.send('POST', `${path}/messages`, { raw: 'x' }), [400, 100]],
    ['no JSON', await client.send('POST', `${path}/messages`, { raw: '{', headers: JSON_TYPE }), [400, 100]],
    ['a large body', await client.post(`${path}/messages`, { big }), [400, 100]],
    ['a form without a file', await client.post(`${path}/media`, {}), [400, 100]],
    ['a bad report', await client.get(`/graph/${wabaId}?fields=pricing_analytics.dimensions(PHONE)`), [400, 100]],
    ['a lost number', await disconnected.get(`/graph/${lost.number.phoneNumberId}`), [400, 133010]],
  ]

  for (const [what, answer, expected] of answers) {
    assert.deepEqual(toError(answer), expected, what)
    assert.equal(answer.body.error.fbtrace_id, answer.headers.get('x-request-id'), what)
  }
})

const JSON_TYPE = { 'content-type': 'application/json' }

test('limits at /graph are 429 with the code of the number, the channel or the address, and Retry-After', {
  rules: ['graph.limits-have-metas-codes'],
}, async (t) => {
  const { hub, acme, channel, client } = await startFacade(t, { env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  const path = `/graph/${channel.number.phoneNumberId}`
  const address = '203.0.113.9'
  await hub.sql`
    insert into rate_limits (bucket, subject, used, window_ends_at)
    values ('facade', ${`${acme.organizationId}:${channel.id}`}, 1000, hub_now() + interval '1 hour'),
           ('sends', ${`${acme.organizationId}:${channel.id}`}, 1000, hub_now() + interval '1 hour'),
           ('public', ${address}, 1000, hub_now() + interval '1 hour')
    on conflict (bucket, subject) do update set used = excluded.used, window_ends_at = excluded.window_ends_at`

  const send = await client.post(`${path}/messages`, { ...TEXT, to: newContact() })
  const read = await client.get(path)
  const form = await hub.anonymous.send('POST', `${path}/messages`, {
    raw: `access_token=${channel.token}`,
    headers: { ...FORM, 'x-forwarded-for': address },
  })

  assert.deepEqual([send, read, form].map(toError), [
    [429, 130429],
    [429, 80007],
    [429, 4],
  ])
  for (const { headers } of [send, read, form]) assert.ok(Number(headers.get('retry-after')) > 0)
})

test("the upstream's refusals and throttles keep their status and every member of their error", {
  rules: ['graph.upstream-refusal-keeps-its-error'],
}, async (t) => {
  const { relay, channel, client } = await startRelayedFacade(t)
  const path = `/graph/${channel.number.phoneNumberId}`
  const errors = [
    {
      status: 404,
      error: {
        message: '(#132001) Template name does not exist in the translation',
        type: 'OAuthException',
        code: 132001,
        error_data: { messaging_product: 'whatsapp', details: 'template name (x) does not exist in pt_BR' },
        fbtrace_id: 'Az8',
      },
    },
    {
      status: 400,
      error: {
        message: 'Invalid parameter',
        type: 'OAuthException',
        code: 100,
        error_subcode: 2388024,
        is_transient: false,
        error_user_title: 'Content in this language already exists',
        error_user_msg: 'Use another name.',
        fbtrace_id: 'Bz9',
      },
    },
    {
      status: 400,
      error: { message: '(#130429) Rate limit hit', type: 'OAuthException', code: 130429, fbtrace_id: 'C' },
    },
  ]

  for (const { status, error } of errors) {
    const caught = relay.catch('/messages')
    const sending = client.post(`${path}/messages`, { ...TEXT, to: newContact() })
    ;(await caught).answer(status, JSON.stringify({ error }))
    const answer = await sending
    assert.deepEqual([answer.status, answer.body], [status, { error }])
  }
})

for (const code of [190, 102, 10, 200]) {
  test(`the upstream's ${code} is 503 with code 2 and says to connect the number again`, {
    rules: ['graph.dead-credential-is-503'],
  }, async (t) => {
    const { relay, channel, client } = await startRelayedFacade(t)

    const caught = relay.catch(channel.number.phoneNumberId)
    const reading = client.get(`/graph/${channel.number.phoneNumberId}`)
    const error = { message: 'no', type: 'OAuthException', code, fbtrace_id: 'A' }
    ;(await caught).answer(401, JSON.stringify({ error }))
    const answer = await reading

    assert.deepEqual(toError(answer), [503, 2])
    assert.equal(answer.body.error.is_transient, false)
    assert.match(answer.body.error.message, /The number must be connected again\./)
  })
}

test('a send whose outcome is unknown is 400 with code 135000 and names the message', {
  rules: ['graph.unknown-send-is-135000'],
}, async (t) => {
  const { channel, client, fault, liftFaults, log } = await startFacade(t)
  const path = `/graph/${channel.number.phoneNumberId}/messages`

  for (const [kind, more] of [
    ['error_after', { code: 131000 }],
    ['reset_after', {}],
    ['garbled_after', {}],
  ] as const) {
    await fault(kind, '/messages', { times: 1, ...more })
    const answer = await client.post(path, { ...TEXT, to: newContact() })
    await liftFaults()
    const [message] = await log()

    assert.deepEqual(toError(answer), [400, 135000], kind)
    assert.equal(answer.body.error.is_transient, false)
    assert.equal(
      answer.body.error.error_data.details,
      `The message may have been sent. Do not send it again: look it up under ${message?.id}`,
    )
  }
})

test('a send that was certainly not sent is 500 with code 131000 and transient, and a failed read 503 with code 2', {
  rules: ['graph.certain-failure-is-transient'],
}, async (t) => {
  const { relay, channel, client } = await startRelayedFacade(t)
  const path = `/graph/${channel.number.phoneNumberId}`
  const error = { message: '(#131016) Service unavailable', type: 'OAuthException', code: 131016, fbtrace_id: 'A' }

  const caught = relay.catch('/messages')
  const sending = client.post(`${path}/messages`, { ...TEXT, to: newContact() })
  ;(await caught).answer(503, JSON.stringify({ error }))
  const sent = await sending
  const reads = [relay.catch('profile'), relay.catch('profile'), relay.catch('profile')]
  const reading = client.get(`${path}/whatsapp_business_profile`)
  for (const read of reads) (await read).answer(503, '<html>')
  const read = await reading

  assert.deepEqual([toError(sent), sent.body.error.is_transient], [[500, 131000], true])
  assert.deepEqual([toError(read), read.body.error.is_transient], [[503, 2], true])
})

test('an upstream that quotes the tokens in its error does not make the hub show them', {
  rules: ['graph.tokens-leak-nowhere'],
}, async (t) => {
  const { relay, channel, client } = await startRelayedFacade(t)
  const { accessToken, phoneNumberId } = channel.number

  const caught = relay.catch('/messages')
  const sending = client.post(`/graph/${phoneNumberId}/messages`, { ...TEXT, to: newContact() })
  const quoted = { message: `Bad ${accessToken}`, error_user_msg: accessToken, error_data: { details: accessToken } }
  ;(await caught).answer(400, JSON.stringify({ error: { ...quoted, type: 'OAuthException', code: 100 } }))
  const answer = await sending

  assert.equal(answer.status, 400)
  assert.ok(!answer.text.includes(accessToken))
})

test('an error of the upstream whose data is nested thousands of levels deep is kept without that data', {
  rules: ['facade.deep-error-data-is-left-out'],
}, async (t) => {
  const { relay, client, phone } = await startRelayedFacade(t)
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  const paths = { [phone.replace('/upstream', '/graph')]: [400, 131009], [phone]: [400, 'UPSTREAM_REJECTED'] }

  for (const [path, expected] of Object.entries(paths)) {
    const caught = relay.catch('/messages')
    const sending = client.post(`${path}/messages`, { ...TEXT, to: newContact() })
    ;(await caught).answer(
      400,
      `{"error":{"message":"Bad","type":"OAuthException","code":131009,"error_data":${deep}}}`,
    )
    const { status, body } = await sending

    assert.deepEqual([status, body.error.code, body.error.error_data], [...expected, undefined])
  }
})

test('a request to /graph whose headers are too large or whose body is no HTTP fails as at Meta', {
  rules: ['graph.failure-is-metas-error-object'],
}, async (t) => {
  const { hub, channel } = await startFacade(t)
  const head = `POST /graph/${channel.number.phoneNumberId}/messages HTTP/1.1\r\nHost: hub\r\n`
  const authorization = `Authorization: Bearer ${channel.token}\r\n`

  const large = await sendRaw(hub.url, `${head}X-Long: ${'x'.repeat(40_000)}\r\n\r\n`)
  const chunked = await openRawConnection(hub.url)
  chunked.write(`${head}${authorization}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`)
  const elsewhere = await sendRaw(hub.url, `GET /upstream/1 HTTP/1.1\r\nHost: hub\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)

  assert.deepEqual(toError(large), [400, 100])
  assert.deepEqual(toError(await chunked.answer()), [400, 100])
  assert.deepEqual([elsewhere.status, elsewhere.body.error.code], [431, 'HEADERS_TOO_LARGE'])
})

test('a token that is revoked while its form arrives is 401, and nothing is sent', {
  rules: ['graph.token-revoked-meanwhile-is-refused'],
}, async (t) => {
  const { hub, acme, channel, upstreamCalls } = await startFacade(t)
  const form = new URLSearchParams({
    access_token: channel.token,
    to: newContact(),
    text: JSON.stringify({ body: 'x' }),
  })
  const head = [
    `POST /graph/${channel.number.phoneNumberId}/messages HTTP/1.1`,
    'Host: hub',
    `Content-Type: ${FORM['content-type']}`,
    'Transfer-Encoding: chunked',
    'Connection: close',
    '\r\n',
  ]
  const connection = await openRawConnection(hub.url)
  connection.write(head.join('\r\n'))
  for (const part of [`${form}`.slice(0, 80), `${form}`.slice(80)]) {
    connection.write(`${part.length.toString(16)}\r\n${part}\r\n`)
  }

  await acme.post(`/api/v1/channels/${channel.id}/revoke-token`)
  connection.write('0\r\n\r\n')
  const answer = await connection.answer()

  assert.deepEqual(toError(answer), [401, 190])
  assert.deepEqual(await upstreamCalls(), [])
})

test('a suspended organization is 403 with code 368 at a send', {
  rules: ['graph.failure-is-metas-error-object'],
}, async (t) => {
  const { client, channel, acme, hub } = await startFacade(t, { env: { BILLING: 'sandbox' } })
  await hub.sql`
    insert into subscriptions (organization_id, status) values (${acme.organizationId}, 'suspended')
    on conflict (organization_id) do update set status = excluded.status`

  const refused = await client.post(`/graph/${channel.number.phoneNumberId}/messages`, { ...TEXT, to: newContact() })

  assert.deepEqual(toError(refused), [403, 368])
})

test('without a database every request to /graph is 503 with code 2', {
  rules: ['graph.failure-is-metas-error-object'],
}, async (t) => {
  const { sql, stop } = await breakableDatabase(t)
  const hub = await startHub(t, { installation: { sql } })
  const token = newToken('channel_token')

  await stop()
  const answers = [
    await hub.anonymous.with(bearer(token)).get('/graph/1'),
    await hub.anonymous.get(`/graph/1?access_token=${token}`),
    await hub.anonymous.send('POST', '/graph/1/messages', { raw: `access_token=${token}`, headers: FORM }),
  ]

  for (const answer of answers) {
    assert.deepEqual(toError(answer), [503, 2])
    assert.equal(answer.headers.get('retry-after'), '1')
  }
})

test('a body that does not arrive in time fails as at Meta', {
  rules: ['graph.failure-is-metas-error-object'],
}, async (t) => {
  const { hub, channel } = await startFacade(t, { timeouts: { request: 100, headers: 100, check: 20 } })
  const head = [
    `POST /graph/${channel.number.phoneNumberId}/messages HTTP/1.1`,
    'Host: hub',
    `Authorization: Bearer ${channel.token}`,
    'Content-Type: application/json',
    'Content-Length: 10',
    '\r\n',
  ]

  const answer = await sendRaw(hub.url, head.join('\r\n'))

  assert.deepEqual(toError(answer), [400, 100])
})

test('a stopping hub refuses requests to /graph with 503 and code 2', {
  rules: ['graph.failure-is-metas-error-object'],
}, async (t) => {
  const { hub, channel, client, relay } = await startRelayedFacade(t)
  const path = `/graph/${channel.number.phoneNumberId}`
  const caught = relay.catch(channel.number.phoneNumberId)
  const open = client.get(path)
  const { proceed } = await caught

  const stopped = hub.stop()
  const refused = await client.get(path)
  proceed()
  const answered = await open
  await stopped

  assert.deepEqual(toError(refused), [503, 2])
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(answered.status, 200)
})
