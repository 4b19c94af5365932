import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { bearer, startHub } from '../../../../test/hub.ts'
import { startUpstream } from '../../../../test/upstream.ts'
import { createStripeClient } from '../../../payments/stripe-client.ts'
import { type Fixture, FREE, readEntitlement, requestCheckout, STARTER, startBilling } from '../test/fixture.ts'

/** A hub on the same database, whose secret key belongs to another account of the provider. */
async function startWithWrongKey(t: TestContext) {
  const { simulator } = await startUpstream(t)
  const hub = await startHub(t, { simulator })
  return { hub, actAs: ({ key }: { key: string }) => hub.anonymous.with(bearer(key)) }
}

async function clickPortal(owner: Client): Promise<number> {
  const answer = await owner.post('/api/v1/subscription/portal')
  if (answer.status !== 200) return answer.status
  return (await owner.get(new URL(answer.body.data.portal_url).pathname)).status
}

function connectStripe(t: TestContext, { up }: Fixture) {
  const { stripe, close } = createStripeClient({ ...up.simulator.payments })
  t.after(close)
  return stripe
}

test('a subscriber keeps plan and customer while the secret key belongs to another account', {
  rules: ['billing.unknown-customer-keeps-the-plan'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const customer = await fixture.findCustomerId(acme)
  const wrong = await startWithWrongKey(t)

  const portal = await clickPortal(wrong.actAs(acme))
  const checkout = await requestCheckout(wrong.actAs(acme), 'pro')
  await fixture.hub.clock.advance('1 day')
  await wrong.hub.context.sync.reconcile()

  assert.equal(portal, 502)
  assert.equal(checkout.status, 502)
  assert.match(checkout.body.error.message, /operator/)
  assert.equal(await fixture.findCustomerId(acme), customer)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.equal(await clickPortal(acme), 303)
  assert.ok(wrong.hub.logs.some((line) => line.includes('payment provider does not know the customer')))
})

test('a checkout that is paid after its customer was replaced gives the plan once the secret key is right', {
  rules: ['billing.replaced-customer-still-pays'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const opened = await requestCheckout(acme, 'starter')
  const customer = await fixture.findCustomerId(acme)
  const wrong = await startWithWrongKey(t)

  const portal = await clickPortal(wrong.actAs(acme))
  const replaced = await fixture.findCustomerId(acme)
  await fixture.payCheckout(opened.body.data.checkout_url)
  await fixture.sendCallbacks()

  assert.equal(portal, 303)
  assert.notEqual(replaced, customer)
  assert.equal(await fixture.findCustomerId(acme), customer)
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('a customer that the database has lost is found by its organization, and is not charged twice', {
  rules: ['billing.customer-is-found-before-created'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const customer = await fixture.findCustomerId(acme)
  await fixture.hub.sql`delete from subscriptions where organization_id = ${acme.organizationId}`
  // The provider forgets the idempotency key of the first customer.
  await fixture.advanceDays(2)

  const checkout = await requestCheckout(acme, 'starter')

  assert.equal(checkout.body.error.code, 'CHECKOUT_NOT_ALLOWED')
  assert.equal(await fixture.findCustomerId(acme), customer)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.equal((await fixture.listObjects('subscriptions')).length, 1)
})

test('the subscription of a customer that was deleted at the provider is canceled, and a new customer can buy', {
  rules: ['billing.deleted-customer-is-canceled'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const customer = await fixture.findCustomerId(acme)
  await connectStripe(t, fixture).customers.del(customer)
  await fixture.sendCallbacks()

  const ended = await readEntitlement(acme)
  await fixture.buyPlan(acme, 'starter')

  assert.deepEqual(ended, { ...FREE, status: 'canceled' })
  assert.notEqual(await fixture.findCustomerId(acme), customer)
  assert.deepEqual(await readEntitlement(acme), STARTER)
})
