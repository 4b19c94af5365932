import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bench, CARDS, DAY, invoiceOf, openShop, refusalOf, START, startBench, subscribe } from '../test/bench.ts'

const HOUR = 3_600

function stateOf({ stripe }: Bench, subscription: string) {
  return stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice'] })
}

test('a renewal is a draft for an hour, then it is final and paid', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)

  await bench.advance(30 * DAY)
  const renewed = await stateOf(bench, subscription)
  await bench.advance(HOUR)
  const paid = await stateOf(bench, subscription)

  const item = renewed.items.data[0]!
  assert.deepEqual(
    [item.current_period_start, item.current_period_end],
    [Date.parse('2026-12-15T12:00:00Z') / 1_000, Date.parse('2027-01-15T12:00:00Z') / 1_000],
  )
  const { status, billing_reason, automatically_finalizes_at } = invoiceOf(renewed)
  assert.deepEqual([status, billing_reason], ['draft', 'subscription_cycle'])
  assert.equal(automatically_finalizes_at, item.current_period_start + HOUR)
  assert.deepEqual([invoiceOf(paid).status, invoiceOf(paid).amount_paid, paid.status], ['paid', 9_900, 'active'])
})

test('a year goes by at once, one renewal after the other', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)

  await bench.advance(365 * DAY)

  const invoices = await bench.stripe.invoices.list({ subscription, status: 'paid', limit: 100 })
  const starts = invoices.data.map(({ lines }) =>
    new Date(lines.data[0]!.period.start * 1_000).toISOString().slice(0, 10),
  )
  assert.equal(starts.length, 12)
  assert.deepEqual([starts[0], starts[10], starts[11]], ['2027-10-15', '2026-12-15', '2026-11-15'])
})

test('a renewal that fails is retried, and cancels the subscription when the retries are used up', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter, CARDS.laterDeclined)

  await bench.advance(30 * DAY + HOUR)
  const failed = await stateOf(bench, subscription)
  await bench.advance(3 * DAY + 5 * DAY)
  const retried = await stateOf(bench, subscription)
  await bench.advance(7 * DAY)
  const over = await stateOf(bench, subscription)

  assert.deepEqual([failed.status, invoiceOf(failed).status, invoiceOf(failed).attempt_count], ['past_due', 'open', 1])
  assert.equal(invoiceOf(failed).next_payment_attempt, START.getTime() / 1_000 + 33 * DAY + HOUR)
  assert.deepEqual([retried.status, invoiceOf(retried).attempt_count], ['past_due', 3])
  assert.deepEqual([over.status, over.cancellation_details?.reason], ['canceled', 'payment_failed'])
  assert.deepEqual([invoiceOf(over).status, invoiceOf(over).next_payment_attempt], ['open', null])
  assert.equal(bench.arrived().filter((type) => type === 'invoice.payment_failed').length, 4)
  const owner = await bench.stripe.customers.retrieve(customer)
  assert.equal(!owner.deleted && owner.delinquent, true)
})

test('another card pays the next retry, and the subscription is active again', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter, CARDS.laterDeclined)
  await bench.advance(30 * DAY + HOUR)

  await bench.control('PUT', `/payments/customers/${customer}/card`, { card: CARDS.good })
  const waiting = await stateOf(bench, subscription)
  await bench.advance(3 * DAY)
  const paid = await stateOf(bench, subscription)

  assert.equal(waiting.status, 'past_due')
  assert.deepEqual([paid.status, invoiceOf(paid).status, invoiceOf(paid).attempt_count], ['active', 'paid', 2])
})

test('by the settings it becomes unpaid instead: invoices pile up as drafts until the open one is paid', async (t) => {
  const bench = await startBench(t, { payments: { settings: { retryAfterDays: [1], afterRetries: 'unpaid' } } })
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter, CARDS.laterDeclined)
  await bench.advance(31 * DAY + HOUR)
  const unpaid = await stateOf(bench, subscription)
  await bench.advance(31 * DAY)

  assert.equal(unpaid.status, 'unpaid')
  const drafts = await bench.stripe.invoices.list({ subscription, status: 'draft' })
  assert.deepEqual(
    drafts.data.map(({ auto_advance }) => auto_advance),
    [false],
  )
  const { id: invoice } = invoiceOf(unpaid)
  assert.equal((await refusalOf(bench.stripe.invoices.pay(invoice!))).statusCode, 402)
  await bench.control('PUT', `/payments/customers/${customer}/card`, { card: CARDS.good })
  await bench.stripe.invoices.pay(invoice!)
  assert.equal((await stateOf(bench, subscription)).status, 'active')
})

test('or it stays past due', async (t) => {
  const bench = await startBench(t)
  await bench.control('PUT', '/payments/settings', { retry_after_days: [], after_retries: 'past_due' })
  const { starter } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter, CARDS.laterDeclined)

  await bench.advance(60 * DAY)

  const state = await stateOf(bench, subscription)
  assert.equal(state.status, 'past_due')
})

test('by request a cancellation sets both members; it can be taken back, and else comes with the end of the period', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter)
  const end = START.getTime() / 1_000 + 30 * DAY

  const asked = await stripe.subscriptions.update(subscription, { cancel_at_period_end: true })
  const resumed = await stripe.subscriptions.update(subscription, { cancel_at_period_end: false })
  await stripe.subscriptions.update(subscription, { cancel_at_period_end: true })
  await bench.advance(30 * DAY)
  const ended = await stateOf(bench, subscription)

  assert.deepEqual([asked.cancel_at_period_end, asked.cancel_at, asked.status], [true, end, 'active'])
  assert.equal(asked.cancellation_details?.reason, 'cancellation_requested')
  assert.deepEqual([resumed.cancel_at_period_end, resumed.cancel_at, resumed.canceled_at], [false, null, null])
  assert.deepEqual([ended.status, ended.ended_at, ended.canceled_at], ['canceled', end, START.getTime() / 1_000])
  assert.equal((await stripe.invoices.list({ subscription })).data.length, 1)
  assert.equal(bench.arrived().at(-1), 'customer.subscription.deleted')
  assert.equal((await refusalOf(stripe.subscriptions.cancel(subscription))).statusCode, 404)
  const late = await refusalOf(stripe.subscriptions.update(subscription, { cancel_at_period_end: false }))
  assert.equal(late.code, 'invalid_canceled_subscription_fields')
})

// In the flexible billing mode the portal writes down the date alone; whoever reads only the flag misses it.
test('in the portal a cancellation sets the date and leaves the flag', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)
  const act = (action: string) => bench.control('POST', `/payments/customers/${customer}/portal`, { action })

  await act('cancel')
  const canceled = await stateOf(bench, subscription)
  await act('resume')
  const resumed = await stateOf(bench, subscription)
  await act('cancel')
  await bench.advance(30 * DAY)

  assert.deepEqual([canceled.cancel_at_period_end, canceled.cancel_at], [false, START.getTime() / 1_000 + 30 * DAY])
  assert.equal(resumed.cancel_at, null)
  assert.equal((await stateOf(bench, subscription)).status, 'canceled')
})

test('a canceled subscription is left out of lists that do not ask for it', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)

  const canceled = await stripe.subscriptions.cancel(subscription, { prorate: true, invoice_now: true })

  assert.equal(canceled.status, 'canceled')
  const owner = await stripe.customers.retrieve(customer)
  assert.equal(!owner.deleted && owner.balance, -9_900)
  const count = async (status?: 'all' | 'canceled' | 'ended' | 'active') =>
    (await stripe.subscriptions.list({ customer, ...(status ? { status } : {}) })).data.length
  assert.deepEqual([await count(), await count('all'), await count('canceled'), await count('active')], [0, 1, 1, 0])
})

test('a subscription whose first payment fails is incomplete, and expires after 23 hours', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter } = await openShop(bench)
  const { id: customer } = await stripe.customers.create({})
  const { id: default_payment_method } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  const order = { customer, default_payment_method, items: [{ price: starter }] }

  const failing = await stripe.subscriptions.create({ ...order, expand: ['latest_invoice'] })
  const saved = await stripe.subscriptions.create({ ...order, expand: ['latest_invoice'] })
  await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const refused = await refusalOf(stripe.subscriptions.create({ ...order, payment_behavior: 'error_if_incomplete' }))
  await bench.control('PUT', `/payments/customers/${customer}/card`, { behaviour: 'succeeds' })
  await stripe.invoices.pay(invoiceOf(saved).id!)
  await bench.advance(23 * HOUR)

  assert.deepEqual([failing.status, invoiceOf(failing).status], ['incomplete', 'open'])
  assert.equal(refused.statusCode, 402)
  const expired = await stateOf(bench, failing.id)
  assert.deepEqual([expired.status, invoiceOf(expired).status], ['incomplete_expired', 'void'])
  assert.equal((await stateOf(bench, saved.id)).status, 'active')
  assert.equal((await stripe.subscriptions.list({ customer, status: 'all' })).data.length, 2)
})
