import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS, DAY, openShop, refusalOf, startBench, subscribe } from '../test/bench.ts'

const KEY = { idempotencyKey: 'order-0001' }

test('the same key and parameters bring the same answer, and nothing happens twice', async (t) => {
  const { stripe } = await startBench(t)

  const first = await stripe.customers.create({ name: 'Ana', email: 'ana@example.com' }, KEY)
  const again = await stripe.customers.create({ email: 'ana@example.com', name: 'Ana' }, KEY)

  assert.equal(again.id, first.id)
  assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true')
  assert.equal(again.lastResponse.headers['original-request'], first.lastResponse.requestId)
  assert.equal(first.lastResponse.headers['idempotent-replayed'], undefined)
  assert.equal((await stripe.customers.list()).data.length, 1)
})

test('a key is refused for other parameters and for another endpoint', async (t) => {
  const { stripe } = await startBench(t)
  await stripe.customers.create({ name: 'Ana' }, KEY)

  const parameters = await refusalOf(stripe.customers.create({ name: 'Bia' }, KEY))
  const endpoint = await refusalOf(stripe.products.create({ name: 'Ana' }, KEY))

  assert.deepEqual([parameters.type, parameters.statusCode], ['StripeIdempotencyError', 400])
  assert.match(parameters.message, /can only be used with the same parameters/)
  assert.match(endpoint.message, /same endpoint they were first used for \('\/v1\/customers' vs '\/v1\/products'\)/)
})

test('while the first request is under way the second is told to wait', async (t) => {
  const { control, stripe } = await startBench(t)
  await control('POST', '/faults', { kind: 'latency', path: '/v1/customers', latency_ms: 1_000 })

  const [first, second] = await Promise.allSettled([
    stripe.customers.create({ name: 'Ana' }, KEY),
    stripe.customers.create({ name: 'Ana' }, KEY),
  ])

  const outcomes = [first, second].map((call) => (call.status === 'fulfilled' ? 200 : call.reason.statusCode))
  assert.deepEqual(outcomes.sort(), [200, 409])
  const refused = [first, second].find((call) => call.status === 'rejected')
  assert.equal(refused?.status === 'rejected' && refused.reason.code, 'idempotency_key_in_use')
  assert.equal((await stripe.customers.list()).data.length, 1)
})

test('a refused charge is remembered like any other answer; a malformed request is not', async (t) => {
  const bench = await startBench(t)
  const { starter, addon } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)
  const update = () =>
    bench.stripe.subscriptions.update(
      subscription,
      {
        items: [{ price: addon, quantity: 1 }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      },
      KEY,
    )
  await bench.bank(customer, 'declines')

  const refused = await refusalOf(update())
  await bench.bank(customer, 'succeeds')
  const again = await refusalOf(update())
  const malformed = await refusalOf(bench.stripe.products.create({ name: '' }, { idempotencyKey: 'other-0001' }))
  const mended = await bench.stripe.products.create({ name: 'Hub' }, { idempotencyKey: 'other-0001' })

  assert.deepEqual([refused.statusCode, refused.decline_code], [402, 'generic_decline'])
  assert.equal(again.headers?.['idempotent-replayed'], 'true')
  assert.equal(malformed.code, 'parameter_invalid_empty')
  assert.equal(mended.name, 'Hub')
})

test('an answer that was lost is there when the request is repeated', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { id: customer } = await bench.stripe.customers.create({})
  const order = () =>
    bench.stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer,
        line_items: [{ price: starter, quantity: 1 }],
        success_url: 'http://localhost/',
      },
      KEY,
    )
  await bench.control('POST', '/faults', { kind: 'garbled_after', path: '/v1/checkout' })

  await refusalOf(order())
  const session = await order()

  assert.equal((await bench.stripe.checkout.sessions.list({ customer })).data.length, 1)
  assert.equal((await bench.pay(session.id, CARDS.good)).status, 'complete')
})

test('a key is forgotten after a day', async (t) => {
  const { advance, stripe } = await startBench(t)
  const first = await stripe.customers.create({ name: 'Ana' }, KEY)

  await advance(DAY)

  assert.notEqual((await stripe.customers.create({ name: 'Ana' }, KEY)).id, first.id)
})
