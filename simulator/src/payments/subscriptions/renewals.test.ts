import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CARDS,
  createPrices,
  DAY,
  HOUR,
  latestInvoice,
  refusal,
  START,
  startPayments,
  subscribe,
} from '../test/fixture.ts'

type Options = NonNullable<Parameters<typeof startPayments>[1]>

const STARTED = START.getTime() / 1_000

async function startSubscribed(
  t: Parameters<typeof startPayments>[0],
  card = CARDS.visa,
  payments: Options['payments'] = {},
) {
  const fixture = await startPayments(t, { payments })
  const { starter } = await createPrices(fixture)
  const { customer, subscription } = await subscribe(fixture, starter, card)

  return {
    ...fixture,
    customer,
    subscription,
    current: () => fixture.find('subscriptions', subscription),
    async invoice() {
      return fixture.find('invoices', String((await fixture.find('subscriptions', subscription)).latest_invoice))
    },
  }
}

test('the invoice of a renewal is a draft for an hour, then it is finalized and paid', async (t) => {
  const fixture = await startSubscribed(t)

  await fixture.advance(30 * DAY)
  const [renewed, draft] = [await fixture.current(), await fixture.invoice()]
  await fixture.advance(HOUR)
  const [after, paid] = [await fixture.current(), await fixture.invoice()]

  const item = renewed.items.data[0]!
  assert.deepEqual(
    [item.current_period_start, item.current_period_end],
    [STARTED + 30 * DAY, Date.parse('2027-01-15T12:00:00Z') / 1_000],
  )
  assert.deepEqual([draft.status, draft.billing_reason], ['draft', 'subscription_cycle'])
  assert.equal(draft.next_payment_attempt, STARTED + 30 * DAY + HOUR)
  assert.deepEqual([paid.id, paid.status, paid.amount_paid, after.status], [draft.id, 'paid', 9_900, 'active'])
})

test('a failed renewal is retried, and the last failure cancels the subscription', async (t) => {
  const fixture = await startSubscribed(t, CARDS.declinedLater)

  await fixture.advance(30 * DAY + HOUR)
  const [failed, open] = [await fixture.current(), await fixture.invoice()]
  await fixture.advance(3 * DAY + 5 * DAY)
  const [retried, retriedInvoice] = [await fixture.current(), await fixture.invoice()]
  await fixture.advance(7 * DAY)
  const [canceled, last] = [await fixture.current(), await fixture.invoice()]

  assert.deepEqual([failed.status, open.status, open.attempt_count], ['past_due', 'open', 1])
  assert.equal(open.next_payment_attempt, STARTED + 33 * DAY + HOUR)
  assert.deepEqual([retried.status, retriedInvoice.attempt_count], ['past_due', 3])
  assert.equal(canceled.status, 'canceled')
  assert.deepEqual([last.status, last.next_payment_attempt], ['open', null])
  assert.equal(fixture.received().filter((type) => type === 'invoice.payment_failed').length, 4)
})

test('another card pays the next retry and makes the subscription active', async (t) => {
  const fixture = await startSubscribed(t, CARDS.declinedLater)
  await fixture.advance(30 * DAY + HOUR)

  await fixture.control('PUT', `/payments/customers/${fixture.customer}/card`, { card: CARDS.visa })
  const waiting = await fixture.current()
  await fixture.advance(3 * DAY)

  assert.equal(waiting.status, 'past_due')
  const { attempt_count, status } = await fixture.invoice()
  assert.deepEqual([(await fixture.current()).status, status, attempt_count], ['active', 'paid', 2])
})

test('the settings can leave a subscription past due', async (t) => {
  const fixture = await startSubscribed(t, CARDS.declinedLater)
  await fixture.control('PUT', '/payments/settings', { retry_after_days: [], after_retries: 'past_due' })
  await fixture.advance(60 * DAY)
  assert.equal((await fixture.current()).status, 'past_due')
})

test('an unpaid subscription collects drafts until its open invoice is paid', async (t) => {
  const settings = { retryAfterDays: [1], afterRetries: 'unpaid' as const }
  const fixture = await startSubscribed(t, CARDS.declinedLater, { settings })
  await fixture.advance(31 * DAY + HOUR)
  const [unpaid, open] = [await fixture.current(), await fixture.invoice()]
  await fixture.advance(31 * DAY)
  const drafts = await fixture.stripe.invoices.list({ subscription: fixture.subscription, status: 'draft' })
  const pay = (card: string) =>
    fixture.control<{ status: string; error?: { code: string } }>('POST', `/payments/invoices/${open.id}/pay`, { card })

  const declined = await pay(CARDS.declined)
  const paid = await pay(CARDS.visa)

  assert.equal(unpaid.status, 'unpaid')
  assert.deepEqual(
    drafts.data.map(({ auto_advance }) => auto_advance),
    [false],
  )
  assert.deepEqual([declined.status, declined.error?.code, paid.status], ['open', 'card_declined', 'paid'])
  assert.equal((await fixture.current()).status, 'active')
})

test('a cancellation by API sets the date and the flag, can be taken back, and ends with the period', async (t) => {
  const fixture = await startSubscribed(t)
  const { current, stripe, subscription } = fixture
  const cancel = (isCanceled: boolean) =>
    stripe.subscriptions.update(subscription, { cancel_at_period_end: isCanceled })
  const end = STARTED + 30 * DAY

  const canceled = await cancel(true)
  const resumed = await cancel(false)
  await cancel(true)
  await fixture.advance(30 * DAY)
  const ended = await current()

  assert.deepEqual([canceled.cancel_at_period_end, canceled.cancel_at, canceled.status], [true, end, 'active'])
  assert.deepEqual([resumed.cancel_at_period_end, resumed.cancel_at], [false, null])
  assert.equal(ended.status, 'canceled')
  assert.equal((await fixture.list('invoices')).length, 1)
  assert.equal(fixture.received().at(-1), 'customer.subscription.deleted')
  assert.deepEqual((await stripe.subscriptions.list({ customer: fixture.customer })).data, [])
  assert.equal((await stripe.subscriptions.list({ customer: fixture.customer, status: 'all' })).data.length, 1)
  assert.equal((await refusal(stripe.subscriptions.cancel(subscription))).statusCode, 404)
  assert.equal((await refusal(cancel(false))).code, 'invalid_canceled_subscription_fields')
})

// In the flexible billing mode the portal sets the date only; a client that reads the flag misses it.
test('a cancellation in the portal sets the date and not the flag', async (t) => {
  const fixture = await startSubscribed(t)
  const act = (action: string) => fixture.control('POST', `/payments/customers/${fixture.customer}/portal`, { action })

  await act('cancel')
  const canceled = await fixture.current()
  await act('resume')
  const resumed = await fixture.current()
  await act('cancel')
  await fixture.advance(30 * DAY)

  assert.deepEqual([canceled.cancel_at_period_end, canceled.cancel_at], [false, STARTED + 30 * DAY])
  assert.equal(resumed.cancel_at, null)
  assert.equal((await fixture.current()).status, 'canceled')
})

test('a subscription created by API is paid at once, and a failed payment is refused', async (t) => {
  const fixture = await startPayments(t)
  const { stripe } = fixture
  const { starter } = await createPrices(fixture)
  const { id: customer } = await stripe.customers.create({})
  const create = async (card?: string) => {
    const method = card === undefined ? undefined : await stripe.paymentMethods.attach(card, { customer })
    const params = { customer, items: [{ price: starter }], expand: ['latest_invoice'] }
    return stripe.subscriptions.create({ ...params, ...(method && { default_payment_method: method.id }) })
  }

  const withoutCard = await refusal(create())
  const declined = await refusal(create('pm_card_chargeCustomerFail'))
  const created = await create('pm_card_visa')

  assert.deepEqual([withoutCard.statusCode, withoutCard.code], [400, 'resource_missing'])
  assert.deepEqual([declined.statusCode, declined.code], [402, 'card_declined'])
  assert.deepEqual([created.status, latestInvoice(created).status], ['active', 'paid'])
  assert.equal((await fixture.list('subscriptions')).length, 1)
})
