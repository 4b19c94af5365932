import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS, createCheckout, createPrices, DAY, HOUR, refusal, START, startPayments } from './test/fixture.ts'

test('a lookup key belongs to one price and moves only with transfer_lookup_key', async (t) => {
  const fixture = await startPayments(t)
  const { stripe } = fixture
  const { starter, addon } = await createPrices(fixture)
  const { product } = await fixture.find('prices', starter)
  const price = {
    product: String(product),
    currency: 'brl',
    unit_amount: 10_900,
    lookup_key: 'starter',
    recurring: { interval: 'month' as const },
  }
  const find = async (lookup_keys: string[]) =>
    (await stripe.prices.list({ lookup_keys, active: true })).data.map(({ id }) => id).sort()

  const before = await find(['starter', 'addon', 'none'])
  const refused = await refusal(stripe.prices.create(price))
  const moved = await stripe.prices.create({ ...price, transfer_lookup_key: true })

  assert.deepEqual(before, [starter, addon].sort())
  assert.equal(refused.message, `A price (\`${starter}\`) already uses that lookup key.`)
  assert.equal((await fixture.find('prices', starter)).lookup_key, null)
  assert.deepEqual(await find(['starter']), [moved.id])
})

test('paying starts the subscription and completes the session', async (t) => {
  const fixture = await startPayments(t)
  const { stripe } = fixture
  const { starter } = await createPrices(fixture)
  const { id: customer } = await stripe.customers.create({ email: 'maria@example.com' })
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: 'org-1',
    success_url: 'http://localhost/',
    subscription_data: { metadata: { organization: 'org-1' } },
    line_items: [{ price: starter, quantity: 1 }],
  })

  await fixture.pay(session.id)

  assert.deepEqual([session.status, session.amount_total], ['open', 9_900])
  assert.match(session.url ?? '', /^http:\/\/127\.0\.0\.1:\d+\/c\/pay\/cs_test_/)
  const paid = await fixture.find('checkout_sessions', session.id)
  assert.deepEqual([paid.status, paid.url, paid.client_reference_id], ['complete', null, 'org-1'])
  const subscription = await fixture.find('subscriptions', String(paid.subscription))
  assert.deepEqual([subscription.status, subscription.metadata], ['active', { organization: 'org-1' }])
  const item = subscription.items.data[0]!
  const start = START.getTime() / 1_000
  assert.deepEqual([item.current_period_start, item.current_period_end], [start, start + 30 * DAY])
  const invoice = await fixture.find('invoices', String(subscription.latest_invoice))
  assert.deepEqual(
    [invoice.status, invoice.amount_paid, invoice.billing_reason],
    ['paid', 9_900, 'subscription_create'],
  )
  assert.equal(invoice.parent?.subscription_details?.subscription, subscription.id)
  assert.equal(invoice.lines.data[0]?.description, '1 × Starter (at R$99.00 / month)')
})

test('a declined card leaves the session open, and each session is paid once', async (t) => {
  const fixture = await startPayments(t)
  const { starter } = await createPrices(fixture)
  const { id: customer } = await fixture.stripe.customers.create({})
  const session = await createCheckout(fixture, starter, customer)

  const declined = await fixture.pay(session.id, CARDS.declined)
  const mistyped = await fixture.pay(session.id, '4242424242424241')

  assert.deepEqual([declined.status, declined.error?.decline_code], ['open', 'generic_decline'])
  assert.equal(mistyped.error?.code, 'incorrect_number')
  assert.deepEqual([await fixture.list('subscriptions'), await fixture.list('invoices')], [[], []])
  const second = await createCheckout(fixture, starter, customer)
  for (const { id } of [session, second]) {
    assert.equal((await fixture.pay(id)).status, 'complete')
    await assert.rejects(fixture.pay(id), /This Checkout Session is complete/)
  }
  assert.equal((await fixture.stripe.subscriptions.list({ customer })).data.length, 2)
})

test('an open session expires on request or after a day and cannot be paid then', async (t) => {
  const fixture = await startPayments(t)
  const { stripe } = fixture
  const { starter } = await createPrices(fixture)
  const { id: customer } = await stripe.customers.create({})
  const [first, second] = [
    await createCheckout(fixture, starter, customer),
    await createCheckout(fixture, starter, customer),
  ]

  const expired = await stripe.checkout.sessions.expire(first.id)
  await fixture.advance(DAY - HOUR)
  const stillOpen = await stripe.checkout.sessions.list({ customer, status: 'open' })
  await fixture.advance(HOUR)

  assert.deepEqual([expired.status, expired.url], ['expired', null])
  assert.deepEqual(
    stillOpen.data.map(({ id }) => id),
    [second.id],
  )
  assert.equal((await fixture.find('checkout_sessions', second.id)).status, 'expired')
  assert.equal(fixture.received().filter((type) => type === 'checkout.session.expired').length, 2)
  assert.match((await refusal(stripe.checkout.sessions.expire(first.id))).message, /has a status of `expired`/)
  await assert.rejects(fixture.pay(second.id), /This Checkout Session is expired/)
})

test('an invalid session is refused', async (t) => {
  const fixture = await startPayments(t)
  const { starter } = await createPrices(fixture)
  const { id: customer } = await fixture.stripe.customers.create({})
  const valid = {
    mode: 'subscription' as const,
    customer,
    success_url: 'http://localhost/',
    line_items: [{ price: starter, quantity: 1 }],
  }
  const create = (params: object) => refusal(fixture.stripe.checkout.sessions.create({ ...valid, ...params }))

  assert.equal((await create({ mode: 'payment' })).param, 'mode')
  assert.equal((await create({ customer: 'cus_none' })).code, 'resource_missing')
  assert.equal((await create({ line_items: [{ price: 'price_none', quantity: 1 }] })).code, 'resource_missing')
  assert.match((await create({ line_items: [{ price: starter }] })).message, /^Quantity is required/)
  assert.equal((await create({ success_url: 'nowhere' })).code, 'url_invalid')
  // Removed from Stripe's API: payment methods are chosen in the dashboard.
  assert.equal((await create({ payment_method_types: ['card'] })).code, 'parameter_unknown')
})
