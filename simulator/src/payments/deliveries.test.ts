import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import { createSimulator } from '../server.ts'
import { type Bench, checkout, clientOf, DAY, openShop, startBench, subscribe } from './test/bench.ts'

interface Posted {
  webhooks: { id: string; type: string; event: string; state: string; attempts: { status: number | null }[] }[]
}

/** What a receiver with the SDK makes of each post: the type of the event, or that it was refused. */
function verdicts({ receiver, simulator }: Bench): string[] {
  return receiver.posts.map(({ raw, headers }) => {
    try {
      const header = String(headers['stripe-signature'] ?? '')
      return Stripe.webhooks.constructEvent(raw, header, simulator.payments.webhookSecret).type
    } catch {
      return 'refused'
    }
  })
}

test('webhooks are signed so that the SDK accepts them, and show the object as it was', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)

  await bench.stripe.subscriptions.update(subscription, { metadata: { seen: 'yes' } })
  await bench.advance(0)

  assert.ok(!verdicts(bench).includes('refused'))
  const { raw } = bench.receiver.posts.at(-1)!
  const event = JSON.parse(raw.toString()) as Stripe.CustomerSubscriptionUpdatedEvent
  assert.deepEqual([event.type, event.api_version], ['customer.subscription.updated', '2026-10-28.endive'])
  assert.deepEqual([event.data.object.id, event.data.object.customer], [subscription, customer])
  assert.deepEqual(event.data.object.metadata, { seen: 'yes' })
  assert.deepEqual(event.data.previous_attributes, { metadata: {} })
  assert.match(event.request?.id ?? '', /^req_/)
  const stored = await bench.stripe.events.retrieve(event.id)
  assert.deepEqual([event.pending_webhooks, stored.pending_webhooks], [1, 0])
})

test('a purchase reports everything that a subscription product listens to', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  await subscribe(bench, starter)

  const types = bench.arrived()

  for (const type of [
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'checkout.session.completed',
  ]) {
    assert.ok(types.includes(type as Stripe.Event.Type), type)
  }
  const listed = await bench.stripe.events.list({ types: ['invoice.*', 'checkout.session.completed'] })
  assert.deepEqual(
    listed.data.map(({ type }) => type),
    [
      ...['checkout.session.completed', 'invoice.payment_succeeded', 'invoice.paid'],
      ...['invoice.finalized', 'invoice.created'],
    ],
  )
})

test('what was tampered with on the way is refused by the SDK', async (t) => {
  const bench = await startBench(t)

  for (const corrupt of ['signature', 'body', 'timestamp', 'header', 'none']) {
    await bench.control('PUT', '/payments/webhooks/policy', { corrupt })
    await bench.stripe.customers.create({})
    await bench.advance(0)
  }

  assert.deepEqual(verdicts(bench), ['refused', 'refused', 'refused', 'refused', 'customer.created'])
})

test('events can come twice, turned around, late, or not at all', async (t) => {
  const bench = await startBench(t)
  const { control, receiver } = bench
  const { starter } = await openShop(bench)
  const { id: customer } = await bench.stripe.customers.create({})
  const session = await checkout(bench, starter, customer)
  await bench.advance(0)
  receiver.posts.length = 0

  await control('PUT', '/payments/webhooks/policy', {
    ...{ duplicates: 1, order: 'reversed', delay_ms: 60_000, drop: ['invoice.paid'] },
  })
  await bench.pay(session.id)
  const early = receiver.posts.length
  await bench.advance(61)

  assert.equal(early, 0)
  const types = bench.arrived()
  assert.deepEqual(types.slice(0, 2), ['checkout.session.completed', 'checkout.session.completed'])
  assert.equal(types.at(-1), 'payment_method.attached')
  assert.equal(types.filter((type) => type === 'invoice.finalized').length, 2)
  assert.ok(!types.includes('invoice.paid'))
  const { webhooks } = await control<Posted>('GET', '/payments/webhooks?type=invoice.paid')
  assert.equal(webhooks[0]?.state, 'dropped')
})

test('one seed shuffles in one way', async (t) => {
  const orders: string[] = []
  for (const seed of ['one', 'one', 'two']) {
    const bench = await startBench(t, { seed })
    await bench.control('PUT', '/payments/webhooks/policy', { order: 'shuffled' })
    const { starter } = await openShop(bench)
    await subscribe(bench, starter)
    await bench.advance(1)
    orders.push(bench.arrived().join())
  }

  assert.equal(orders[0], orders[1])
  assert.notEqual(orders[0], orders[2])
})

test('an event is retried until it is taken, for three days', async (t) => {
  const bench = await startBench(t)
  const { control, receiver } = bench
  receiver.answers.push(500, 302, 204)
  await bench.stripe.customers.create({ name: 'Ana' })
  await bench.advance(0)
  const first = await control<Posted>('GET', '/payments/webhooks')
  await bench.advance(DAY)
  const taken = await control<Posted>('GET', '/payments/webhooks')

  receiver.answers.push(...Array<number>(20).fill(500))
  await bench.stripe.customers.create({ name: 'Bia' })
  await bench.advance(4 * DAY)
  const given = await control<Posted>('GET', '/payments/webhooks?state=failed')

  assert.equal(first.webhooks[0]?.state, 'retrying')
  assert.deepEqual(
    taken.webhooks[0]?.attempts.map(({ status }) => status),
    [500, 302, 204],
  )
  assert.equal(taken.webhooks[0]?.state, 'delivered')
  assert.equal(given.webhooks.length, 1)
  const unsent = await bench.stripe.events.list({ delivery_success: false })
  assert.deepEqual(
    unsent.data.map(({ id }) => id),
    [given.webhooks[0]?.event],
  )
})

test('an event can be delivered again, freshly signed', async (t) => {
  const bench = await startBench(t)
  await bench.stripe.customers.create({ name: 'Ana' })
  await bench.advance(0)
  const { data } = await bench.stripe.events.list()

  await bench.control('POST', `/payments/events/${data[0]?.id}/redeliver`)

  assert.deepEqual(verdicts(bench), ['customer.created', 'customer.created'])
  const [one, two] = bench.receiver.posts.map(({ raw }) => (JSON.parse(raw.toString()) as Stripe.Event).id)
  assert.equal(one, two)
})

test('the signature can tell the simulated time, and the callback can ask for some events only', async (t) => {
  const bench = await startBench(t)
  const { receiver } = bench
  await bench.control('PUT', '/payments/callback', { url: receiver.url, enabled_events: ['product.created'] })
  await bench.control('PUT', '/payments/webhooks/policy', { signed_at: 'clock' })

  await bench.stripe.customers.create({})
  await bench.stripe.products.create({ name: 'Hub' })
  await bench.advance(0)

  assert.deepEqual(bench.arrived(), ['product.created'])
  const header = String(receiver.posts[0]?.headers['stripe-signature'])
  const secret = bench.simulator.payments.webhookSecret
  const at = (await bench.now()) * 1_000
  const { raw } = receiver.posts[0]!
  assert.ok(Stripe.webhooks.constructEvent(raw, header, secret, undefined, undefined, at))
  assert.match(header, new RegExp(`^t=${at / 1_000},v1=[0-9a-f]{64},v0=[0-9a-f]{64}$`))
})

test('without a callback nothing is posted, and everything is remembered', async () => {
  await using simulator = createSimulator({ clock: 'manual' })
  await simulator.listen()
  const stripe = clientOf(simulator.payments)

  await stripe.customers.create({})
  await simulator.control('POST', '/payments/clock', { advance_days: 1 })

  const { webhooks } = await simulator.control<Posted>('GET', '/payments/webhooks')
  assert.deepEqual(
    webhooks.map(({ state, attempts }) => [state, attempts.length]),
    [['withheld', 0]],
  )
  const { data } = await stripe.events.list()
  assert.deepEqual(
    data.map(({ type, pending_webhooks }) => [type, pending_webhooks]),
    [['customer.created', 0]],
  )
})
