import assert from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { DAY, invoiceOf, itemOf, openShop, refusalOf, startBench, subscribe } from '../test/bench.ts'

const AT_ONCE = { proration_behavior: 'always_invoice' as const, expand: ['latest_invoice'] }

function linesOf(invoice: Stripe.Invoice): [string | null, number][] {
  return invoice.lines.data.map(({ description, amount }) => [description, amount])
}

test('an added item is charged for the rest of the period', async (t) => {
  const bench = await startBench(t)
  const { starter, addon } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  await bench.advance(10 * DAY)

  const updated = await bench.stripe.subscriptions.update(subscription, {
    ...AT_ONCE,
    items: [{ price: addon, quantity: 3 }],
  })

  const invoice = invoiceOf(updated)
  // 3 × 19.90 for twenty of thirty days.
  assert.deepEqual(linesOf(invoice), [['Remaining time on 3 × Addon after 25 Nov 2026', 3_980]])
  assert.deepEqual(
    [invoice.status, invoice.amount_paid, invoice.billing_reason],
    ['paid', 3_980, 'subscription_update'],
  )
  const details = invoice.lines.data[0]?.parent?.subscription_item_details
  assert.deepEqual([details?.proration, details?.subscription_item], [true, itemOf(updated, addon)])
  assert.deepEqual(
    updated.items.data.map(({ price, quantity }) => [price.id, quantity]),
    [
      [starter, 1],
      [addon, 3],
    ],
  )
})

test('a changed plan or quantity is credited as it was charged and charged as it will be', async (t) => {
  const bench = await startBench(t)
  const { starter, pro, addon } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  await bench.advance(10 * DAY)
  const first = await bench.stripe.subscriptions.update(subscription, {
    ...AT_ONCE,
    items: [{ price: addon, quantity: 7 }],
  })
  await bench.advance(10 * DAY)

  const more = await bench.stripe.subscriptions.update(subscription, {
    ...AT_ONCE,
    items: [{ id: itemOf(first, addon), quantity: 6 }],
  })
  const swapped = await bench.stripe.subscriptions.update(subscription, {
    ...AT_ONCE,
    items: [{ id: itemOf(first, starter), price: pro }],
  })

  // 7 × 19.90 × 20/30 was charged as 92.87; half of that is 46.435, and 10/30 would be 46.43. 6 × 19.90 × 10/30 is 39.80.
  assert.deepEqual(linesOf(invoiceOf(more)), [
    ['Unused time on 7 × Addon after 05 Dec 2026', -4_644],
    ['Remaining time on 6 × Addon after 05 Dec 2026', 3_980],
  ])
  const credited = invoiceOf(more).lines.data[0]?.parent?.subscription_item_details?.proration_details?.credited_items
  assert.deepEqual(credited, { invoice: invoiceOf(first).id, invoice_line_items: [invoiceOf(first).lines.data[0]?.id] })
  // 99.00 × 10/30 and 299.00 × 10/30.
  assert.deepEqual(linesOf(invoiceOf(swapped)), [
    ['Unused time on Starter after 05 Dec 2026', -3_300],
    ['Remaining time on Pro after 05 Dec 2026', 9_967],
  ])
  assert.deepEqual(
    swapped.items.data.map(({ price }) => price.id),
    [pro, addon],
  )
})

test('a preview and the update at the same proration date agree to the cent', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter, pro, addon } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  const steps: [seconds: number, items: (s: Stripe.Subscription) => Stripe.SubscriptionUpdateParams.Item[]][] = [
    [12_345, () => [{ price: addon, quantity: 7 }]],
    [5 * DAY + 1, (s) => [{ id: itemOf(s, addon), quantity: 3 }]],
    [
      7 * DAY + 77,
      (s) => [
        { id: itemOf(s, starter), price: pro },
        { id: itemOf(s, addon), quantity: 11 },
      ],
    ],
    [9 * DAY + 3_333, (s) => [{ id: itemOf(s, addon), deleted: true }]],
    [8 * DAY - 20_000, (s) => [{ id: itemOf(s, pro), price: starter }]],
  ]

  for (const [seconds, items] of steps) {
    await bench.advance(seconds)
    const known = await stripe.subscriptions.retrieve(subscription)
    const change = { items: items(known), proration_behavior: 'always_invoice' as const }
    const preview = await stripe.invoices.createPreview({ subscription, subscription_details: change })
    const proration_date = preview.parent?.subscription_details?.subscription_proration_date ?? 0
    // Some minutes pass while a person thinks about it.
    await bench.advance(400)
    const updated = await stripe.subscriptions.update(subscription, {
      ...change,
      ...{ proration_date, expand: ['latest_invoice'] },
    })
    const invoice = invoiceOf(updated)
    assert.deepEqual(linesOf(invoice), linesOf(preview))
    assert.deepEqual([invoice.total, invoice.amount_due], [preview.total, preview.amount_due])
    assert.match(preview.id ?? '', /^upcoming_in_/)
  }
})

test('a downgrade gives credit, which pays the next invoice', async (t) => {
  const bench = await startBench(t)
  const { starter, pro } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, pro)
  await bench.advance(15 * DAY)
  const known = await bench.stripe.subscriptions.retrieve(subscription)

  const lower = await bench.stripe.subscriptions.update(subscription, {
    ...AT_ONCE,
    ...{ items: [{ id: itemOf(known, pro), price: starter }], payment_behavior: 'pending_if_incomplete' },
  })

  // 299.00 / 2 back and 99.00 / 2 to pay.
  const credit = invoiceOf(lower)
  assert.deepEqual(
    [credit.total, credit.amount_due, credit.status, credit.ending_balance],
    [-10_000, 0, 'paid', -10_000],
  )
  assert.equal(lower.pending_update, null)
  await bench.advance(15 * DAY + 3_600)
  const renewed = await bench.stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice', 'customer'] })
  const invoice = invoiceOf(renewed)
  assert.deepEqual([invoice.total, invoice.amount_due, invoice.status], [9_900, 0, 'paid'])
  assert.deepEqual([invoice.starting_balance, invoice.ending_balance], [-10_000, -100])
  const owner = await bench.stripe.customers.retrieve(customer)
  assert.equal(!owner.deleted && owner.balance, -100)
})

test('an amount too small to charge is carried over to the next invoice', async (t) => {
  const bench = await startBench(t)
  const { starter, addon } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  // A third of an hour before the end: 1990 × 1200 / 2592000 is 0.92.
  await bench.advance(30 * DAY - 1_200)

  const updated = await bench.stripe.subscriptions.update(subscription, { ...AT_ONCE, items: [{ price: addon }] })
  await bench.advance(1_200 + 3_600)

  assert.deepEqual([invoiceOf(updated).total, invoiceOf(updated).amount_due, invoiceOf(updated).status], [1, 0, 'paid'])
  const renewed = await bench.stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice'] })
  assert.equal(invoiceOf(renewed).amount_paid, 9_900 + 1_990 + 1)
})

test('prorations that are not invoiced wait for the renewal; without prorations only the renewal changes', async (t) => {
  const bench = await startBench(t)
  const { starter, pro, addon } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  await bench.advance(10 * DAY)
  const before = await bench.stripe.subscriptions.retrieve(subscription)

  const kept = await bench.stripe.subscriptions.update(subscription, { items: [{ price: addon, quantity: 3 }] })
  const upcoming = await bench.stripe.invoices.createPreview({ subscription })
  await bench.stripe.subscriptions.update(subscription, {
    ...{ items: [{ id: itemOf(before, starter), price: pro }], proration_behavior: 'none' },
  })
  await bench.advance(20 * DAY + 3_600)

  assert.equal(kept.latest_invoice, before.latest_invoice)
  assert.equal(upcoming.amount_due, 3_980 + 9_900 + 5_970)
  const renewed = await bench.stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice'] })
  assert.equal(invoiceOf(renewed).amount_paid, 3_980 + 29_900 + 5_970)
})

test('items are named by their id: without one an item is added, and no price comes twice', async (t) => {
  const bench = await startBench(t)
  const { starter, pro } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  const { stripe } = bench
  const known = await stripe.subscriptions.retrieve(subscription)
  const update = (items: Stripe.SubscriptionUpdateParams.Item[]) => stripe.subscriptions.update(subscription, { items })

  assert.match((await refusalOf(update([{ price: starter }]))).message, /^Cannot add multiple subscription items/)
  assert.equal((await refusalOf(update([{ id: 'si_none', quantity: 2 }]))).code, 'resource_missing')
  assert.match((await refusalOf(update([{ quantity: 2 }]))).message, /^Missing required param: items\[0\]\[price\]/)
  assert.match(
    (await refusalOf(update([{ id: itemOf(known, starter), deleted: true }]))).message,
    /at least one active/,
  )
  assert.deepEqual(
    (await update([{ price: pro }])).items.data.map(({ price }) => price.id),
    [starter, pro],
  )
})

test('subscription items can be added, changed and taken away by themselves', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter, addon } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  const at_once = { proration_behavior: 'always_invoice' as const }

  const item = await stripe.subscriptionItems.create({ ...at_once, subscription, price: addon, quantity: 2 })
  const more = await stripe.subscriptionItems.update(item.id, { ...at_once, quantity: 4 })
  const listed = await stripe.subscriptionItems.list({ subscription })
  const gone = await stripe.subscriptionItems.del(item.id, at_once)

  assert.deepEqual([item.quantity, more.quantity], [2, 4])
  assert.deepEqual(
    listed.data.map(({ price }) => price.id),
    [starter, addon],
  )
  assert.equal(gone.deleted, true)
  const invoices = await stripe.invoices.list({ subscription })
  assert.deepEqual(
    invoices.data.map(({ total }) => total),
    [-7_960, 3_980, 3_980, 9_900],
  )
  assert.equal((await refusalOf(stripe.subscriptionItems.retrieve(item.id))).statusCode, 404)
})

test('a proration date outside the period is refused', async (t) => {
  const bench = await startBench(t)
  const { starter, addon } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  const now = await bench.now()
  const at = (proration_date: number) =>
    bench.stripe.subscriptions.update(subscription, { ...AT_ONCE, items: [{ price: addon }], proration_date })

  assert.equal((await refusalOf(at(now - 1))).param, 'proration_date')
  assert.equal((await refusalOf(at(now + 30 * DAY + 1))).param, 'proration_date')
  assert.equal(invoiceOf(await at(now)).amount_paid, 1_990)
})
