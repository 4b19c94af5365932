import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrices, DAY, startPayments, subscribe } from '../test/fixture.ts'

test('invoices are listed by customer, newest first, page after page', async (t) => {
  const fixture = await startPayments(t)
  const { stripe } = fixture
  const { starter } = await createPrices(fixture)
  const [ana, bob] = [await subscribe(fixture, starter), await subscribe(fixture, starter)]
  for (let month = 0; month < 3; month++) await fixture.advance(32 * DAY)
  const customer = ana.customer
  const all = await stripe.invoices.list({ customer, limit: 100 })

  const first = await stripe.invoices.list({ customer, limit: 2 })
  const rest = await stripe.invoices.list({ customer, limit: 100, starting_after: first.data.at(-1)?.id ?? '' })

  assert.equal(all.data.length, 4)
  assert.deepEqual(
    [...first.data, ...rest.data].map(({ id }) => id),
    all.data.map(({ id }) => id),
  )
  assert.deepEqual([first.has_more, rest.has_more], [true, false])
  assert.ok(all.data.every((invoice) => invoice.customer === customer))
  const created = all.data.map((invoice) => invoice.created)
  assert.deepEqual(
    created,
    created.toSorted((a, b) => b - a),
  )
  assert.equal((await stripe.invoices.list({ customer: bob.customer, limit: 100 })).data.length, 4)
})

test('an unknown customer and an unknown invoice to start after are refused', async (t) => {
  const { stripe } = await startPayments(t)
  const { id: customer } = await stripe.customers.create({})

  const missing = { code: 'resource_missing', statusCode: 400 }
  await assert.rejects(stripe.invoices.list({ customer: 'cus_x' }), { ...missing, param: 'customer' })
  await assert.rejects(stripe.invoices.list({ customer, starting_after: 'in_x' }), {
    ...missing,
    param: 'starting_after',
  })
  await assert.rejects(stripe.invoices.list({ customer, ending_before: 'in_x' }), { code: 'parameter_unknown' })
})
