import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import { createSimulator } from '../server.ts'
import { createCheckout, createPrices, createStripeClient, DAY, startPayments, subscribe } from './test/fixture.ts'

interface Posts {
  webhooks: { id: string; type: string; event: string; state: string; attempts: { status: number | null }[] }[]
}

test('a webhook has a signature that the SDK accepts, and a snapshot of its object', async (t) => {
  const fixture = await startPayments(t)
  const { receiver, simulator } = fixture
  const { starter } = await createPrices(fixture)
  const { customer, subscription } = await subscribe(fixture, starter)

  await fixture.stripe.subscriptions.update(subscription, { cancel_at_period_end: true })
  await fixture.advance(0)
  await fixture.stripe.subscriptions.update(subscription, { cancel_at_period_end: false })

  const { raw, headers } = receiver.posts.at(-1)!
  const header = String(headers['stripe-signature'])
  assert.match(header, /^t=\d+,v1=[0-9a-f]{64},v0=[0-9a-f]{64}$/)
  const { webhookSecret } = simulator.payments
  const event = Stripe.webhooks.constructEvent(raw, header, webhookSecret) as Stripe.CustomerSubscriptionUpdatedEvent
  assert.throws(() => Stripe.webhooks.constructEvent(raw, header, 'whsec_other'))
  assert.deepEqual([event.type, event.api_version], ['customer.subscription.updated', '2026-10-28.endive'])
  assert.deepEqual([event.data.object.id, event.data.object.customer], [subscription, customer])
  assert.equal(event.data.object.cancel_at_period_end, true)
  assert.equal(event.data.previous_attributes?.cancel_at_period_end, false)
  assert.deepEqual([event.pending_webhooks, (await fixture.find('events', event.id)).pending_webhooks], [1, 0])
})

test('a purchase sends the events of the subscription, the invoice and the session in order', async (t) => {
  const fixture = await startPayments(t)
  const { starter } = await createPrices(fixture)

  await subscribe(fixture, starter)

  assert.deepEqual(fixture.received().slice(-7), [
    'payment_method.attached',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.created',
    'checkout.session.completed',
  ])
})

test('the policy sends events twice, in reverse order, or not at all', async (t) => {
  const fixture = await startPayments(t)
  const { control, receiver } = fixture
  const { starter } = await createPrices(fixture)
  const { id: customer } = await fixture.stripe.customers.create({})
  const session = await createCheckout(fixture, starter, customer)
  await fixture.advance(0)
  receiver.posts.length = 0

  await control('PUT', '/payments/webhooks/policy', { duplicates: 1, order: 'reversed', drop: ['invoice.paid'] })
  await fixture.pay(session.id)
  await fixture.advance(1)

  const types = fixture.received()
  assert.deepEqual(types.slice(0, 2), ['checkout.session.completed', 'checkout.session.completed'])
  assert.equal(types.at(-1), 'payment_method.attached')
  assert.equal(types.filter((type) => type === 'invoice.finalized').length, 2)
  assert.ok(!types.includes('invoice.paid'))
  const { webhooks } = await control<Posts>('GET', '/payments/webhooks?type=invoice.paid')
  assert.equal(webhooks[0]?.state, 'dropped')
})

test('the same seed shuffles events into the same order', async (t) => {
  const orders: string[] = []
  for (const seed of ['one', 'one', 'two']) {
    const fixture = await startPayments(t, { seed })
    await fixture.control('PUT', '/payments/webhooks/policy', { order: 'shuffled' })
    const { starter } = await createPrices(fixture)
    await subscribe(fixture, starter)
    await fixture.advance(1)
    orders.push(fixture.received().join())
  }

  assert.equal(orders[0], orders[1])
  assert.notEqual(orders[0], orders[2])
})

test('a webhook is retried until the receiver accepts it, for three days', async (t) => {
  const fixture = await startPayments(t)
  const { control, receiver, stripe } = fixture
  receiver.answers.push(500, 302, 204)
  await stripe.customers.create({ name: 'Ana' })
  await fixture.advance(0)
  const first = await control<Posts>('GET', '/payments/webhooks')
  await fixture.advance(DAY)
  const accepted = await control<Posts>('GET', '/payments/webhooks')

  receiver.answers.push(...Array<number>(20).fill(500))
  await stripe.customers.create({ name: 'Bia' })
  await fixture.advance(4 * DAY)
  const failed = await control<Posts>('GET', '/payments/webhooks?state=failed')

  assert.equal(first.webhooks[0]?.state, 'retrying')
  assert.deepEqual(
    accepted.webhooks[0]?.attempts.map(({ status }) => status),
    [500, 302, 204],
  )
  assert.equal(accepted.webhooks[0]?.state, 'delivered')
  assert.equal(failed.webhooks.length, 1)
  const undelivered = (await fixture.list('events')).filter((event) => event.pending_webhooks > 0)
  assert.deepEqual(
    undelivered.map(({ id }) => id),
    [failed.webhooks[0]?.event],
  )
})

test('an event can be delivered again', async (t) => {
  const fixture = await startPayments(t)
  await fixture.stripe.customers.create({ name: 'Ana' })
  await fixture.advance(0)
  const [event] = await fixture.list('events')

  await fixture.control('POST', `/payments/events/${event?.id}/redeliver`)

  const ids = fixture.receiver.posts.map(({ raw }) => (JSON.parse(raw.toString()) as Stripe.Event).id)
  assert.deepEqual(ids, [event?.id, event?.id])
})

test('without a callback events are recorded and withheld', async () => {
  await using simulator = createSimulator({ clock: 'manual' })
  await simulator.listen()

  await createStripeClient(simulator.payments).customers.create({})
  await simulator.control('POST', '/payments/clock', { advance_days: 1 })

  const { webhooks } = await simulator.control<Posts>('GET', '/payments/webhooks')
  assert.deepEqual(
    webhooks.map(({ type, state, attempts }) => [type, state, attempts.length]),
    [['customer.created', 'withheld', 0]],
  )
})
