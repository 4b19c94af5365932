import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startUpstream } from '../../test/upstream.ts'
import { createStripePayments } from './stripe.ts'
import { createStripeClient } from './stripe-client.ts'

const CATALOG = [
  { lookupKey: 'hubline_plan', name: 'Plan', unitAmount: 1000, currency: 'brl' },
  { lookupKey: 'hubline_more', name: 'More', unitAmount: 100, currency: 'brl' },
]

/** The adapter and a Stripe client, both connected to their own simulator. */
async function start(t: TestContext) {
  const { simulator } = await startUpstream(t)
  const payments = createStripePayments({ ...simulator.payments })
  const { stripe, close } = createStripeClient({ ...simulator.payments })
  t.after(async () => {
    close()
    await payments[Symbol.asyncDispose]()
  })
  const objects = async (kind: string) =>
    (await simulator.control<Record<string, Record<string, unknown>[]>>('GET', `/payments/objects/${kind}`))[kind] ?? []
  return { simulator, payments, stripe, objects }
}

async function subscribe({ payments }: Pick<Awaited<ReturnType<typeof start>>, 'payments'>) {
  const { prices } = unwrap(await payments.createCatalog(CATALOG))
  const { id: customerId } = unwrap(await payments.createCustomer({ organizationId: 'o', name: 'Acme' }, 'customer'))
  unwrap(await payments.subscribeWithTestCard({ customerId, price: prices.hubline_plan ?? '' }, 'subscription'))
  return { prices, customerId }
}

/** The value of a call that must succeed. */
function unwrap<T>(result: { ok: true; value: T } | { ok: false; failure: { kind: string } }): T {
  if (!result.ok) throw new Error(`The call failed: ${result.failure.kind}`)
  return result.value
}

test('createCatalog creates the missing prices once and leaves existing ones unchanged', async (t) => {
  const { payments, objects } = await start(t)

  const first = unwrap(await payments.createCatalog(CATALOG.slice(0, 1)))
  const second = unwrap(await payments.createCatalog(CATALOG.map((item) => ({ ...item, unitAmount: 77_777 }))))

  assert.deepEqual(Object.keys(second.prices).sort(), ['hubline_more', 'hubline_plan'])
  assert.equal(second.prices.hubline_plan, first.prices.hubline_plan)
  assert.equal(second.portal, first.portal)
  assert.deepEqual(
    (await objects('prices')).map(({ lookup_key, unit_amount }) => [lookup_key, unit_amount]),
    [
      ['hubline_plan', 1000],
      ['hubline_more', 77_777],
    ],
  )
})

test('concurrent calls of createCatalog create each price and the portal once', async (t) => {
  const { payments, objects } = await start(t)

  await Promise.all([payments.createCatalog(CATALOG), payments.createCatalog(CATALOG)])

  const lookupKeys = (await objects('prices')).map(({ lookup_key }) => lookup_key)
  assert.deepEqual(lookupKeys.sort(), ['hubline_more', 'hubline_plan'])
  assert.equal((await objects('portal_configurations')).length, 1)
})

test('a subscription keeps its catalog key when the lookup key moves to another price', async (t) => {
  const fixture = await start(t)
  const { payments, stripe } = fixture
  const { prices, customerId } = await subscribe(fixture)
  const price = { currency: 'brl', recurring: { interval: 'month' as const }, product: 'hubline_plan' }
  const lookup = { lookup_key: 'hubline_plan', transfer_lookup_key: true }
  const older = await stripe.prices.create({ ...price, ...lookup, unit_amount: 2000 })
  const customer = unwrap(await payments.createCustomer({ organizationId: 'p', name: 'Padaria' }, 'another'))
  unwrap(await payments.subscribeWithTestCard({ customerId: customer.id, price: older.id }, 'another subscription'))
  await stripe.prices.create({ ...price, ...lookup, unit_amount: 3000 })

  const states = [
    unwrap(await payments.fetchCustomerState(customerId)),
    unwrap(await payments.fetchCustomerState(customer.id)),
  ]

  for (const { subscriptions } of states) assert.equal(subscriptions[0]?.items[0]?.lookupKey, 'hubline_plan')
  assert.notEqual(unwrap(await payments.findPrices(['hubline_plan'])).get('hubline_plan'), prices.hubline_plan)
})

test('fetchCustomerState returns the items, the period and the payment state of a subscription', async (t) => {
  const fixture = await start(t)
  const { customerId } = await subscribe(fixture)

  const { subscriptions, openCheckouts } = unwrap(await fixture.payments.fetchCustomerState(customerId))

  const [own, ...more] = subscriptions
  assert.deepEqual([more, openCheckouts], [[], []])
  assert.deepEqual([own?.status, own?.hasEverPaid, own?.currency, own?.cancelsAt], ['active', true, 'brl', null])
  assert.deepEqual(
    own?.items.map(({ lookupKey, quantity }) => [lookupKey, quantity]),
    [['hubline_plan', 1]],
  )
  assert.ok(Date.parse(own?.periodEnd ?? '') > Date.parse(own?.periodStart ?? ''))
})

test('cancelsAt is the date of a cancellation by the API or the portal, and null once it has ended', async (t) => {
  const fixture = await start(t)
  const { payments, stripe, simulator } = fixture
  const { customerId } = await subscribe(fixture)
  const own = async () => unwrap(await payments.fetchCustomerState(customerId)).subscriptions[0]
  const id = (await own())?.id ?? ''

  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  const byApi = await own()
  await stripe.subscriptions.update(id, { cancel_at_period_end: false })
  await simulator.control('POST', `/payments/customers/${customerId}/portal`, { action: 'cancel' })
  const inPortal = await own()
  await stripe.subscriptions.cancel(id)

  assert.equal(byApi?.cancelsAt, byApi?.periodEnd)
  assert.equal(inPortal?.cancelsAt, inPortal?.periodEnd)
  assert.equal((await own())?.cancelsAt, null)
})

test('a failure is a missing customer, a refusal, an unavailable provider or a wrong setting', async (t) => {
  const { simulator, payments } = await start(t)
  const unauthorized = createStripePayments({ ...simulator.payments, secretKey: 'sk_test_wrong' })
  const unreachable = createStripePayments({ ...simulator.payments, url: 'http://127.0.0.1:9' })
  t.after(async () => {
    for (const one of [unauthorized, unreachable]) await one[Symbol.asyncDispose]()
  })
  const { prices, customerId } = await subscribe({ payments })
  const price = prices.hubline_plan ?? ''
  const checkout = { organizationId: 'o', customerId, price, returnUrl: 'http://127.0.0.1/' }

  const results = {
    missing: await payments.createCheckoutSession({ ...checkout, customerId: 'cus_none' }, 'missing'),
    fetched: await payments.fetchCustomerState('cus_none'),
    missingPrice: await payments.createCheckoutSession({ ...checkout, price: 'price_none' }, 'price'),
    refused: await payments.createCheckoutSession({ ...checkout, returnUrl: 'nonsense' }, 'refused'),
    misconfigured: await unauthorized.findPrices(['hubline_plan']),
    unreachable: await unreachable.findPrices(['hubline_plan']),
  }
  await simulator.control('POST', '/faults', { kind: 'throttle', path: '/v1/prices', times: null })
  const throttled = await payments.findPrices(['hubline_plan'])

  const kinds = [...Object.values(results), throttled].map((result) => (result.ok ? 'ok' : result.failure.kind))
  assert.deepEqual(kinds, [
    'customer_missing',
    'customer_missing',
    'refused',
    'refused',
    'misconfigured',
    'unavailable',
    'unavailable',
  ])
})

test('concurrent writes with the same key take effect once', async (t) => {
  const { payments, objects } = await start(t)
  const customer = { organizationId: 'o', name: 'Acme' }

  const created = await Promise.all([1, 2, 3].map(() => payments.createCustomer(customer, 'the key')))

  assert.equal(new Set(created.map((result) => (result.ok ? result.value.id : result.failure.kind))).size, 1)
  assert.equal((await objects('customers')).length, 1)
})
