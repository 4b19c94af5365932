import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import Stripe from 'stripe'
import { cloneTemplate } from '../../../../../test/database.ts'
import { startHub } from '../../../../../test/hub.ts'
import {
  type Fixture,
  FREE,
  type Owner,
  readEntitlement,
  requestCheckout,
  STARTER,
  setAddons,
  startBilling,
} from '../../test/fixture.ts'

/** Posts a callback, signed with the given secret. */
async function post(
  fixture: Fixture,
  payload: string,
  {
    secret = fixture.up.simulator.payments.webhookSecret,
    sent = payload,
    timestamp = Math.floor(Date.now() / 1000),
  } = {},
) {
  const signature = new Stripe('sk_test_none').webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return fixture.hub.anonymous.send('POST', '/hooks/billing', {
    raw: sent,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  })
}

function buildEvent(id: string, object: object, type = 'customer.subscription.updated'): string {
  return JSON.stringify({ id, object: 'event', type, data: { object } })
}

/** The hub gets no callbacks from now on. */
async function stopCallbacks(fixture: Fixture): Promise<void> {
  await fixture.control('PUT', '/payments/callback', { url: 'http://127.0.0.1:9/nowhere' })
}

async function payWithoutCallback(fixture: Fixture, owner: Owner): Promise<void> {
  await stopCallbacks(fixture)
  const opened = await requestCheckout(owner, 'starter')
  await fixture.payCheckout(opened.body.data.checkout_url)
}

async function listStoredEvents(fixture: Fixture, ids: string[]) {
  const rows = await fixture.hub.sql<{ id: string; is_handled: boolean }[]>`
    select id, handled_at is not null as is_handled
    from payment_events
    where id = any(${ids}::text[])
    order by id`
  return [...rows]
}

test('a callback makes the hub fetch the customer, and the fetched state counts', {
  rules: ['billing.quota-counts-once-paid', 'billing.provider-callbacks-are-taken'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await payWithoutCallback(fixture, acme)
  const before = await readEntitlement(acme)
  const customer = await fixture.findCustomerId(acme)

  const answer = await post(fixture, buildEvent('evt_hint', { customer, status: 'canceled', items: [] }))

  assert.equal(answer.status, 200)
  assert.equal(before.plan, 'free')
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('a callback that claims a payment changes nothing if the provider has no paid invoice', {
  rules: ['billing.quota-counts-once-paid'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await requestCheckout(acme, 'pro')
  const customer = await fixture.findCustomerId(acme)

  for (const type of ['invoice.paid', 'checkout.session.completed', 'customer.subscription.created']) {
    const claimed = { customer, status: 'active', payment_status: 'paid', amount_paid: 34_900 }
    await post(fixture, buildEvent(`evt_${type}`, claimed, type))
  }

  assert.deepEqual(await readEntitlement(acme), { ...FREE, status: 'pending_payment' })
})

test('an event that arrives several times is handled once', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await requestCheckout(acme, 'starter')
  const payload = buildEvent('evt_once', { customer: await fixture.findCustomerId(acme) })
  const countFetches = async () => (await fixture.requests('/v1/subscriptions')).length
  const before = await countFetches()

  const answers = await Promise.all(Array.from({ length: 5 }, () => post(fixture, payload)))
  await post(fixture, payload)

  for (const { status } of answers) assert.equal(status, 200)
  assert.equal((await countFetches()) - before, 1)
  assert.deepEqual(await listStoredEvents(fixture, ['evt_once']), [{ id: 'evt_once', is_handled: true }])
})

for (const [what, send] of [
  [
    'signed with another secret',
    (fixture: Fixture, payload: string) => post(fixture, payload, { secret: 'whsec_other' }),
  ],
  [
    'changed after it was signed',
    (fixture: Fixture, payload: string) => post(fixture, payload, { sent: `${payload} ` }),
  ],
  [
    'not signed at all',
    (fixture: Fixture, payload: string) => fixture.hub.anonymous.send('POST', '/hooks/billing', { raw: payload }),
  ],
  [
    'signed with nonsense',
    (fixture: Fixture, payload: string) =>
      fixture.hub.anonymous.send('POST', '/hooks/billing', {
        raw: payload,
        headers: { 'stripe-signature': 't=1,v1=00' },
      }),
  ],
  ['empty', (fixture: Fixture, _payload: string) => post(fixture, '')],
  ['not JSON', (fixture: Fixture, _payload: string) => post(fixture, 'not JSON')],
] as const) {
  test(`a callback that is ${what} is 401 and is not stored`, {
    rules: ['billing.provider-callbacks-are-taken'],
  }, async (t) => {
    const fixture = await startBilling(t)
    const id = `evt_${what.replaceAll(' ', '_')}`

    const answer = await send(fixture, buildEvent(id, { customer: 'cus_1' }))

    assert.equal(answer.status, 401)
    assert.equal(answer.body.error.code, 'UNAUTHORIZED')
    assert.deepEqual(await listStoredEvents(fixture, [id]), [])
  })
}

// A callback that was delayed for days must still count; replaying one only makes the hub fetch the customer.
test('a callback with an old signature, or a replay after its retention, only causes a fetch', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const payload = buildEvent('evt_old', { customer: await fixture.findCustomerId(acme), status: 'canceled' })
  const timestamp = Math.floor(Date.now() / 1000) - 200 * 86_400

  const late = await post(fixture, payload, { timestamp })
  await fixture.hub.clock.advance('91 days')
  await fixture.hub.context.paymentCallbacks.deleteOld()
  const replayed = await post(fixture, payload, { timestamp })

  assert.deepEqual([late.status, replayed.status], [200, 200])
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('an event of an unknown customer is stored and causes no fetch', async (t) => {
  const fixture = await startBilling(t)
  const before = (await fixture.requests('/v1/')).length

  const answers = [
    await post(fixture, buildEvent('evt_unknown', { customer: 'cus_unknown' })),
    await post(fixture, buildEvent('evt_product', { object: 'product', id: 'prod_1' })),
  ]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await fixture.requests('/v1/')).length, before)
  assert.deepEqual(
    (await listStoredEvents(fixture, ['evt_product', 'evt_unknown'])).map(({ is_handled }) => is_handled),
    [true, true],
  )
})

// Several cells may share one account of the provider, which then calls each of them about the customers of all.
test('an event of a customer of another cell is ignored, and the plan stays there', {
  rules: ['billing.foreign-customers-are-ignored'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const customer = await fixture.findCustomerId(acme)
  const database = await cloneTemplate()
  t.after(() => database.drop())
  const other = await startHub(t, { database, simulator: fixture.up.simulator })
  const before = (await fixture.requests('/v1/')).length

  const answers = []
  for (const type of ['invoice.paid', 'customer.subscription.updated', 'customer.deleted']) {
    const payload = buildEvent(`evt_foreign_${type}`, { customer, id: customer, status: 'active' }, type)
    answers.push((await post({ ...fixture, hub: other }, payload)).status)
  }
  await other.context.paymentCallbacks.retryOpen()
  await other.context.sync.reconcile()

  assert.deepEqual(answers, [200, 200, 200])
  assert.equal((await fixture.requests('/v1/')).length, before)
  const [row] = await database.sql`
    select (select count(*)::int from subscriptions) as subscriptions,
           (select count(*)::int from payment_events where handled_at is null) as open`
  assert.deepEqual(row, { subscriptions: 0, open: 0 })
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('an event that arrives while the provider is unavailable is handled later', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await payWithoutCallback(fixture, acme)
  await fixture.fault('error', '/v1/subscriptions', { times: null })

  const answer = await post(fixture, buildEvent('evt_late', { customer: await fixture.findCustomerId(acme) }))
  const before = await readEntitlement(acme)
  await fixture.liftFaults()
  await fixture.hub.clock.advance('1 minute')
  await fixture.hub.context.paymentCallbacks.retryOpen()

  assert.equal(answer.status, 200)
  assert.equal(before.plan, 'free')
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.deepEqual(await listStoredEvents(fixture, ['evt_late']), [{ id: 'evt_late', is_handled: true }])
})

test('reconciliation finds a payment without a callback within an hour, and a cancellation within a day', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await payWithoutCallback(fixture, acme)

  await fixture.hub.context.sync.reconcile()
  const early = await readEntitlement(acme)
  await fixture.hub.clock.advance('1 hour')
  await fixture.hub.context.sync.reconcile()
  const paid = await readEntitlement(acme)
  const [subscription] = await fixture.listOwned(acme, 'subscriptions')
  await new Stripe(fixture.up.simulator.payments.secretKey, toStripeAddress(fixture)).subscriptions.cancel(
    subscription.id,
  )
  await fixture.hub.clock.advance('1 day')
  await fixture.hub.context.sync.reconcile()

  assert.equal(early.status, 'pending_payment')
  assert.deepEqual(paid, STARTER)
  assert.deepEqual(await readEntitlement(acme), { ...FREE, status: 'canceled' })
})

test('a failed fetch of one customer does not stop the reconciliation of the others', async (t) => {
  const fixture = await startBilling(t)
  const [broken, acme] = [await fixture.hub.organization(), await fixture.hub.organization()]
  await payWithoutCallback(fixture, acme)
  await requestCheckout(broken, 'pro')
  await fixture.hub.clock.advance('1 hour')
  await fixture.fault('error', '/v1/subscriptions', { times: 2 })

  await fixture.hub.context.sync.reconcile()
  await fixture.hub.clock.advance('1 hour')
  await fixture.hub.context.sync.reconcile()

  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('the result of an earlier fetch does not overwrite that of a later one', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const path = '/v1/checkout/sessions'
  // The first fetch gets its response last, with the state of when it started.
  await fixture.fault('latency', path, { times: 1, latency_ms: 1500 })

  const before = (await fixture.requests('/v1/subscriptions')).length
  const slow = fixture.hub.context.sync.refresh(acme.organizationId)
  while ((await fixture.requests('/v1/subscriptions')).length === before) await delay(5)
  await setAddons(acme, { total: 3 })
  await slow

  assert.equal((await readEntitlement(acme)).addons, 3)
})

test('a subscription that changes to an unknown price keeps its plan, and the hub logs an error', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const stripe = new Stripe(fixture.up.simulator.payments.secretKey, toStripeAddress(fixture))
  const [subscription] = await fixture.listOwned(acme, 'subscriptions')
  const product = await stripe.products.create({ name: 'Something else' })
  const price = { currency: 'brl', unit_amount: 5000, recurring: { interval: 'month' as const }, product: product.id }
  const { id } = await stripe.prices.create(price)
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id: subscription.items.data[0].id, price: id }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })

  await fixture.sendCallbacks()

  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.ok(fixture.hub.logs.some((line) => line.includes('has no known price')))
})

test('with billing off a callback is 404', async (t) => {
  const fixture = await startBilling(t, { env: { BILLING: 'off' } })

  const answer = await post(fixture, buildEvent('evt_off', { customer: 'cus_1' }))

  assert.equal(answer.status, 404)
})

function toStripeAddress(fixture: Fixture) {
  const { hostname, port } = new URL(fixture.up.simulator.payments.url)
  return { host: hostname, port, protocol: 'http' as const }
}

test('a callback with a malformed signature header is 401', async (t) => {
  const { hub } = await startBilling(t)

  for (const signature of ['t=,v1=', 't=1,v1=', ',', 't', '=', 'v1=é', 't=1,v1=00,v1=00', 't=1'.repeat(1000)]) {
    for (const raw of ['', '{}', 'null']) {
      const answer = await hub.anonymous.send('POST', '/hooks/billing', {
        raw,
        headers: { 'stripe-signature': signature },
      })
      assert.deepEqual([answer.status, answer.body.error.code], [401, 'UNAUTHORIZED'], signature)
    }
  }
})
