import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSimulator } from '../server.ts'
import { startReceiver } from '../test/receiver.ts'
import { createPrices, createStripeClient, DAY, START, startPayments, subscribe } from './test/fixture.ts'

async function startWithFile(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'simulator-payments-'))
  const receiver = await startReceiver('unused')
  t.after(async () => {
    await receiver.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { receiver, stateFile: join(directory, 'state') }
}

test('a state file keeps the objects and the scheduled work over a restart', async (t) => {
  const { receiver, stateFile } = await startWithFile(t)
  const payments = { callbackUrl: receiver.url }
  const options = { clock: 'manual' as const, seed: 'test', now: START, stateFile, payments }
  const first = createSimulator(options)
  await first.listen()
  const stripe = createStripeClient(first.payments)
  const pay = (id: string, card?: string) =>
    first.control<{ status: string; subscription: string }>('POST', `/payments/checkout/${id}`, { card })
  const { starter } = await createPrices({ stripe })
  const { customer, subscription } = await subscribe({ stripe, pay }, starter)
  await first.close()

  await using second = createSimulator({ ...options, now: new Date(START.getTime() + 20 * DAY * 1_000) })
  await second.listen()
  const client = createStripeClient(second.payments)
  const [kept] = (await client.subscriptions.list({ customer })).data
  const { id: another } = await client.customers.create({})
  await second.control('POST', '/payments/clock', { advance_days: 11 })
  const paid = await client.invoices.list({ subscription, status: 'paid' })

  assert.deepEqual([kept?.status, kept?.items.data[0]?.price.id], ['active', starter])
  assert.notEqual(another, customer)
  assert.deepEqual(
    paid.data.map(({ billing_reason }) => billing_reason),
    ['subscription_cycle', 'subscription_create'],
  )
})

test('a purchase is in the state file before it is answered', async (t) => {
  const { stateFile } = await startWithFile(t)
  await using first = createSimulator({ clock: 'manual', stateFile })
  await first.listen()
  const stripe = createStripeClient(first.payments)
  const { starter } = await createPrices({ stripe })
  const { id: customer } = await stripe.customers.create({})
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const items = [{ price: starter }]
  const { id } = await stripe.subscriptions.create({ customer, items, default_payment_method: card.id })

  // The first simulator has not been closed: a killed process leaves the file as it is now.
  await using second = createSimulator({ clock: 'manual', stateFile })

  const { subscriptions } = await second.control<{ subscriptions: { id: string }[] }>(
    'GET',
    '/payments/objects/subscriptions',
  )
  assert.deepEqual(
    subscriptions.map((subscription) => subscription.id),
    [id],
  )
})

test('an undelivered webhook is sent once after a restart', async (t) => {
  const { receiver, stateFile } = await startWithFile(t)
  const first = createSimulator({ clock: 'manual', stateFile, payments: { callbackUrl: receiver.url } })
  await first.listen()
  await createStripeClient(first.payments).customers.create({ name: 'Ana' })
  await first.close()
  const early = receiver.posts.length

  await using second = createSimulator({ clock: 'manual', stateFile })
  await second.control('PUT', '/payments/callback', { url: receiver.url })
  await second.control('POST', '/payments/clock', {})
  await second.control('POST', '/payments/clock', {})

  assert.deepEqual([early, receiver.posts.length], [0, 1])
})

test('the same seed gives the same ids and keys, options set keys, and a reset starts the ids again', async (t) => {
  const [one, same, other] = [
    await startPayments(t, { seed: 'one' }),
    await startPayments(t, { seed: 'one' }),
    await startPayments(t, { seed: 'two', payments: { secretKey: 'sk_test_mine' } }),
  ]
  const { id } = await one.stripe.customers.create({})

  assert.match(one.simulator.payments.secretKey, /^sk_test_\w{24}$/)
  assert.match(one.simulator.payments.webhookSecret, /^whsec_\w{32}$/)
  assert.equal(one.simulator.payments.secretKey, same.simulator.payments.secretKey)
  assert.notEqual(one.simulator.payments.webhookSecret, other.simulator.payments.webhookSecret)
  assert.equal(other.simulator.payments.secretKey, 'sk_test_mine')
  assert.deepEqual((await other.stripe.prices.list()).data, [])
  assert.equal((await same.stripe.customers.create({})).id, id)
  await one.control('POST', '/reset')
  assert.deepEqual(await one.list('customers'), [])
  await one.advance(40 * DAY)
  assert.equal(one.receiver.posts.length, 0)
})

test('the control API shows objects and scheduled work', async (t) => {
  const fixture = await startPayments(t)
  const { starter } = await createPrices(fixture)
  const { subscription } = await subscribe(fixture, starter)

  const overview = await fixture.control<{ counts: Record<string, number>; due: { what: string; at: string }[] }>(
    'GET',
    '/payments',
  )

  assert.deepEqual([overview.counts.subscriptions, overview.counts.invoices, overview.counts.prices], [1, 1, 3])
  assert.deepEqual(overview.due, [{ what: `cycle:${subscription}`, at: '2026-12-15T12:00:00.000Z' }])
  await assert.rejects(fixture.control('GET', '/payments/objects/shoes'), /The kinds are customers/)
  await assert.rejects(fixture.control('POST', '/payments/checkout/cs_none', { card: '1' }), /no such checkout session/)
})
