import assert from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import {
  CARDS,
  CHARGED_NOW,
  createPrices,
  DAY,
  findItem,
  HOUR,
  latestInvoice,
  refusal,
  startPayments,
  subscribe,
} from '../test/fixture.ts'

type Items = Stripe.SubscriptionUpdateParams.Item[]

function listLines(invoice: Stripe.Invoice): [string | null, number][] {
  return invoice.lines.data.map(({ description, amount }) => [description, amount])
}

async function startSubscribed(
  t: Parameters<typeof startPayments>[0],
  plan: 'starter' | 'pro' = 'starter',
  card?: string,
) {
  const fixture = await startPayments(t)
  const prices = await createPrices(fixture)
  const { customer, subscription } = await subscribe(fixture, prices[plan], card)
  return {
    ...fixture,
    ...prices,
    customer,
    subscription,
    charge: (items: Items) => fixture.stripe.subscriptions.update(subscription, { ...CHARGED_NOW, items }),
    current: () => fixture.find('subscriptions', subscription),
  }
}

test('an added item is charged, and a changed item is credited as it was charged and charged at its new terms', async (t) => {
  const { addon, advance, charge, pro, starter } = await startSubscribed(t)
  await advance(10 * DAY)
  const first = await charge([{ price: addon, quantity: 7 }])
  await advance(10 * DAY)

  const fewer = await charge([{ id: findItem(first, addon), quantity: 6 }])
  const other = await charge([{ id: findItem(first, starter), price: pro }])
  const none = await charge([{ id: findItem(first, addon), quantity: 0 }])

  assert.deepEqual(listLines(latestInvoice(first)), [['Remaining time on 7 × Addon', 9_287]])
  assert.deepEqual([latestInvoice(first).status, latestInvoice(first).billing_reason], ['paid', 'subscription_update'])
  // 7 × 19.90 × 20/30 was charged as 92.87; half of that is 46.435, and 10/30 would be 46.43. 6 × 19.90 × 10/30 is 39.80.
  assert.deepEqual(listLines(latestInvoice(fewer)), [
    ['Unused time on 7 × Addon', -4_644],
    ['Remaining time on 6 × Addon', 3_980],
  ])
  // 99.00 × 10/30 and 299.00 × 10/30.
  assert.deepEqual(listLines(latestInvoice(other)), [
    ['Unused time on 1 × Starter', -3_300],
    ['Remaining time on 1 × Pro', 9_967],
  ])
  assert.deepEqual(listLines(latestInvoice(none)), [['Unused time on 6 × Addon', -3_980]])
  assert.deepEqual(
    none.items.data.map(({ price, quantity }) => [price.id, quantity]),
    [
      [pro, 1],
      [addon, 0],
    ],
  )
})

test('a preview and the update with the same proration date agree to the cent', async (t) => {
  const fixture = await startSubscribed(t)
  const { addon, pro, starter, stripe, subscription } = fixture
  const steps: [seconds: number, items: (s: Stripe.Subscription) => Items][] = [
    [12_345, () => [{ price: addon, quantity: 7 }]],
    [5 * DAY + 1, (s) => [{ id: findItem(s, addon), quantity: 3 }]],
    [
      7 * DAY + 77,
      (s) => [
        { id: findItem(s, starter), price: pro },
        { id: findItem(s, addon), quantity: 11 },
      ],
    ],
    [9 * DAY + 3_333, (s) => [{ id: findItem(s, addon), quantity: 0 }]],
    [8 * DAY - 20_000, (s) => [{ id: findItem(s, pro), price: starter }]],
  ]

  for (const [seconds, items] of steps) {
    await fixture.advance(seconds)
    const proration_date = await fixture.now()
    const change = { items: items(await fixture.current()), proration_date }
    const preview = await stripe.invoices.createPreview({
      subscription,
      subscription_details: { ...change, proration_behavior: 'always_invoice' },
    })
    // A person thinks about the amount for some minutes.
    await fixture.advance(400)
    const updated = await stripe.subscriptions.update(subscription, { ...CHARGED_NOW, ...change })
    const invoice = latestInvoice(updated)
    assert.deepEqual(listLines(invoice), listLines(preview))
    assert.deepEqual([invoice.total, invoice.amount_due], [preview.total, preview.amount_due])
    assert.match(preview.id ?? '', /^upcoming_in_/)
  }
})

test('a downgrade gives credit, which pays the next invoice', async (t) => {
  const fixture = await startSubscribed(t, 'pro')
  const { pro, starter } = fixture
  await fixture.advance(15 * DAY)

  const lower = await fixture.charge([{ id: findItem(await fixture.current(), pro), price: starter }])
  await fixture.advance(15 * DAY + HOUR)

  // 299.00 / 2 is credited and 99.00 / 2 charged.
  const credit = latestInvoice(lower)
  assert.deepEqual(
    [credit.total, credit.amount_due, credit.status, credit.ending_balance],
    [-10_000, 0, 'paid', -10_000],
  )
  assert.equal(lower.pending_update, null)
  const invoice = await fixture.find('invoices', String((await fixture.current()).latest_invoice))
  assert.deepEqual([invoice.total, invoice.amount_due, invoice.status], [9_900, 0, 'paid'])
  assert.deepEqual([invoice.starting_balance, invoice.ending_balance], [-10_000, -100])
  assert.equal((await fixture.find('customers', fixture.customer)).balance, -100)
})

test('invalid items and dates, and updates that are not simulated, are refused', async (t) => {
  const { addon, charge, now, starter, stripe, subscription } = await startSubscribed(t)
  const at = (proration_date: number) =>
    stripe.subscriptions.update(subscription, { ...CHARGED_NOW, items: [{ price: addon }], proration_date })
  const start = await now()

  assert.match((await refusal(charge([{ price: starter }]))).message, /^Cannot add multiple subscription items/)
  assert.equal((await refusal(charge([{ id: 'si_none', quantity: 2 }]))).code, 'resource_missing')
  assert.match((await refusal(charge([{ quantity: 2 }]))).message, /^Missing required param: items\[0\]\[price\]/)
  assert.equal((await refusal(at(start - 1))).param, 'proration_date')
  assert.equal((await refusal(at(start + 30 * DAY + 1))).param, 'proration_date')
  const unconditional = { items: [{ price: addon }], proration_behavior: 'always_invoice' as const }
  assert.equal((await refusal(stripe.subscriptions.update(subscription, unconditional))).param, 'payment_behavior')
  const later = { items: [{ price: addon }], payment_behavior: CHARGED_NOW.payment_behavior }
  assert.equal((await refusal(stripe.subscriptions.update(subscription, later))).param, 'proration_behavior')
  const mixed = { ...CHARGED_NOW, items: [{ price: addon }], cancel_at_period_end: true }
  assert.equal((await refusal(stripe.subscriptions.update(subscription, mixed))).param, 'cancel_at_period_end')
  assert.equal(latestInvoice(await at(start)).amount_paid, 1_990)
})

test('an update whose payment fails is pending, and is applied when its invoice is paid', async (t) => {
  const fixture = await startSubscribed(t)
  const { addon, charge, control, current, customer } = fixture
  await fixture.setCard(customer, 'declines')

  const pending = await charge([{ price: addon, quantity: 2 }])
  const invoice = latestInvoice(pending)
  const pay = () => control<{ status: string; error?: object }>('POST', `/payments/invoices/${invoice.id}/pay`)
  const declined = await pay()
  await fixture.setCard(customer, 'succeeds')
  await pay()

  assert.deepEqual([pending.status, pending.items.data.length], ['active', 1])
  assert.equal(pending.pending_update?.subscription_items?.[0]?.quantity, 2)
  assert.equal(pending.pending_update?.expires_at, (await fixture.now()) + 23 * HOUR)
  assert.deepEqual([invoice.status, invoice.amount_due, invoice.next_payment_attempt], ['open', 3_980, null])
  assert.deepEqual([declined.status, declined.error !== undefined], ['open', true])
  const applied = await current()
  assert.deepEqual([applied.pending_update, applied.items.data[1]?.quantity], [null, 2])
  assert.ok(fixture.received().includes('customer.subscription.pending_update_applied'))
})

test('a pending update is discarded and its invoice voided after 23 hours or at the end of the period', async (t) => {
  const fixture = await startSubscribed(t)
  const { addon, charge, current, customer } = fixture
  await fixture.setCard(customer, 'declines')
  const pending = await charge([{ price: addon, quantity: 30 }])

  await fixture.advance(23 * HOUR - 1)
  assert.notEqual((await current()).pending_update, null)
  await fixture.advance(1)

  assert.equal((await current()).pending_update, null)
  assert.equal((await fixture.find('invoices', latestInvoice(pending).id)).status, 'void')
  assert.deepEqual(fixture.received().slice(-3), [
    'invoice.voided',
    'customer.subscription.updated',
    'customer.subscription.pending_update_expired',
  ])
  const end = pending.items.data[0]!.current_period_end
  await fixture.advance(end - (await fixture.now()) - HOUR)
  const late = await charge([{ price: addon, quantity: 30 }])
  assert.equal(late.pending_update?.expires_at, end)
})

test('another update replaces a pending one, and voiding its invoice discards it', async (t) => {
  const fixture = await startSubscribed(t)
  const { addon, charge, current, customer, stripe } = fixture
  await fixture.setCard(customer, 'declines')

  const first = await charge([{ price: addon, quantity: 2 }])
  await fixture.advance(10 * HOUR)
  const second = await charge([{ price: addon, quantity: 5 }])
  await fixture.advance(22 * HOUR)

  // The second update has 23 hours of its own.
  assert.notEqual((await current()).pending_update, null)
  assert.equal((await fixture.find('invoices', latestInvoice(first).id)).status, 'void')
  assert.equal(second.pending_update?.subscription_items?.[0]?.quantity, 5)
  await stripe.invoices.voidInvoice(latestInvoice(second).id!)
  assert.equal((await current()).pending_update, null)
  const again = await refusal(stripe.invoices.voidInvoice(latestInvoice(second).id!))
  assert.equal(again.code, 'invoice_not_editable')
})

test('voiding an invoice gives back the credit that it used', async (t) => {
  const fixture = await startSubscribed(t, 'pro')
  const { charge, customer, pro, starter } = fixture
  await fixture.advance(15 * DAY)
  const id = findItem(await fixture.current(), pro)
  await charge([{ id, price: starter }])
  await fixture.setCard(customer, 'declines')

  const back = latestInvoice(await charge([{ id, price: pro, quantity: 2 }]))
  await fixture.stripe.invoices.voidInvoice(back.id!)

  assert.deepEqual([back.total, back.amount_due], [24_950, 14_950])
  assert.equal((await fixture.find('customers', customer)).balance, -10_000)
})

test('an update that needs authentication is pending until the customer pays on the page', async (t) => {
  const fixture = await startSubscribed(t, 'starter', CARDS.authenticatedLater)

  const pending = await fixture.charge([{ price: fixture.addon }])
  await fixture.control('POST', `/payments/invoices/${latestInvoice(pending).id}/pay`)

  assert.notEqual(pending.pending_update, null)
  assert.ok(fixture.received().includes('invoice.payment_action_required'))
  const applied = await fixture.current()
  assert.deepEqual([applied.pending_update, applied.items.data.length], [null, 2])
})
