import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, refusal, startPayments } from '../test/fixture.ts'

const KEY = { idempotencyKey: 'the-same-key-0001' }

test('a repeated key gets the same response, in any order of the parameters', async (t) => {
  const { list, stripe } = await startPayments(t)

  const first = await stripe.customers.create({ name: 'Ana', email: 'ana@example.com' }, KEY)
  const again = await stripe.customers.create({ email: 'ana@example.com', name: 'Ana' }, KEY)

  assert.equal(again.id, first.id)
  assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true')
  assert.equal(again.lastResponse.headers['original-request'], first.lastResponse.requestId)
  assert.equal(first.lastResponse.headers['idempotent-replayed'], undefined)
  assert.equal((await list('customers')).length, 1)
})

test('a key is refused with other parameters and for another endpoint', async (t) => {
  const { stripe } = await startPayments(t)
  await stripe.customers.create({ name: 'Ana' }, KEY)

  const params = await refusal(stripe.customers.create({ name: 'Bia' }, KEY))
  const endpoint = await refusal(stripe.products.create({ name: 'Ana' }, KEY))

  assert.deepEqual([params.type, params.statusCode], ['StripeIdempotencyError', 400])
  assert.match(params.message, /can only be used with the same parameters/)
  assert.match(endpoint.message, /same endpoint they were first used for \('\/v1\/customers' vs '\/v1\/products'\)/)
})

test('a key is 409 while its first request is in progress', async (t) => {
  const { control, list, stripe } = await startPayments(t)
  await control('POST', '/faults', { kind: 'latency', path: '/v1/customers', latency_ms: 1_000 })

  const calls = await Promise.allSettled([
    stripe.customers.create({ name: 'Ana' }, KEY),
    stripe.customers.create({ name: 'Ana' }, KEY),
  ])

  const results = calls.map((call) => (call.status === 'fulfilled' ? 'created' : call.reason.code))
  assert.deepEqual(results.sort(), ['created', 'idempotency_key_in_use'])
  assert.equal((await list('customers')).length, 1)
})

test('a key remembers a refused charge, but not an invalid request', async (t) => {
  const { control, list, stripe } = await startPayments(t)
  const { id: customer } = await stripe.customers.create({})
  const attach = () => stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer }, KEY)
  const other = { idempotencyKey: 'other-0001' }

  const refused = await refusal(attach())
  const again = await refusal(attach())
  const invalid = await refusal(stripe.products.create({ name: '' }, other))
  const valid = await stripe.products.create({ name: 'Hub' }, other)
  await control('POST', '/faults', { kind: 'garbled_after', path: '/v1/customers' })
  const lost = () => stripe.customers.create({ name: 'Ana' }, { idempotencyKey: 'lost-0001' })
  await refusal(lost())
  await lost()

  assert.deepEqual([refused.statusCode, refused.code, refused.decline_code], [402, 'card_declined', 'generic_decline'])
  assert.equal(again.headers?.['idempotent-replayed'], 'true')
  assert.equal(invalid.code, 'parameter_invalid_empty')
  assert.equal(valid.name, 'Hub')
  assert.equal((await list('customers')).filter(({ name }) => name === 'Ana').length, 1)
})

test('a key expires after a day', async (t) => {
  const { advance, stripe } = await startPayments(t)
  const first = await stripe.customers.create({ name: 'Ana' }, KEY)

  await advance(DAY)

  assert.notEqual((await stripe.customers.create({ name: 'Ana' }, KEY)).id, first.id)
})
