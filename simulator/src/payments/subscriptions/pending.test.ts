import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS, DAY, invoiceOf, itemOf, openShop, refusalOf, startBench, subscribe } from '../test/bench.ts'

const PENDABLE = {
  proration_behavior: 'always_invoice' as const,
  payment_behavior: 'pending_if_incomplete' as const,
  expand: ['latest_invoice'],
}

test('a change whose payment fails waits, and is made when its invoice is paid', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter, addon } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)
  await bench.bank(customer, 'declines')

  const waiting = await stripe.subscriptions.update(subscription, {
    ...PENDABLE,
    ...{ items: [{ price: addon, quantity: 2 }], metadata: { addons: '2' } },
  })

  assert.deepEqual([waiting.status, waiting.items.data.length], ['active', 1])
  assert.equal(waiting.pending_update?.subscription_items?.[0]?.quantity, 2)
  assert.deepEqual(waiting.pending_update?.metadata, { addons: '2' })
  assert.equal(waiting.pending_update?.expires_at, (await bench.now()) + 23 * 3_600)
  const invoice = invoiceOf(waiting)
  assert.deepEqual([invoice.status, invoice.amount_due, invoice.next_payment_attempt], ['open', 3_980, null])
  assert.equal((await refusalOf(stripe.invoices.pay(invoice.id!))).decline_code, 'generic_decline')

  await bench.bank(customer, 'succeeds')
  await stripe.invoices.pay(invoice.id!)
  await bench.advance(0)

  const applied = await stripe.subscriptions.retrieve(subscription)
  assert.deepEqual([applied.pending_update, applied.metadata], [null, { addons: '2' }])
  assert.equal(applied.items.data[1]?.quantity, 2)
  assert.ok(bench.arrived().includes('customer.subscription.pending_update_applied'))
})

test('after 23 hours, or at the end of the period, it is discarded and its invoice voided', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter, addon } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)
  await bench.bank(customer, 'declines')
  const change = { ...PENDABLE, items: [{ price: addon, quantity: 30 }] }
  const first = await stripe.subscriptions.update(subscription, change)

  await bench.advance(23 * 3_600 - 1)
  assert.notEqual((await stripe.subscriptions.retrieve(subscription)).pending_update, null)
  await bench.advance(1)

  const discarded = await stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice'] })
  assert.deepEqual([discarded.pending_update, invoiceOf(discarded).id], [null, invoiceOf(first).id])
  assert.equal(invoiceOf(discarded).status, 'void')
  assert.deepEqual(bench.arrived().slice(-3), [
    'invoice.voided',
    'customer.subscription.updated',
    'customer.subscription.pending_update_expired',
  ])

  const { end } = { end: discarded.items.data[0]!.current_period_end }
  await bench.advance(end - (await bench.now()) - 3_600)
  const late = await stripe.subscriptions.update(subscription, change)
  assert.equal(late.pending_update?.expires_at, end)
})

test('another update takes its place, and voiding its invoice discards it', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter, addon } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)
  await bench.bank(customer, 'declines')

  const first = await stripe.subscriptions.update(subscription, { ...PENDABLE, items: [{ price: addon, quantity: 2 }] })
  await bench.advance(10 * 3_600)
  const second = await stripe.subscriptions.update(subscription, {
    ...PENDABLE,
    items: [{ price: addon, quantity: 5 }],
  })
  await bench.advance(22 * 3_600)

  // It has 23 hours of its own, and not what was left of the first one's.
  assert.notEqual((await stripe.subscriptions.retrieve(subscription)).pending_update, null)
  assert.equal((await stripe.invoices.retrieve(invoiceOf(first).id!)).status, 'void')
  assert.equal(second.pending_update?.subscription_items?.[0]?.quantity, 5)
  await stripe.invoices.voidInvoice(invoiceOf(second).id!)
  assert.equal((await stripe.subscriptions.retrieve(subscription)).pending_update, null)
})

test('credit that a voided invoice had used is the customer’s again', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter, pro } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, pro)
  await bench.advance(15 * DAY)
  const known = await stripe.subscriptions.retrieve(subscription)
  const id = itemOf(known, pro)
  await stripe.subscriptions.update(subscription, { ...PENDABLE, items: [{ id, price: starter }] })
  await bench.bank(customer, 'declines')

  const back = await stripe.subscriptions.update(subscription, {
    ...PENDABLE,
    items: [{ id, price: pro, quantity: 2 }],
  })

  assert.deepEqual([invoiceOf(back).total, invoiceOf(back).amount_due], [24_950, 14_950])
  await stripe.invoices.voidInvoice(invoiceOf(back).id!)
  const owner = await stripe.customers.retrieve(customer)
  assert.equal(!owner.deleted && owner.balance, -10_000)
})

test('a change that needs the customer waits until they prove who they are', async (t) => {
  const bench = await startBench(t)
  const { starter, addon } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter, CARDS.laterActs)

  const waiting = await bench.stripe.subscriptions.update(subscription, { ...PENDABLE, items: [{ price: addon }] })
  await bench.control('POST', `/payments/invoices/${invoiceOf(waiting).id}/pay`)

  assert.notEqual(waiting.pending_update, null)
  assert.ok(bench.arrived().includes('invoice.payment_action_required'))
  const applied = await bench.stripe.subscriptions.retrieve(subscription)
  assert.deepEqual([applied.pending_update, applied.items.data.length], [null, 2])
})

test('only what can wait may be given with pending_if_incomplete', async (t) => {
  const bench = await startBench(t)
  const { starter, addon } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  const known = await bench.stripe.subscriptions.update(subscription, { items: [{ price: addon }] })

  const removal = await refusalOf(
    bench.stripe.subscriptions.update(subscription, {
      ...PENDABLE,
      items: [{ id: itemOf(known, addon), deleted: true }],
    }),
  )
  const wording = await refusalOf(bench.stripe.subscriptions.update(subscription, { ...PENDABLE, description: 'x' }))

  assert.match(removal.message, /you can only pass supported params\. `items\[0\]\[deleted\]` is not supported/)
  assert.match(wording.message, /`description` is not supported/)
})

test('otherwise a failed payment makes the change and owes, or makes none at all', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter, addon } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)
  await bench.bank(customer, 'declines')
  const change = { items: [{ price: addon, quantity: 2 }], proration_behavior: 'always_invoice' as const }

  const refused = await refusalOf(
    stripe.subscriptions.update(subscription, { ...change, payment_behavior: 'error_if_incomplete' }),
  )
  const untouched = await stripe.subscriptions.retrieve(subscription)
  const owing = await stripe.subscriptions.update(subscription, { ...change, expand: ['latest_invoice'] })

  assert.deepEqual([refused.statusCode, refused.code], [402, 'card_declined'])
  assert.deepEqual([untouched.status, untouched.items.data.length], ['active', 1])
  assert.equal((await stripe.invoices.list({ subscription })).data.length, 2)
  assert.deepEqual([owing.status, owing.items.data.length], ['past_due', 2])
  assert.equal(invoiceOf(owing).next_payment_attempt, (await bench.now()) + 3 * DAY)
})
