import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Answer } from '../../../test/client.ts'
import { assertErrorEnvelope } from '../../../test/error-envelope.ts'
import { ECHO } from '../../../test/extension.ts'
import { startHub } from '../../../test/hub.ts'
import { createChannel } from '../../../test/hub-with-upstream.ts'
import { guardedRoutes } from '../../../test/live-routes.ts'
import { openRawConnection, type RawResponse, sendRaw } from '../../../test/raw-http.ts'
import { newId } from '../ids.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const MEBIBYTE = 1024 * 1024

function assertFailure(answer: Answer | RawResponse, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assertErrorEnvelope(answer)
  assert.deepEqual(Object.keys(answer.body.error), ['code', 'message', 'request_id', 'details'])
  assert.equal(answer.body.error.code, code)
}

/** A valid body of the given length. */
function buildBody(bytes: number): string {
  return `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`
}

test('a JSON body is accepted with any charset parameter', {
  rules: ['api.values-are-not-coerced', 'api.rest-with-json'],
}, async (t) => {
  const { anonymous } = await startHub(t, { extension: ECHO })

  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    const res = await anonymous.send('POST', '/api/v1/echo', { headers: { 'content-type': type }, raw: '{"name":"é"}' })

    assert.equal(res.status, 200)
    assert.deepEqual(res.body, { data: { name: 'é' } })
  }
})

test('a body with another content type, or without one, is 415', {
  rules: ['error.wrong-media-type-is-415', 'api.rest-with-json', 'api.failure-is-one-error-member'],
}, async (t) => {
  const { anonymous, url } = await startHub(t, { extension: ECHO })
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonx', 'json', ',']

  for (const type of types) {
    const res = await anonymous.send('POST', '/api/v1/echo', { headers: { 'content-type': type }, raw: '{"name":"x"}' })
    assertFailure(res, 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
  const untyped = await sendRaw(
    url,
    'POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 12\r\n\r\n{"name":"x"}',
  )
  assertFailure(untyped, 415, 'UNSUPPORTED_MEDIA_TYPE')
})

test('a body with a Content-Encoding other than identity is 415', async (t) => {
  const { anonymous } = await startHub(t, { extension: ECHO })
  const post = (encoding: string, raw: string | Uint8Array<ArrayBuffer>) =>
    anonymous.send('POST', '/api/v1/echo', { headers: { ...JSON_TYPE, 'content-encoding': encoding }, raw })

  const packed = await post('gzip', new Uint8Array(gzipSync('{"name":"x"}')))
  const plain = await post('br', '{"name":"x"}')
  const identity = await post('identity', '{"name":"x"}')

  assertFailure(packed, 415, 'UNSUPPORTED_MEDIA_TYPE')
  assertFailure(plain, 415, 'UNSUPPORTED_MEDIA_TYPE')
  assert.equal(identity.status, 200)
})

// `curl -d ''` sends an empty form.
test('an empty body of any content type counts as no body', {
  rules: ['api.absent-body-counts-as-empty'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.organization()
  const { id } = await createChannel(owner)

  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json']) {
    const empty = { raw: '', headers: { 'content-type': type } }
    const linked = await owner.send('POST', `/api/v1/channels/${id}/connect-link`, empty)
    const created = await owner.send('POST', '/api/v1/channels', empty)

    assert.equal(linked.status, 201, linked.text)
    assertFailure(created, 400, 'INVALID_REQUEST')
    assert.partialDeepStrictEqual(created.body.error.details.issues, [{ path: '/name', message: 'is required' }])
  }
})

// A connection that is closed with unread bytes is reset, and a client that is still sending loses the response.
test('a client that is still sending its upload receives the refusal', {
  rules: ['api.refusal-reaches-a-sending-client'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.organization()
  const upload = { raw: new Uint8Array(4 * MEBIBYTE), headers: { 'content-type': 'multipart/form-data; boundary=x' } }

  for (let tries = 0; tries < 5; tries++) {
    const path = `/api/v1/channels/${newId()}/media`
    assertFailure(await hub.anonymous.send('POST', path, upload), 401, 'UNAUTHORIZED')
    assertFailure(await owner.send('POST', path, upload), 404, 'NOT_FOUND')
  }
})

test('a form is 415 on every route that is not an upload', { rules: ['api.only-uploads-are-multipart'] }, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const takesNoForm = (route: string) =>
    /^(POST|PUT|PATCH) /.test(route) && !/\/(?:media|template-examples)$|\/(?:upstream|graph)\//.test(route)
  const routes = guardedRoutes(hub.app).filter(takesNoForm)
  assert.ok(routes.length > 10)

  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    const raw = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nPadaria\r\n--x--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const ownPath = path.replace('/organizations/:id', `/organizations/${owner.organizationId}`)
    const refused = await owner.send(method, ownPath.replace(/:\w+/g, newId()), { headers, raw })
    assertFailure(refused, 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
})

const MALFORMED: Record<string, string | Uint8Array<ArrayBuffer>> = {
  'malformed JSON': '{"name":',
  'two values': '{"name":"x"}{}',
  'absurd nesting': `{"name":"x","nested":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'a prototype key': '{"name":"x","__proto__":{"count":1}}',
  'a constructor with a prototype': '{"name":"x","nested":{"constructor":{"prototype":{}}}}',
  'a NUL character': '{"name":"x\\u0000"}',
  'a NUL character in a key': '{"name":"x","nested":{"\\u0000":1}}',
  'a lone surrogate': '{"name":"\\ud800"}',
  'a lone surrogate in a key': '{"name":"x","nested":{"\\udfff":1}}',
  'a property twice': '{"name":"x","name":"y"}',
  'an integer that would be rounded': '{"name":"x","nested":[12345678901234567890]}',
  'a number that no number can hold': '{"name":"x","count":1e400}',
  'bytes that are not UTF-8': Uint8Array.from([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')]),
}

for (const [what, raw] of Object.entries(MALFORMED)) {
  test(`a body with ${what} is 400`, async (t) => {
    const { anonymous } = await startHub(t, { extension: ECHO })

    const res = await anonymous.send('POST', '/api/v1/echo', { headers: JSON_TYPE, raw })

    assertFailure(res, 400, 'INVALID_REQUEST')
  })
}

const INVALID: [string, unknown, { path: string; message: string }][] = [
  ['an unknown property', { name: 'x', nmae: 'y' }, { path: '/nmae', message: 'is not a known property' }],
  ['a missing property', {}, { path: '/name', message: 'is required' }],
  ['a number for a string', { name: 5 }, { path: '/name', message: 'must be a string' }],
  ['a string for a number', { name: 'x', count: '5' }, { path: '/count', message: 'must be an integer' }],
  ['null for a string', { name: null }, { path: '/name', message: 'must be a string' }],
  ['a list for an object', [], { path: '', message: 'must be an object' }],
  ['a text for an object', 'x', { path: '', message: 'must be an object' }],
]

for (const [what, body, issue] of INVALID) {
  test(`a body with ${what} is 400, and the issue has its path`, async (t) => {
    const { anonymous } = await startHub(t, { extension: ECHO })

    const res = await anonymous.post('/api/v1/echo', body)

    assertFailure(res, 400, 'INVALID_REQUEST')
    assert.partialDeepStrictEqual(res.body.error.details, { issues: [issue] })
  })
}

test('a null body is 400 if the route expects an object', {
  rules: ['api.invalid-value-is-400-with-issues'],
}, async (t) => {
  const { anonymous } = await startHub(t, { extension: ECHO })

  const res = await anonymous.send('POST', '/api/v1/echo', { headers: JSON_TYPE, raw: 'null' })

  assertFailure(res, 400, 'INVALID_REQUEST')
})

test('a missing or empty body is 400 if the route expects one', {
  rules: ['api.absent-body-counts-as-empty', 'api.invalid-value-is-400-with-issues'],
}, async (t) => {
  const { anonymous } = await startHub(t, { extension: ECHO })

  const missing = await anonymous.post('/api/v1/echo')
  const empty = await anonymous.send('POST', '/api/v1/echo', { headers: JSON_TYPE, raw: '' })

  assertFailure(missing, 400, 'INVALID_REQUEST')
  assertFailure(empty, 400, 'INVALID_REQUEST')
})

test('a route without a body accepts no body or an empty object, and refuses any other', {
  rules: ['api.unknown-properties-are-400', 'api.absent-body-counts-as-empty'],
}, async (t) => {
  const { anonymous } = await startHub(t, { extension: ECHO })

  const accepted = [
    await anonymous.post('/api/v1/silent'),
    await anonymous.send('POST', '/api/v1/silent', { headers: JSON_TYPE, raw: '' }),
    await anonymous.post('/api/v1/silent', {}),
  ]

  assert.deepEqual(
    accepted.map((res) => res.status),
    [200, 200, 200],
  )
  for (const raw of ['{"a":1}', '[]', 'null', '0', '""']) {
    const res = await anonymous.send('POST', '/api/v1/silent', { headers: JSON_TYPE, raw })
    assertFailure(res, 400, 'INVALID_REQUEST')
  }
})

for (const [what, bytesMax, path] of [
  ['without a credential', 16 * 1024, () => '/console/sign-in'],
  ['with a credential', 64 * 1024, () => '/api/v1/api-keys'],
  ['to send a message', MEBIBYTE, () => `/api/v1/channels/${newId()}/messages`],
  ['to create a template', MEBIBYTE, () => `/api/v1/channels/${newId()}/templates`],
] as const) {
  test(`a body of a request ${what} has at most ${bytesMax / 1024} KiB, and one byte more is 413`, {
    rules: ['api.body-size-is-limited', 'error.large-body-is-413'],
  }, async (t) => {
    const hub = await startHub(t)
    const client = what === 'without a credential' ? hub.anonymous : await hub.organization()
    const post = (bytes: number) => client.send('POST', path(), { headers: JSON_TYPE, raw: buildBody(bytes) })

    const largest = await post(bytesMax)
    const larger = await post(bytesMax + 1)

    assertFailure(largest, 400, 'INVALID_REQUEST')
    assertFailure(larger, 413, 'PAYLOAD_TOO_LARGE')
  })
}

// Each error of the validator costs time and memory, and a body of 1 MiB has room for 90,000.
test('a small invalid body gets up to twenty issues, and one of more than a thousand values only the first', {
  rules: ['api.invalid-value-is-400-with-issues'],
}, async (t) => {
  const { anonymous } = await startHub(t, { extension: ECHO })
  const post = (count: number) =>
    anonymous.post('/api/v1/echo', Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, i])))

  const [few, many, most] = [await post(5), await post(1000), await post(15_000)]

  for (const answer of [few, many, most]) assertFailure(answer, 400, 'INVALID_REQUEST')
  assert.deepEqual(
    [few, many, most].map(({ body }) => body.error.details.issues.length),
    [6, 20, 1],
  )
  assert.partialDeepStrictEqual(most.body.error.details.issues, [{ path: '/name', message: 'is required' }])
})

test('a body of 1 MiB is accepted, and one byte more is 413', {
  rules: ['api.body-size-is-limited', 'error.large-body-is-413'],
}, async (t) => {
  const { anonymous } = await startHub(t, { extension: ECHO })

  const largest = await anonymous.send('POST', '/api/v1/echo', { headers: JSON_TYPE, raw: buildBody(MEBIBYTE) })
  const larger = await anonymous.send('POST', '/api/v1/echo', { headers: JSON_TYPE, raw: buildBody(MEBIBYTE + 1) })

  assert.equal(largest.status, 200)
  assertFailure(larger, 413, 'PAYLOAD_TOO_LARGE')
})

test('a Content-Length over 1 MiB is 413 before the body is sent', async (t) => {
  const { url } = await startHub(t, { extension: ECHO })
  const head = `POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\n`

  const answer = await sendRaw(url, `${head}Content-Length: ${MEBIBYTE + 1}\r\n\r\n`)

  assertFailure(answer, 413, 'PAYLOAD_TOO_LARGE')
})

test('a chunked body is 413 as soon as it is too long', async (t) => {
  const { url } = await startHub(t, { extension: ECHO })
  const head = 'POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\n'
  const connection = await openRawConnection(url)

  connection.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
  connection.write(`${(MEBIBYTE + 1).toString(16)}\r\n${buildBody(MEBIBYTE + 1)}\r\n`)

  assertFailure(await connection.answer(), 413, 'PAYLOAD_TOO_LARGE')
})

// A connection that is closed with unread bytes is reset, and the reset can overtake the response.
test('a client that sends the whole body before it reads gets the 413', {
  rules: ['api.request-id-is-in-every-response', 'api.failure-is-one-error-member'],
}, async (t) => {
  const { url } = await startHub(t, { extension: ECHO })
  const body = buildBody(8 * MEBIBYTE)
  const refusals: [string, number, string][] = [
    ['/api/v1/echo', 413, 'PAYLOAD_TOO_LARGE'],
    ['/api/v1/api-keys', 401, 'UNAUTHORIZED'],
    ['/nowhere', 404, 'NOT_FOUND'],
    ['/health', 405, 'METHOD_NOT_ALLOWED'],
  ]

  for (const [path, status, code] of refusals) {
    const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\n`
    const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    const answers = await Promise.all(Array.from({ length: 5 }, () => sendRaw(url, request)))
    for (const answer of answers) assertFailure(answer, status, code)
  }
})

// A body occupies memory until it is whole, and a client can leave it unfinished.
test('beyond the budget for bodies that are being read the largest is 503, and others are read', async (t) => {
  const hub = await startHub(t, { extension: ECHO, capacity: { bodyBytesMax: MEBIBYTE } })
  const head = `POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${MEBIBYTE}\r\n\r\n`
  const hold = async (bytes: number) => {
    const connection = await openRawConnection(hub.url)
    connection.write(head)
    connection.write(Buffer.alloc(bytes, ' '))
    return connection
  }

  const largest = await hold(500_000)
  const others = [await hold(300_000), await hold(300_000)]
  const refused = await largest.answer()
  const small = await hub.anonymous.post('/api/v1/echo', { name: 'x' })
  for (const connection of others) connection.hangUp()

  assertFailure(refused, 503, 'OVERLOADED')
  assert.equal(small.status, 200)
})

test('chunks of one byte count for what they occupy', async (t) => {
  const hub = await startHub(t, { extension: ECHO, capacity: { bodyBytesMax: 64 * 1024 } })
  const connection = await openRawConnection(hub.url)
  connection.write(
    'POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  connection.write('1\r\n \r\n'.repeat(1000))

  const refused = await connection.answer()
  const inOne = await hub.anonymous.post('/api/v1/echo', { name: 'x'.repeat(1000) })

  assertFailure(refused, 503, 'OVERLOADED')
  assert.equal(inOne.status, 200)
})
