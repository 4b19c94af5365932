import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShop, refusalOf, startBench } from '../test/bench.ts'

test('prices are found by their lookup keys', async (t) => {
  const bench = await startBench(t)
  const { starter, addon } = await openShop(bench)

  const found = await bench.stripe.prices.list({ lookup_keys: ['starter', 'addon', 'none'], expand: ['data.product'] })

  assert.deepEqual(found.data.map(({ id }) => id).sort(), [starter, addon].sort())
  const price = found.data.find(({ id }) => id === starter)!
  assert.deepEqual([price.unit_amount, price.currency, price.recurring?.interval], [9_900, 'brl', 'month'])
  assert.equal(price.unit_amount_decimal?.toString(), '9900')
  assert.ok(typeof price.product === 'object' && !price.product.deleted)
  assert.equal(price.product.name, 'Starter')
})

test('a lookup key leads to one price, and moves to another only when it is told to', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { product } = await bench.stripe.prices.retrieve(starter)
  const dearer = {
    ...{ product: String(product), currency: 'brl', unit_amount: 10_900, lookup_key: 'starter' },
    recurring: { interval: 'month' as const },
  }

  const refusal = await refusalOf(bench.stripe.prices.create(dearer))
  const moved = await bench.stripe.prices.create({ ...dearer, transfer_lookup_key: true })

  assert.equal(refusal.message, `A price (\`${starter}\`) already uses that lookup key.`)
  assert.equal(moved.lookup_key, 'starter')
  assert.equal((await bench.stripe.prices.retrieve(starter)).lookup_key, null)
  assert.deepEqual(
    (await bench.stripe.prices.list({ lookup_keys: ['starter'] })).data.map(({ id }) => id),
    [moved.id],
  )
})

test('a price that was switched off is kept, and cannot be bought', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { id: customer } = await bench.stripe.customers.create({})

  await bench.stripe.prices.update(starter, { active: false })

  const refusal = await refusalOf(
    bench.stripe.checkout.sessions.create({
      ...{ mode: 'subscription', customer, success_url: 'http://localhost/' },
      line_items: [{ price: starter, quantity: 1 }],
    }),
  )
  assert.match(refusal.message, /^The price specified is inactive/)
  assert.equal((await bench.stripe.prices.list({ active: true })).data.length, 2)
})

test('customers keep what they were given, and metadata is merged key by key', async (t) => {
  const { stripe } = await startBench(t)
  const { id } = await stripe.customers.create({ email: 'ana@example.com', metadata: { plan: 'pro', old: 'x' } })

  const changed = await stripe.customers.update(id, { name: 'Ana', email: '', metadata: { old: '', more: 'y' } })

  assert.deepEqual([changed.name, changed.email, changed.balance], ['Ana', null, 0])
  assert.deepEqual(changed.metadata, { plan: 'pro', more: 'y' })
  const again = await stripe.customers.retrieve(id)
  assert.ok(!again.deleted)
  assert.deepEqual(again.metadata, { plan: 'pro', more: 'y' })
})
