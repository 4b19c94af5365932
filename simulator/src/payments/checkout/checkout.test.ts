import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS, checkout, DAY, openShop, refusalOf, START, startBench } from '../test/bench.ts'

test('paying begins the subscription and completes the session', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter } = await openShop(bench)
  const { id: customer } = await stripe.customers.create({ email: 'maria@example.com' })
  const session = await stripe.checkout.sessions.create({
    ...{ mode: 'subscription', customer, client_reference_id: 'org-1', metadata: { plan: 'starter' } },
    ...{ success_url: 'http://localhost/', subscription_data: { metadata: { organization: 'org-1' } } },
    line_items: [{ price: starter, quantity: 1 }],
    expand: ['line_items'],
  })

  assert.deepEqual([session.status, session.payment_status, session.amount_total], ['open', 'unpaid', 9_900])
  assert.match(session.url ?? '', /^http:\/\/127\.0\.0\.1:\d+\/c\/pay\/cs_test_/)
  assert.equal(session.line_items?.data[0]?.description, 'Starter')
  await bench.pay(session.id)

  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice.payments', 'customer'],
  })
  assert.deepEqual([paid.status, paid.payment_status, paid.url], ['complete', 'paid', null])
  assert.deepEqual([paid.client_reference_id, paid.metadata], ['org-1', { plan: 'starter' }])
  assert.ok(paid.subscription && typeof paid.subscription === 'object')
  const { subscription } = paid
  assert.deepEqual([subscription.status, subscription.metadata], ['active', { organization: 'org-1' }])
  const item = subscription.items.data[0]!
  assert.equal(item.current_period_start, START.getTime() / 1_000)
  assert.equal(item.current_period_end, START.getTime() / 1_000 + 30 * DAY)
  const invoice = subscription.latest_invoice
  assert.ok(invoice && typeof invoice === 'object')
  assert.deepEqual(
    [invoice.status, invoice.amount_paid, invoice.billing_reason],
    ['paid', 9_900, 'subscription_create'],
  )
  assert.equal(invoice.parent?.subscription_details?.subscription, subscription.id)
  assert.equal(invoice.lines.data[0]?.description, '1 × Starter (at R$99.00 / month)')
  assert.equal(invoice.payments?.data[0]?.status, 'paid')
})

// The subscription is made after the payment: there is no incomplete one to clean up after a decline.
test('a declined card leaves the session open, and nothing else behind', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { id: customer } = await bench.stripe.customers.create({})
  const session = await checkout(bench, starter, customer)

  const declined = await bench.pay(session.id, CARDS.declined)
  const broke = await bench.pay(session.id, '4000000000009995')
  const wrong = await bench.pay(session.id, '4242424242424241')
  const live = await bench.pay(session.id, '4111111111111111')

  assert.deepEqual([declined.status, declined.error?.decline_code], ['open', 'generic_decline'])
  assert.equal(broke.error?.decline_code, 'insufficient_funds')
  assert.equal(wrong.error?.code, 'incorrect_number')
  assert.equal(live.error?.decline_code, 'test_mode_live_card')
  assert.deepEqual((await bench.stripe.subscriptions.list({ customer, status: 'all' })).data, [])
  assert.deepEqual((await bench.stripe.invoices.list({ customer })).data, [])
  assert.equal((await bench.pay(session.id)).status, 'complete')
})

test('a session is paid once; two sessions are two subscriptions', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { id: customer } = await bench.stripe.customers.create({})
  const [first, second] = [await checkout(bench, starter, customer), await checkout(bench, starter, customer)]

  await bench.pay(first.id)
  await assert.rejects(bench.pay(first.id), /This Checkout Session is complete/)
  await bench.pay(second.id)

  assert.equal((await bench.stripe.subscriptions.list({ customer })).data.length, 2)
})

test('an open session expires by request or after a day, and then cannot be paid', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter } = await openShop(bench)
  const { id: customer } = await stripe.customers.create({})
  const [first, second] = [await checkout(bench, starter, customer), await checkout(bench, starter, customer)]

  const expired = await stripe.checkout.sessions.expire(first.id)
  await bench.advance(DAY - 1)
  const stillOpen = await stripe.checkout.sessions.list({ customer, status: 'open' })
  await bench.advance(1)

  assert.deepEqual([expired.status, expired.url], ['expired', null])
  assert.deepEqual(
    stillOpen.data.map(({ id }) => id),
    [second.id],
  )
  assert.equal((await stripe.checkout.sessions.retrieve(second.id)).status, 'expired')
  assert.equal(bench.arrived().filter((type) => type === 'checkout.session.expired').length, 2)
  assert.match((await refusalOf(stripe.checkout.sessions.expire(first.id))).message, /has a status of `expired`/)
  await assert.rejects(bench.pay(second.id), /This Checkout Session is expired/)
})

test('a session for nobody makes a customer when it is paid', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const session = await bench.stripe.checkout.sessions.create({
    ...{ mode: 'subscription', customer_email: 'ana@example.com', success_url: 'http://localhost/' },
    line_items: [{ price: starter, quantity: 2 }],
  })

  await bench.pay(session.id)

  const paid = await bench.stripe.checkout.sessions.retrieve(session.id, { expand: ['customer'] })
  assert.ok(paid.customer && typeof paid.customer === 'object' && !paid.customer.deleted)
  assert.equal(paid.customer.email, 'ana@example.com')
  assert.equal(paid.amount_total, 19_800)
})

test('what a session cannot be is refused', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const once = await bench.stripe.prices.create({ product_data: { name: 'Gift' }, currency: 'brl', unit_amount: 100 })
  const order = { mode: 'subscription' as const, success_url: 'http://localhost/' }
  const line_items = [{ price: starter, quantity: 1 }]
  const create = (params: object) =>
    refusalOf(bench.stripe.checkout.sessions.create({ ...order, line_items, ...params }))

  assert.equal((await create({ mode: 'payment' })).param, 'mode')
  assert.equal((await create({ customer: 'cus_none' })).code, 'resource_missing')
  assert.match((await create({ line_items: [{ price: once.id, quantity: 1 }] })).message, /type=recurring/)
  assert.match((await create({ line_items: [{ price: starter }] })).message, /^Quantity is required/)
  assert.equal((await create({ success_url: 'nowhere' })).code, 'url_invalid')
  assert.match((await create({ expires_at: START.getTime() / 1_000 + 60 })).message, /at least 30 minutes/)
  // Dropped from the API; payment methods are chosen in the dashboard.
  assert.equal((await create({ payment_method_types: ['card'] })).code, 'parameter_unknown')
})
