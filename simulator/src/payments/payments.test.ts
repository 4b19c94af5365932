import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSimulator } from '../server.ts'
import { startReceiver } from '../test/receiver.ts'
import { type Bench, clientOf, DAY, openShop, START, startBench, subscribe } from './test/bench.ts'

function newFile(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'simulator-payments-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'world')
}

test('a world with a file remembers payments over a restart, and what was to happen happens', async (t) => {
  const receiver = await startReceiver('unused')
  t.after(() => receiver.close())
  const options = {
    ...{ clock: 'manual' as const, seed: 'test', now: START, stateFile: newFile(t) },
    payments: { callbackUrl: receiver.url },
  }
  const first = createSimulator(options)
  await first.listen()
  const before = { stripe: clientOf(first.payments), simulator: first } as unknown as Bench
  const pay = (id: string, card?: string) =>
    first.control<{ status: string; subscription: string }>('POST', `/payments/checkout/${id}`, { card })
  const { starter } = await openShop(before)
  const { subscription } = await subscribe({ ...before, pay }, starter)
  await first.close()

  await using second = createSimulator({ ...options, now: new Date(START.getTime() + 20 * DAY * 1_000) })
  await second.listen()
  const stripe = clientOf(second.payments)
  const kept = await stripe.subscriptions.retrieve(subscription)
  const { id: another } = await stripe.customers.create({})
  await second.control('POST', '/payments/clock', { advance_days: 11 })
  const renewed = await stripe.invoices.list({ subscription, status: 'paid' })

  assert.deepEqual([kept.status, kept.items.data[0]?.price.id], ['active', starter])
  assert.notEqual(another, kept.customer)
  assert.deepEqual(
    renewed.data.map(({ billing_reason }) => billing_reason),
    ['subscription_cycle', 'subscription_create'],
  )
})

test('a webhook that was still on its way at the end sets out again after the restart', async (t) => {
  const receiver = await startReceiver('unused')
  t.after(() => receiver.close())
  const stateFile = newFile(t)
  const first = createSimulator({ clock: 'manual', stateFile, payments: { callbackUrl: receiver.url } })
  await first.listen()
  await clientOf(first.payments).customers.create({ name: 'Ana' })
  await first.close()
  const early = receiver.posts.length

  await using second = createSimulator({ clock: 'manual', stateFile })
  await second.control('PUT', '/payments/callback', { url: receiver.url })
  await second.control('POST', '/payments/clock', {})

  assert.equal(early, 0)
  assert.equal(receiver.posts.length, 1)
  await second.control('POST', '/payments/clock', {})
  assert.equal(receiver.posts.length, 1)
})

test('one seed gives one world of payments, its keys are its own, and a reset begins it anew', async (t) => {
  const [one, same, other] = [
    await startBench(t, { seed: 'one' }),
    await startBench(t, { seed: 'one' }),
    await startBench(t, { seed: 'two' }),
  ]
  const { id } = await one.stripe.customers.create({})

  assert.match(one.simulator.payments.secretKey, /^sk_test_\w{24}$/)
  assert.match(one.simulator.payments.webhookSecret, /^whsec_\w{32}$/)
  assert.equal(one.simulator.payments.secretKey, same.simulator.payments.secretKey)
  assert.notEqual(one.simulator.payments.secretKey, other.simulator.payments.secretKey)
  assert.equal((await same.stripe.customers.create({})).id, id)
  await one.control('POST', '/reset')
  assert.deepEqual((await one.stripe.customers.list()).data, [])
  await one.advance(40 * DAY)
  assert.equal(one.receiver.posts.length, 0)
})

test('the options choose the keys', async (t) => {
  const payments = { secretKey: 'sk_test_mine', webhookSecret: 'whsec_mine' }
  const bench = await startBench(t, { payments })

  const { url: _url, ...keys } = bench.simulator.payments
  assert.deepEqual(keys, payments)
  assert.deepEqual((await bench.stripe.customers.list()).data, [])
})

test('the control API tells what there is and what is to come', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)

  const overview = await bench.control<{ counts: Record<string, number>; due: { what: string; at: string }[] }>(
    'GET',
    '/payments',
  )
  const objects = await bench.control<{ subscriptions: { id: string }[] }>('GET', '/payments/objects/subscriptions')
  const waited = await bench.control<{ found: boolean }>('GET', '/payments/wait?type=invoice.paid&state=delivered')

  assert.deepEqual([overview.counts.subscriptions, overview.counts.invoices, overview.counts.prices], [1, 1, 3])
  assert.deepEqual(overview.due, [{ what: `cycle:${subscription}`, at: '2026-12-15T12:00:00.000Z' }])
  assert.deepEqual(
    objects.subscriptions.map(({ id }) => id),
    [subscription],
  )
  assert.ok(waited.found)
  await assert.rejects(bench.control('GET', '/payments/objects/shoes'), /Kinds are customers/)
  await assert.rejects(bench.control('POST', '/payments/checkout/cs_none', { card: '1' }), /no such checkout session/)
})
