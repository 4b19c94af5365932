import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrices, createStripeClient, refusal, startPayments, subscribe } from '../test/fixture.ts'

interface ErrorBody {
  error: { message: string }
}

test('a request without a valid key is 401', async (t) => {
  const { simulator } = await startPayments(t)
  const wrong = createStripeClient({ url: simulator.payments.url, secretKey: 'sk_test_wrongwrongwrong' })
  const basic = Buffer.from(`${simulator.payments.secretKey}:`).toString('base64')

  const refused = await refusal(wrong.prices.list())
  const none = await fetch(`${simulator.url}/v1/prices`)
  const byBasic = await fetch(`${simulator.url}/v1/prices`, { headers: { authorization: `Basic ${basic}` } })

  assert.deepEqual([refused.type, refused.statusCode], ['StripeAuthenticationError', 401])
  assert.match(refused.message, /^Invalid API Key provided: sk_test_\*+rong$/)
  assert.equal(none.status, 401)
  assert.match(((await none.json()) as ErrorBody).error.message, /^You did not provide an API key/)
  assert.equal(byBasic.status, 200)
})

test('unknown paths, other API versions and JSON bodies are refused', async (t) => {
  const { simulator } = await startPayments(t)
  const { url, secretKey } = simulator.payments
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${secretKey}`, ...(init.headers as Record<string, string>) }
    const response = await fetch(`${url}${path}`, { ...init, headers })
    const { error } = (await response.json()) as ErrorBody
    return { status: response.status, headers: response.headers, message: error.message }
  }

  const unknown = await call('/v1/nothing')
  const old = await call('/v1/prices', { headers: { 'stripe-version': '2025-09-30.clover' } })
  const json = await call('/v1/customers', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Ana"}',
  })

  assert.equal(unknown.status, 404)
  assert.match(unknown.message, /^Unrecognized request URL \(GET: \/v1\/nothing\)/)
  assert.equal(old.status, 400)
  assert.match(old.message, /^Invalid Stripe API version: 2025-09-30.clover/)
  assert.equal(json.status, 400)
  assert.match(json.message, /content type is application\/x-www-form-urlencoded/)
  assert.match(unknown.headers.get('request-id') ?? '', /^req_\w{24}$/)
  assert.equal(unknown.headers.get('stripe-version'), '2026-10-28.endive')
})

test('unknown parameters are refused, including those that only Stripe supports', async (t) => {
  const { stripe } = await startPayments(t)

  const typo = await refusal(stripe.customers.create({ emial: 'a@example.com' } as object))
  const unsupported = await refusal(stripe.customers.create({ tax_exempt: 'exempt' }))

  assert.deepEqual([typo.type, typo.code, typo.param], ['StripeInvalidRequestError', 'parameter_unknown', 'emial'])
  assert.equal(unsupported.code, 'parameter_unknown')
})

test('a missing object is 404 in the path and 400 in a parameter', async (t) => {
  const { stripe } = await startPayments(t)
  const customer = 'cus_none'

  const inPath = await refusal(stripe.subscriptions.cancel('sub_none'))
  const inParams = [
    await refusal(stripe.subscriptions.list({ customer })),
    await refusal(stripe.checkout.sessions.list({ customer })),
  ]

  assert.deepEqual([inPath.statusCode, inPath.code, inPath.param], [404, 'resource_missing', 'id'])
  assert.equal(inPath.message, "No such subscription: 'sub_none'")
  for (const { statusCode, code, param } of inParams) {
    assert.deepEqual([statusCode, code, param], [400, 'resource_missing', 'customer'])
  }
})

test('a list has the newest objects first and says whether there are more', async (t) => {
  const { stripe } = await startPayments(t)
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) ids.unshift((await stripe.products.create({ name })).id)

  const page = await stripe.products.list({ limit: 2 })
  const all = await stripe.products.list()

  assert.deepEqual([page.data.map(({ id }) => id), page.has_more], [ids.slice(0, 2), true])
  assert.deepEqual([all.data.map(({ id }) => id), all.has_more], [ids, false])
  assert.equal((await refusal(stripe.products.list({ limit: 101 }))).param, 'limit')
})

test('the latest invoice is expanded in a list, other properties are refused', async (t) => {
  const fixture = await startPayments(t)
  const { starter } = await createPrices(fixture)
  const { customer, subscription } = await subscribe(fixture, starter)
  const list = (expand: string[]) => fixture.stripe.subscriptions.list({ customer, expand })

  const [plain] = (await list([])).data
  const [expanded] = (await list(['data.latest_invoice'])).data
  const refused = await refusal(list(['data.customer']))

  assert.deepEqual([plain?.id, typeof plain?.latest_invoice], [subscription, 'string'])
  assert.equal(typeof expanded?.latest_invoice === 'object' && expanded?.latest_invoice?.status, 'paid')
  assert.equal(refused.message, 'This property cannot be expanded (data.customer).')
})

test('an injected fault has the form of an error of Stripe', async (t) => {
  const { control, stripe } = await startPayments(t)
  const inject = (kind: string) => control('POST', '/faults', { kind, path: '/v1/prices' })

  await inject('throttle')
  const throttled = await refusal(stripe.prices.list())
  await inject('error')
  const failed = await refusal(stripe.prices.list())
  await inject('http')
  const broken = await refusal(stripe.prices.list())

  assert.deepEqual([throttled.type, throttled.statusCode], ['StripeRateLimitError', 429])
  assert.deepEqual([failed.type, failed.statusCode], ['StripeAPIError', 503])
  assert.equal(broken.type, 'StripeAPIError')
  assert.deepEqual((await stripe.prices.list()).data, [])
})
