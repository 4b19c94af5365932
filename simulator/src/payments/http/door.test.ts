import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, refusalOf, startBench } from '../test/bench.ts'

interface Refusal {
  error: { type: string; code?: string; message: string; param?: string; doc_url?: string }
}

test('who has no key, or a wrong one, is turned away with 401', async (t) => {
  const { simulator, stripe } = await startBench(t)
  const wrong = clientOf({ url: simulator.payments.url, secretKey: 'sk_test_wrongwrongwrong' })
  const basic = Buffer.from(`${simulator.payments.secretKey}:`).toString('base64')

  const refusal = await refusalOf(wrong.customers.list())
  const none = await fetch(`${simulator.url}/v1/customers`)
  const named = await fetch(`${simulator.url}/v1/customers`, { headers: { authorization: `Basic ${basic}` } })

  assert.deepEqual([refusal.type, refusal.statusCode], ['StripeAuthenticationError', 401])
  assert.match(refusal.message, /^Invalid API Key provided: sk_test_\*+rong$/)
  assert.equal(none.status, 401)
  assert.match(((await none.json()) as Refusal).error.message, /^You did not provide an API key/)
  assert.equal(named.status, 200)
  assert.deepEqual((await stripe.customers.list()).data, [])
})

test('paths, versions and bodies that the provider does not take are refused in its words', async (t) => {
  const { simulator } = await startBench(t)
  const { url, secretKey } = simulator.payments
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${secretKey}`, ...(init.headers as Record<string, string>) }
    const response = await fetch(`${url}${path}`, { ...init, headers })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Refusal }
  }

  const unknown = await call('/v1/nothing')
  const old = await call('/v1/customers', { headers: { 'stripe-version': '2025-09-30.clover' } })
  const json = await call('/v1/customers', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Ana"}',
  })

  assert.equal(unknown.status, 404)
  assert.match(unknown.body.error.message, /^Unrecognized request URL \(GET: \/v1\/nothing\)/)
  assert.equal(old.status, 400)
  assert.match(old.body.error.message, /^Invalid Stripe API version: 2025-09-30.clover/)
  assert.equal(json.status, 400)
  assert.match(json.body.error.message, /content type is application\/x-www-form-urlencoded/)
  assert.match(unknown.headers.get('request-id') ?? '', /^req_\w{14}$/)
  assert.equal(unknown.headers.get('stripe-version'), '2026-10-28.endive')
})

test('an unknown parameter is refused, and so is one that only the real provider knows', async (t) => {
  const { stripe } = await startBench(t)
  const typo = { emial: 'a@example.com' } as object

  const refusal = await refusalOf(stripe.customers.create(typo))
  const unsimulated = await refusalOf(stripe.customers.create({ tax_exempt: 'exempt' }))

  assert.deepEqual(
    [refusal.type, refusal.code, refusal.param],
    ['StripeInvalidRequestError', 'parameter_unknown', 'emial'],
  )
  assert.equal(refusal.doc_url, 'https://docs.stripe.com/error-codes/parameter-unknown')
  assert.equal(unsimulated.code, 'parameter_unknown')
})

test('an object that is not there is 404 in the path and 400 in a parameter', async (t) => {
  const { stripe } = await startBench(t)

  const inPath = await refusalOf(stripe.subscriptions.retrieve('sub_none'))
  const inParameter = await refusalOf(stripe.invoices.createPreview({ subscription: 'sub_none' }))

  assert.deepEqual([inPath.statusCode, inPath.code, inPath.param], [404, 'resource_missing', 'id'])
  assert.equal(inPath.message, "No such subscription: 'sub_none'")
  assert.deepEqual(
    [inParameter.statusCode, inParameter.code, inParameter.param],
    [400, 'resource_missing', 'subscription'],
  )
})

test('a list of what a customer has who is not there is refused, and not empty', async (t) => {
  const { stripe } = await startBench(t)
  const customer = 'cus_none'

  for (const listed of [stripe.subscriptions.list({ customer }), stripe.checkout.sessions.list({ customer })]) {
    const { statusCode, code, param } = await refusalOf(listed)
    assert.deepEqual([statusCode, code, param], [400, 'resource_missing', 'customer'])
  }
})

test('lists come newest first, page by page, in both directions', async (t) => {
  const { stripe } = await startBench(t)
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.unshift((await stripe.customers.create({ name: `${count}` })).id)

  const first = await stripe.customers.list({ limit: 2 })
  const second = await stripe.customers.list({ limit: 2, starting_after: ids[1]! })
  const back = await stripe.customers.list({ limit: 2, ending_before: ids[4]! })
  const all: string[] = []
  for await (const customer of stripe.customers.list({ limit: 2 })) all.push(customer.id)

  assert.deepEqual([first.data.map(({ id }) => id), first.has_more], [ids.slice(0, 2), true])
  assert.deepEqual(
    second.data.map(({ id }) => id),
    ids.slice(2, 4),
  )
  assert.deepEqual([back.data.map(({ id }) => id), back.has_more], [ids.slice(2, 4), true])
  assert.deepEqual(all, ids)
  assert.equal((await refusalOf(stripe.customers.list({ limit: 101 }))).param, 'limit')
})

test('what cannot be expanded is refused', async (t) => {
  const { stripe } = await startBench(t)
  const { id } = await stripe.customers.create({})

  const refusal = await refusalOf(stripe.customers.retrieve(id, { expand: ['shoes'] }))
  const { data } = await stripe.customers.list({ expand: ['data.subscriptions'] })

  assert.equal(refusal.message, 'This property cannot be expanded (shoes).')
  assert.deepEqual(data[0]?.subscriptions?.data, [])
})

test('an ordered fault strikes the payment API in its own form', async (t) => {
  const { control, stripe } = await startBench(t)
  const strike = (kind: string) => control('POST', '/faults', { kind, path: '/v1/customers' })

  await strike('throttle')
  const throttled = await refusalOf(stripe.customers.list())
  await strike('error')
  const failed = await refusalOf(stripe.customers.list())
  await strike('http')
  const broken = await refusalOf(stripe.customers.list())

  assert.deepEqual([throttled.type, throttled.statusCode], ['StripeRateLimitError', 429])
  assert.deepEqual([failed.type, failed.statusCode], ['StripeAPIError', 503])
  assert.equal(broken.type, 'StripeAPIError')
  assert.deepEqual((await stripe.customers.list()).data, [])
})
