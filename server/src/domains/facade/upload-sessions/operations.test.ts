import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRawConnection } from '../../../../test/raw-http.ts'
import { CHANNEL_TOKEN_SCOPES } from '../../auth/scopes.ts'
import { FILES } from '../../media/test/files.ts'
import { TEMPLATE } from '../test/fixture.ts'
import { createGraphClient, startGraph, startRelayedGraph, toGraphCodes } from '../test/graph.ts'

type Graph = Awaited<ReturnType<typeof startGraph>>
type GraphClient = Pick<Graph, 'client'>['client']

const PNG = Buffer.from(FILES.png!.bytes)
const MISSING = [400, 100, 33]
const APP = '1234567890'

function announce(client: Pick<GraphClient, 'send'>, file: Record<string, string> = {}) {
  const query = { file_name: 'a.png', file_length: String(PNG.length), file_type: 'image/png', ...file }
  return client.send('POST', `/graph/v25.0/${APP}/uploads?${new URLSearchParams(query)}`)
}

async function open(client: GraphClient, file?: Record<string, string>): Promise<string> {
  const answer = await announce(client, file)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

function fill(
  client: GraphClient,
  id: string,
  raw: Uint8Array<ArrayBuffer> = PNG,
  headers: Record<string, string> = {},
) {
  return client.send('POST', `/graph/v25.0/${id}`, { raw, headers: { file_offset: '0', ...headers } })
}

test('a file that is uploaded in two steps gets a handle that a template can use', {
  rules: ['graph.uploads-give-a-handle'],
}, async (t) => {
  const { client, waba, upstreamCalls } = await startGraph(t)

  const id = await open(client)
  const offset = await client.get(`/graph/v25.0/${id}`)
  const { status, body } = await fill(client, id)

  assert.match(id, /^upload:[\w-]{43}$/)
  assert.deepEqual(offset.body, { id, file_offset: 0 })
  assert.deepEqual([status, Object.keys(body)], [200, ['h']])
  const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [body.h] } }
  const template = { ...TEMPLATE, components: [header, ...TEMPLATE.components] }
  assert.equal((await client.post(`${waba}/message_templates`, template)).status, 200)
  // The upstream's session is opened by the hub, with the length and type of the bytes.
  const [session] = await upstreamCalls()
  assert.deepEqual([session?.params.file_length, session?.params.file_type], [String(PNG.length), 'image/png'])
})

for (const type of [
  'application/x-www-form-urlencoded',
  'application/json',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  'image/png',
  'nonsense',
]) {
  test(`the bytes of a file are taken as they are with the content type ${type}, and with OAuth`, {
    rules: ['graph.uploads-give-a-handle'],
  }, async (t) => {
    const { client } = await startGraph(t)
    const id = await open(client)

    const { status, text } = await fill(client, id, PNG, {
      'content-type': type,
      authorization: `OAuth ${client.token}`,
    })

    assert.equal(status, 200, text)
  })
}

test('bytes in chunks, without a length and a content type, are taken', {
  rules: ['graph.uploads-give-a-handle'],
}, async (t) => {
  const { client, hub } = await startGraph(t)
  const id = await open(client)
  const connection = await openRawConnection(hub.url)
  const head = [
    `POST /graph/${id} HTTP/1.1`,
    'Host: hub',
    `Authorization: OAuth ${client.token}`,
    'Transfer-Encoding: chunked',
    'Connection: close',
    '\r\n',
  ]
  connection.write(head.join('\r\n'))
  for (const part of [PNG.subarray(0, 20), PNG.subarray(20), Buffer.alloc(0)]) {
    connection.write(`${part.length.toString(16)}\r\n`)
    connection.write(part)
    connection.write('\r\n')
  }

  assert.equal((await connection.answer()).status, 200)
})

test('a missing offset is the start, and any other offset than 0 is refused', {
  rules: ['graph.uploads-give-a-handle'],
}, async (t) => {
  const { client } = await startGraph(t)
  const id = await open(client)

  for (const offset of ['1', '-1', '0x0', 'a', '00', '']) {
    assert.deepEqual(toGraphCodes(await fill(client, id, PNG, { file_offset: offset })), [400, 100], offset)
  }
  assert.equal((await client.send('POST', `/graph/${id}`, { raw: PNG })).status, 200)
})

test('a session ends with its upload', { rules: ['graph.upload-session-is-open-an-hour'] }, async (t) => {
  const { client } = await startGraph(t)
  const id = await open(client)
  assert.equal((await fill(client, id)).status, 200)

  assert.deepEqual(toGraphCodes(await fill(client, id)), MISSING)
  assert.deepEqual(toGraphCodes(await client.get(`/graph/${id}`)), MISSING)
})

test('a file of another type or size than allowed or announced is refused by its bytes, and its session ends', {
  rules: ['graph.uploads-give-a-handle', 'graph.upload-session-is-open-an-hour'],
}, async (t) => {
  const { client, upstreamCalls } = await startGraph(t)
  for (const bytes of [Buffer.from('MZ executable'), Buffer.alloc(0), PNG.subarray(0, -1), Buffer.concat([PNG, PNG])]) {
    const id = await open(client)

    assert.deepEqual(toGraphCodes(await fill(client, id, bytes)), [400, 100], String(bytes.length))
    assert.deepEqual(toGraphCodes(await client.get(`/graph/${id}`)), MISSING)
  }
  assert.deepEqual(await upstreamCalls(), [])
})

for (const [what, file] of [
  ['no length', { file_length: '' }],
  ['a negative length', { file_length: '-1' }],
  ['a length of 0', { file_length: '0' }],
  ['a length that is no number', { file_length: '1e3' }],
  ['an image that is too large', { file_length: String(5 * 2 ** 20 + 1) }],
  [
    'a file that is larger than any type allows',
    { file_length: String(100 * 2 ** 20 + 1), file_type: 'application/pdf' },
  ],
  ['a type that has no handles', { file_type: 'image/webp' }],
] as const) {
  test(`a session for ${what} is refused`, { rules: ['graph.uploads-give-a-handle'] }, async (t) => {
    const { client } = await startGraph(t)

    assert.deepEqual(toGraphCodes(await announce(client, file)), [400, 100])
  })
}

test('the announcement may be a JSON body or a form, and hostile names do not matter', {
  rules: ['graph.uploads-give-a-handle'],
}, async (t) => {
  const { client, upstreamCalls } = await startGraph(t)
  const names = ['../../etc/passwd', 'a'.repeat(5000), '\u0001\n"', 'ção.png']

  for (const file_name of names) {
    const body = { file_name, file_length: PNG.length, file_type: 'image/jpg', session_type: 'attachment' }
    const answer = await client.post(`/graph/${APP}/uploads`, body)
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await fill(client, answer.body.id)).status, 200)
  }
  const form = new URLSearchParams({ file_length: String(PNG.length) }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await client.send('POST', `/graph/${APP}/uploads`, { raw: form, headers })).status, 200)
  const inQuery = await open(client, { file_name: '\u0007\ud83d.png' })
  assert.equal((await fill(client, inQuery)).status, 200)
  assert.equal((await upstreamCalls()).length, 2 * names.length + 2)
})

test('a channel has at most five open sessions, also if many are opened at once', {
  rules: ['graph.upload-session-is-open-an-hour'],
}, async (t) => {
  const { client, hub } = await startGraph(t)

  const answers = await Promise.all(Array.from({ length: 12 }, () => announce(client)))

  const opened = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status !== 200)
  assert.equal(opened.length, 5)
  for (const answer of refused) {
    assert.deepEqual(toGraphCodes(answer), [429, 80007])
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  assert.equal((await fill(client, opened[0]?.body.id)).status, 200)
  assert.equal((await announce(client)).status, 200)
  assert.equal((await announce(client)).status, 429)
  await hub.clock.advance('61 minutes')
  assert.equal((await announce(client)).status, 200)
})

test('the sessions of a replaced token do not count: its successor opens five', {
  rules: ['graph.upload-session-ends-with-its-token'],
}, async (t) => {
  const { client, acme, channel, hub } = await startGraph(t)
  for (let i = 0; i < 5; i++) await open(client)
  const replaced = await acme.post(`/api/v1/channels/${channel.id}/regenerate-token`)
  const next = hub.anonymous.with({ authorization: `Bearer ${replaced.body.data.token}` })

  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await announce(next)).status)

  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
})

test('a session expires after an hour', { rules: ['graph.upload-session-is-open-an-hour'] }, async (t) => {
  const { client, hub } = await startGraph(t)
  const id = await open(client)
  await hub.clock.advance('59 minutes')
  assert.equal((await client.get(`/graph/${id}`)).status, 200)

  await hub.clock.advance('2 minutes')

  assert.deepEqual(toGraphCodes(await client.get(`/graph/${id}`)), MISSING)
  assert.deepEqual(toGraphCodes(await fill(client, id)), MISSING)
})

test('a session belongs to its token: another token, channel or organization finds none', {
  rules: ['graph.upload-session-is-open-an-hour'],
}, async (t) => {
  const fixture = await startGraph(t)
  const { client, acme, channel, hub, connect, withScopes } = fixture
  const id = await open(client)
  const second = await createGraphClient(fixture, acme.organizationId, await connect(acme))
  const other = await hub.organization()
  const foreign = await createGraphClient(fixture, other.organizationId, await connect(other))

  for (const caller of [await withScopes(CHANNEL_TOKEN_SCOPES), second.client, foreign.client]) {
    assert.deepEqual(toGraphCodes(await fill(caller, id)), MISSING)
    assert.deepEqual(toGraphCodes(await caller.get(`/graph/${id}`)), MISSING)
  }
  const replaced = await acme.post(`/api/v1/channels/${channel.id}/regenerate-token`)
  assert.equal(replaced.status, 201, replaced.text)
  assert.equal((await fill(client, id)).status, 401)
  const next = hub.anonymous.with({ authorization: `Bearer ${replaced.body.data.token}` })
  assert.deepEqual(toGraphCodes(await next.get(`/graph/${id}`)), MISSING)
})

test('a session needs templates:write or profile:write', { rules: ['graph.uploads-give-a-handle'] }, async (t) => {
  const { withScopes, upstreamCalls } = await startGraph(t)
  const held = CHANNEL_TOKEN_SCOPES.filter((scope) => scope !== 'templates:write' && scope !== 'profile:write')
  const poor = await withScopes(held)

  assert.deepEqual(toGraphCodes(await announce(poor)), [403, 10])
  assert.deepEqual(toGraphCodes(await fill(poor, `upload:${'a'.repeat(43)}`)), [403, 10])
  assert.deepEqual(await upstreamCalls(), [])
  for (const scope of ['templates:write', 'profile:write'] as const) {
    const client = await withScopes([scope])
    assert.equal((await fill(client, await open(client))).status, 200)
  }
})

test('uploads in two steps do not exist at /upstream', {
  rules: ['graph.further-calls-need-their-scope'],
}, async (t) => {
  const { client } = await startGraph(t)
  const id = await open(client)

  assert.equal((await client.send('POST', `/upstream/${APP}/uploads?file_length=5`)).status, 404)
  assert.equal((await client.send('POST', `/upstream/${id}`, { raw: PNG })).status, 404)
  assert.equal((await client.get(`/upstream/${id}`)).status, 404)
})

test('bytes without a token are refused before they are read', {
  rules: ['graph.uploads-give-a-handle'],
}, async (t) => {
  const { hub, client } = await startGraph(t)
  const id = await open(client)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  const raw = Buffer.from(`access_token=${client.token}`)
  const answer = await hub.anonymous.send('POST', `/graph/${id}`, { raw, headers: form })

  assert.deepEqual(toGraphCodes(answer), [401, 190])
})

test('uploads that are interrupted or over a limit leave their session open', {
  rules: ['graph.upload-session-is-open-an-hour'],
}, async (t) => {
  const { client, hub } = await startGraph(t)
  const id = await open(client)
  const held = await Promise.all(Array.from({ length: 5 }, () => openRawConnection(hub.url)))
  for (const connection of held) {
    connection.write(`POST /graph/${id} HTTP/1.1\r\nHost: hub\r\nAuthorization: OAuth ${client.token}\r\n`)
    connection.write(`Content-Length: ${PNG.length}\r\n\r\n`)
    connection.write(PNG.subarray(0, 10))
  }
  // A channel may have four uploads in flight, so the response to the fifth means that the others are.
  const fifth = await Promise.race(held.map((connection) => connection.answer()))

  for (const connection of held) connection.hangUp()
  let last = await fill(client, id)
  while (last.status === 429) last = await fill(client, id)

  assert.deepEqual([fifth.status, fifth.body.error.code], [429, 80007])
  assert.equal(last.status, 200, last.text)
})

test("a failure of the upstream keeps the session, and its refusal of the file keeps Meta's code", {
  rules: ['graph.upstream-refusal-keeps-its-error', 'graph.upload-session-is-open-an-hour'],
}, async (t) => {
  const { client, relay } = await startRelayedGraph(t)
  const id = await open(client)
  const failing = relay.catch('/uploads')
  const first = fill(client, id)
  ;(await failing).respond(503, { 'content-type': 'text/html' }, 'down')
  assert.equal((await first).status, 503)
  assert.equal((await client.get(`/graph/${id}`)).status, 200)

  const refusing = relay.catch('/uploads')
  const second = fill(client, id)
  ;(await refusing).answer(
    400,
    '{"error":{"message":"(#100) no","type":"OAuthException","code":100,"error_subcode":5}}',
  )
  assert.deepEqual(toGraphCodes(await second), [400, 100, 5])
  assert.deepEqual(toGraphCodes(await client.get(`/graph/${id}`)), MISSING)
})
