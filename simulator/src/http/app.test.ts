import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { type Fixture, startFixture } from '../test/harness.ts'

interface Answer {
  status: number
  type: string | null
  text: string
}

/** A request without a token or another header that the test does not set. */
async function send({ simulator }: Fixture, method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${simulator.url}${path}`, { method, ...init })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

function stripeKey({ simulator }: Fixture): RequestInit {
  return { headers: { authorization: `Bearer ${simulator.payments.secretKey}` } }
}

const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'PROPFIND', 'QUERY']

test('a method that no endpoint has is refused by the Graph API as an unsupported request', async (t) => {
  const fixture = await startFixture(t)

  for (const method of METHODS) {
    const { status, type, text } = await send(fixture, method, `/v25.0/${fixture.phoneId}`, {
      headers: { authorization: `Bearer ${fixture.token}` },
    })

    assert.deepEqual([status, type], [400, 'application/json; charset=UTF-8'], method)
    assert.match(text, method === 'HEAD' ? /^$/ : new RegExp(`Unsupported ${method.toLowerCase()} request`))
  }
})

test('a method or path that no endpoint has is refused by the payment API as an unrecognized URL', async (t) => {
  const fixture = await startFixture(t)
  const refused = [...METHODS.map((method) => [method, '/v1/customers']), ['GET', '/v1/'], ['GET', '/v1//customers']]

  for (const [method = '', path = ''] of refused) {
    const { status, type, text } = await send(fixture, method, path, stripeKey(fixture))

    // Stripe names no charset.
    assert.deepEqual([status, type], [404, 'application/json'], `${method} ${path}`)
    assert.ok(method === 'HEAD' || text.includes(`Unrecognized request URL (${method}: ${path})`), text)
  }
})

test('a method or path that no route has is 404 with an error of the control API', async (t) => {
  const fixture = await startFixture(t)

  for (const [method = '', path = ''] of [
    ...METHODS.map((one) => [one, '/clock']),
    ['GET', '/clock/'],
    ['GET', '//'],
  ]) {
    const { status, text } = await send(fixture, method, `/_sim${path}`)

    assert.equal(status, 404, `${method} ${path}`)
    if (method !== 'HEAD')
      assert.deepEqual(JSON.parse(text), { error: `There is no ${method} ${path} in the control API` })
  }
})

test('Graph paths may have double and trailing slashes and percent-encoded characters', async (t) => {
  const fixture = await startFixture(t)
  const { phoneId } = fixture
  const encoded = `%3${phoneId[0]}${phoneId.slice(1)}`

  for (const path of [`//v25.0//${phoneId}`, `/v25.0/${phoneId}/`, `/v25.0/${encoded}`, `/%7625.0/${phoneId}`]) {
    const { status, body } = await fixture.graph('GET', path)
    assert.deepEqual([status, body.id], [200, phoneId], path)
  }
  assert.match((await fixture.graph('POST', `/${phoneId}/%6Dessages`)).body.error.message, /messaging_product/)
})

test('a malformed escape and an id of any length are ids that do not exist', async (t) => {
  const fixture = await startFixture(t)

  for (const id of ['%zz', '%', '%FF', 'a%2Fb%zz', '9'.repeat(5_000)]) {
    const { status, body } = await fixture.graph('GET', `/v25.0/${id}?fields=id`)
    assert.deepEqual([status, body.error.error_subcode], [400, 33], id)
    assert.ok(body.error.message.includes(`Object with ID '${id}'`), body.error.message)

    const customer = await send(fixture, 'GET', `/v1/customers/${id}`, stripeKey(fixture))
    assert.equal(customer.status, 404)
    assert.match(customer.text, /No such customer/)
    assert.equal(
      (await send(fixture, 'DELETE', `/_sim/calls/${id}`)).text,
      '{\n  "error": "There is no such call"\n}\n',
    )
  }
})

test('a body that is no JSON or form, or says so, has no Graph parameters', async (t) => {
  const fixture = await startFixture(t)
  const message = '{"messaging_product":"whatsapp"}'
  const bodies: [type: string, body: string][] = [
    ['application/json', '{'],
    ['application/json', ''],
    ['application/json', '[]'],
    ['text/plain', message],
    ['nonsense', message],
    ['multipart/form-data', message],
  ]

  for (const [type, body] of bodies) {
    const headers = { 'content-type': type }
    const { status, body: answer } = await fixture.graph(
      'POST',
      `/${fixture.phoneId}/messages`,
      Buffer.from(body),
      headers,
    )

    assert.equal(status, 400, type)
    assert.equal(answer.error.message, '(#100) The parameter messaging_product is required.', `${type} ${body}`)
  }
  const json = await fixture.graph('POST', `/${fixture.phoneId}/messages`, { messaging_product: 'whatsapp' })
  assert.equal(json.body.error.message, '(#100) The parameter to is required.')
})

test('an upload that is no well-formed form has no file', async (t) => {
  const fixture = await startFixture(t)

  for (const [type, body] of [
    ['multipart/form-data; boundary=X', '--X\r\nnonsense'],
    ['multipart/form-data; boundary=X', ''],
    ['multipart/form-data', '--X--\r\n'],
    ['nonsense', 'bytes'],
  ] as const) {
    const path = `/${fixture.phoneId}/media?messaging_product=whatsapp`
    const { status, body: answer } = await fixture.graph('POST', path, Buffer.from(body), { 'content-type': type })

    assert.deepEqual([status, answer.error.message], [400, '(#100) The parameter file is required.'], type)
  }
})

test('a body that is too large is 413 of its API, and the connection serves the next request', async (t) => {
  const fixture = await startFixture(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const { secretKey } = fixture.simulator.payments
  const post = (path: string, token: string, bytes: number) =>
    new Promise<{ status: number | undefined; text: string; isReused: boolean }>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': bytes,
      }
      const sent = request(`${fixture.simulator.url}${path}`, { method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('end', () => resolve({ status: response.statusCode, text, isReused: sent.reusedSocket }))
      })
      sent.on('error', reject).end(Buffer.alloc(bytes, 'a'))
    })

  const graph = await post(`/${fixture.phoneId}/messages`, fixture.token, 9 * 1024 * 1024)
  const stripe = await post('/v1/customers', secretKey, 9 * 1024 * 1024)
  const next = await post(`/${fixture.phoneId}/messages`, fixture.token, 10)

  assert.deepEqual([graph.status, stripe.status, next.status], [413, 413, 400])
  for (const { text } of [graph, stripe]) assert.equal(JSON.parse(text).error.message, 'Request Entity Too Large')
  assert.deepEqual([stripe.isReused, next.isReused], [true, true])
})

test('simulators of one process share no state, also while their requests overlap', async (t) => {
  const [first, second] = [await startFixture(t, { seed: 'one' }), await startFixture(t, { seed: 'two' })]
  for (const fixture of [first, second]) await fixture.control('POST', '/faults', { kind: 'latency', latency_ms: 20 })

  const [own, foreign, other] = await Promise.all([
    first.graph('GET', `/${first.phoneId}`),
    second.graph('GET', `/${first.phoneId}`, undefined, { authorization: `Bearer ${first.token}` }),
    second.graph('GET', `/${second.phoneId}`),
  ])

  assert.deepEqual([own.status, foreign.status, other.status], [200, 401, 200])
  assert.deepEqual([own.body.id, other.body.id], [first.phoneId, second.phoneId])
})
