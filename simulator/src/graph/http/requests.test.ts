import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reply, startFixture } from '../../test/harness.ts'

test('a path works with any version and with none, and a response header has the version', async (t) => {
  const fixture = await startFixture(t)

  for (const [prefix, version] of [
    ['', 'v25.0'],
    ['/v25.0', 'v25.0'],
    ['/v19.0', 'v19.0'],
  ]) {
    const reply = await fixture.graph('GET', `${prefix}/${fixture.phoneId}`)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('facebook-api-version'), version)
  }
})

test('an unknown object is a 400 with code 100 and subcode 33, never a 404', async (t) => {
  const fixture = await startFixture(t)

  for (const [method, verb] of [
    ['GET', 'get'],
    ['POST', 'post'],
    ['DELETE', 'delete'],
  ] as const) {
    const { status, body, headers } = await fixture.graph(method, '/v25.0/999999999999999')
    assert.equal(status, 400)
    assert.equal(body.error.code, 100)
    assert.equal(body.error.error_subcode, 33)
    assert.equal(body.error.type, 'GraphMethodException')
    assert.ok(body.error.message.startsWith(`Unsupported ${verb} request. Object with ID '999999999999999'`))
    assert.match(headers.get('www-authenticate') ?? '', /^OAuth "Facebook Platform" "invalid_request" "Unsupported/)
  }
})

test('a number of an account that the token was not granted does not exist', async (t) => {
  const fixture = await startFixture(t)
  const other = await fixture.control<{ numbers: [{ phone_number_id: string }] }>('POST', '/accounts', {
    numbers: [{ registered: true }],
  })

  const { status, body } = await fixture.graph('GET', `/${other.numbers[0].phone_number_id}`)

  assert.equal(status, 400)
  assert.equal(body.error.error_subcode, 33)
})

test("every response has the platform's trace headers", async (t) => {
  const fixture = await startFixture(t)

  const good = await fixture.graph('GET', `/${fixture.phoneId}`)
  const bad = await fixture.graph('GET', '/1')

  for (const name of ['x-fb-trace-id', 'x-fb-request-id', 'x-fb-rev', 'x-fb-debug', 'facebook-api-version']) {
    assert.ok(good.headers.get(name), name)
    assert.ok(bad.headers.get(name), name)
  }
  assert.equal(bad.body.error.fbtrace_id, bad.headers.get('x-fb-trace-id'))
  assert.equal(good.headers.get('retry-after'), null)
})

test('a request without a token is 401 with code 104, and for a profile code 200', async (t) => {
  const fixture = await startFixture(t)

  const node = await fetch(`${fixture.simulator.url}/${fixture.phoneId}`)
  const profile = await fetch(`${fixture.simulator.url}/${fixture.phoneId}/whatsapp_business_profile`)

  assert.equal(node.status, 401)
  assert.equal(((await node.json()) as Reply['body']).error.code, 104)
  assert.equal(((await profile.json()) as Reply['body']).error.message, '(#200) Provide valid app ID')
})

test('a token that is unknown, expired or revoked is refused with code 190 and its subcode', async (t) => {
  const fixture = await startFixture(t)
  const short = await fixture.control<{ access_token: string }>('POST', '/tokens', {
    waba_id: fixture.wabaId,
    expires_in_seconds: 60,
  })
  const ask = async (token: string) =>
    (await fixture.graph('GET', `/${fixture.phoneId}`, undefined, { authorization: `Bearer ${token}` })).body.error

  assert.equal((await ask('nonsense')).message, 'Invalid OAuth access token - Cannot parse access token')
  assert.equal(await ask(short.access_token), undefined)
  await fixture.advance(60_000)
  const expired = await ask(short.access_token)
  assert.equal(expired.error_subcode, 463)
  assert.match(expired.message, /^Error validating access token: Session has expired on /)
  await fixture.control('POST', '/tokens/revoke', { access_token: fixture.token, subcode: 460 })
  const revoked = await fixture.graph('GET', `/${fixture.phoneId}`)
  assert.equal(revoked.status, 401)
  assert.equal(revoked.body.error.code, 190)
  assert.equal(revoked.body.error.error_subcode, 460)
})

test('the request log shows where the token was and redacts it', async (t) => {
  const fixture = await startFixture(t)

  await fetch(`${fixture.simulator.url}/${fixture.phoneId}?access_token=${fixture.token}`)
  await fixture.graph('GET', `/${fixture.phoneId}`)

  const { requests } = await fixture.control<{ requests: { token_in: string }[] }>('GET', '/requests')
  assert.deepEqual(
    requests.map((request) => request.token_in),
    ['query', 'bearer'],
  )
  assert.ok(!JSON.stringify(requests).includes(fixture.token))
})

test('a token without the messaging permission cannot send', async (t) => {
  const fixture = await startFixture(t)
  const { access_token: token } = await fixture.control<{ access_token: string }>('POST', '/tokens', {
    waba_id: fixture.wabaId,
    scopes: ['whatsapp_business_management'],
  })

  const { status, body } = await fixture.graph(
    'POST',
    `/${fixture.phoneId}/messages`,
    {},
    { authorization: `Bearer ${token}` },
  )

  assert.equal(status, 403)
  assert.equal(body.error.code, 10)
})

test('refuses an edge that the node does not have', async (t) => {
  const fixture = await startFixture(t)

  const read = await fixture.graph('GET', `/${fixture.phoneId}/messages`)
  const written = await fixture.graph('POST', `/${fixture.phoneId}/message_templates`)
  const deep = await fixture.graph('GET', `/${fixture.wabaId}/message_templates/123`)

  assert.match(read.body.error.message, /^\(#100\) Tried accessing nonexisting field \(messages\)/)
  assert.equal(written.body.error.error_subcode, 33)
  assert.equal(deep.body.error.code, 2500)
})

test('responses are ASCII JSON', async (t) => {
  const fixture = await startFixture(t)

  const response = await fetch(`${fixture.simulator.url}/${fixture.wabaId}`, {
    headers: { authorization: `Bearer ${fixture.token}` },
  })

  const text = await response.text()
  assert.match(text, /Padaria S\\u00e3o Jo\\u00e3o/)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=UTF-8')
})

test('a body over 8 MB is 413', async (t) => {
  const fixture = await startFixture(t)

  const { status } = await fixture.send({ text: { body: 'a'.repeat(9 * 1024 * 1024) } })

  assert.equal(status, 413)
})
