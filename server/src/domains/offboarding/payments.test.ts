import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { requestCheckout, startBilling } from '../billing/test/fixture.ts'

/** An organization whose deletion is due in seven days, and its owner. */
async function startWaiting(t: TestContext) {
  const fixture = await startBilling(t)
  const { hub, control } = fixture
  const acme = await hub.organization()
  const owner = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const path = `/console/organizations/${acme.organizationId}/deletion`
  const requested = await owner.post(path, { name: 'Acme' })
  assert.equal(requested.status, 200, requested.text)

  async function exists(): Promise<boolean> {
    return (await hub.sql`select id from organizations where id = ${acme.organizationId}`).length > 0
  }

  /** Runs the job while the provider delays its answer to one request, and does something meanwhile. */
  async function deleteWhile(path: string, act: () => Promise<unknown>): Promise<void> {
    await fixture.fault('latency', path, { latency_ms: 300, times: 1 })
    const run = hub.context.offboarding.deleteDue()
    while ((await control<{ faults: { hits: number }[] }>('GET', '/faults')).faults[0]?.hits !== 1) await delay(5)
    await act()
    await run
  }

  return { ...fixture, acme, owner, path, exists, deleteWhile, deleteDue: () => hub.context.offboarding.deleteDue() }
}

/** The warnings of the hub about an organization. */
function listWarnings({ hub, acme }: Pick<Awaited<ReturnType<typeof startWaiting>>, 'hub' | 'acme'>) {
  return hub.logs
    .map((line) => JSON.parse(line))
    .filter(({ level, organization_id }) => level === 'warn' && organization_id === acme.organizationId)
}

test('an organization that pays cannot be deleted until its subscription is canceled', {
  rules: ['organization.deletion-waits-for-subscription'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const owner = await fixture.hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const path = `/console/organizations/${acme.organizationId}/deletion`

  const refused = await owner.post(path, { name: 'Acme' })
  const customer = await fixture.findCustomerId(acme)
  await fixture.control('POST', `/payments/customers/${customer}/portal`, { action: 'cancel' })
  const requested = await owner.post(path, { name: 'Acme' })
  await owner.delete(path)

  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT'])
  assert.match(refused.body.error.message, /billing portal/)
  assert.equal(requested.status, 200, requested.text)
})

test('a subscription that is bought before the time has come keeps the organization', {
  rules: ['organization.deletion-waits-for-subscription'],
}, async (t) => {
  const { acme, owner, buyPlan, advanceDays, deleteDue } = await startWaiting(t)
  await buyPlan(acme, 'starter')

  await advanceDays(7)
  await deleteDue()

  assert.equal((await owner.get('/console/session')).body.data.organization.deletes_at, null)
  const log = await owner.get('/api/v1/audit-log?action=organization.deletion_canceled')
  assert.deepEqual(log.body.data.entries[0].details, { reason: 'subscription_active' })
  assert.equal(log.body.data.entries[0].actor.type, 'system')
})

test('while the payment provider is down nothing is shut off, and an owner keeps the organization', {
  rules: ['organization.deletion-can-be-canceled'],
}, async (t) => {
  const waiting = await startWaiting(t)
  const { hub, acme, owner, path, deleteDue, advanceDays, fault, liftFaults } = waiting
  await requestCheckout(acme, 'starter')
  await advanceDays(7)
  await fault('error', '/v1/subscriptions', { times: null })

  await assert.rejects(deleteDue(), { code: 'UPSTREAM_UNAVAILABLE' })
  const works = await acme.get('/api/v1/channels')
  const canceled = await owner.delete(path)
  await liftFaults()
  await hub.clock.advance('1 hour')
  await deleteDue()

  assert.equal(works.status, 200)
  assert.equal(canceled.status, 200)
  assert.equal((await owner.get('/console/session')).body.data.organization.deletes_at, null)
  assert.equal((await acme.get('/api/v1/channels')).status, 200)
})

test('a deletion that waited for the payment provider is done once the provider responds', {
  rules: ['organization.deletion-completes-after-a-crash'],
}, async (t) => {
  const { hub, acme, exists, deleteDue, advanceDays, fault, liftFaults } = await startWaiting(t)
  await requestCheckout(acme, 'starter')
  await advanceDays(7)
  await fault('error', '/v1/subscriptions', { times: null })
  await assert.rejects(deleteDue(), { code: 'UPSTREAM_UNAVAILABLE' })
  await liftFaults()

  for (const minutes of [3, 10]) {
    await hub.clock.advance(`${minutes} minutes`)
    await deleteDue()
  }

  assert.equal(await exists(), false)
})

test('an owner who cancels while the payment provider is asked keeps the organization', {
  rules: ['organization.deletion-can-be-canceled'],
}, async (t) => {
  const { hub, acme, owner, path, deleteWhile, deleteDue, advanceDays } = await startWaiting(t)
  await requestCheckout(acme, 'starter')
  await advanceDays(7)

  await deleteWhile('/v1/subscriptions', async () => assert.equal((await owner.delete(path)).status, 200))
  await hub.clock.advance('1 hour')
  await deleteDue()

  assert.equal((await acme.get('/api/v1/channels')).status, 200)
  assert.equal((await owner.get('/console/session')).status, 200)
})

test('a checkout that was opened before the deletion began is closed, and cannot be paid', {
  rules: ['organization.deletion-ends-all-charges'],
}, async (t) => {
  const waiting = await startWaiting(t)
  const { hub, acme, exists, advanceDays, deleteDue, listOwned, listObjects, control } = waiting
  await advanceDays(7)
  const opened = await requestCheckout(acme, 'starter')
  assert.equal(opened.status, 201)
  const [session] = await listOwned(acme, 'checkout_sessions')

  await deleteDue()
  const [expired] = await listOwned(acme, 'checkout_sessions')
  const paid = control('POST', `/payments/checkout/${session.id}`, { card: '4242424242424242' })
  await assert.rejects(paid)
  await hub.clock.advance('10 minutes')
  await deleteDue()

  assert.equal(expired.status, 'expired')
  assert.equal(await exists(), false)
  const subscriptions = (await listObjects('subscriptions')).filter(({ customer }) => customer === session.customer)
  assert.deepEqual(subscriptions, [])
  assert.deepEqual(listWarnings(waiting), [])
})

test('a subscription that is paid while the organization is shut off is canceled, and is a warning in the log', {
  rules: ['organization.deletion-waits-for-subscription', 'organization.deletion-ends-all-charges'],
}, async (t) => {
  const waiting = await startWaiting(t)
  const { hub, acme, exists, advanceDays, deleteWhile, deleteDue, payCheckout, listOwned } = waiting
  await advanceDays(7)
  const opened = await requestCheckout(acme, 'starter')

  await deleteWhile('/expire', () => payCheckout(opened.body.data.checkout_url))
  const [subscription] = await listOwned(acme, 'subscriptions')
  await hub.clock.advance('10 minutes')
  await deleteDue()

  assert.equal(subscription.status, 'canceled')
  assert.equal(await exists(), false)
  assert.deepEqual(
    listWarnings(waiting).map(({ msg, subscription }) => [msg, subscription]),
    [['subscription of a deleted organization canceled', subscription.id]],
  )
})

test('a subscription that is paid after an interrupted deletion does not keep the organization', {
  rules: [
    'organization.deletion-waits-for-subscription',
    'organization.deletion-completes-after-a-crash',
    'organization.deletion-ends-all-charges',
  ],
}, async (t) => {
  const waiting = await startWaiting(t)
  const { hub, acme, exists, advanceDays, deleteDue, payCheckout, listOwned, fault, liftFaults } = waiting
  await advanceDays(7)
  const opened = await requestCheckout(acme, 'starter')
  await fault('error', '/expire', { times: null })
  await assert.rejects(deleteDue(), /still open/)
  await liftFaults()

  await payCheckout(opened.body.data.checkout_url)
  await hub.clock.advance('3 minutes')
  await deleteDue()
  const [subscription] = await listOwned(acme, 'subscriptions')
  await hub.clock.advance('10 minutes')
  await deleteDue()

  assert.equal(subscription.status, 'canceled')
  assert.equal(await exists(), false)
  assert.equal(listWarnings(waiting).length, 1)
})

test('a subscription that ends with its period is ended with the organization, so that no portal renews it', {
  rules: ['organization.deletion-ends-all-charges'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const owner = await fixture.hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const customer = await fixture.findCustomerId(acme)
  await fixture.control('POST', `/payments/customers/${customer}/portal`, { action: 'cancel' })
  await owner.post(`/console/organizations/${acme.organizationId}/deletion`, { name: 'Acme' })
  await fixture.advanceDays(7)

  await fixture.hub.context.offboarding.deleteDue()

  const [subscription] = await fixture.listOwned(acme, 'subscriptions')
  assert.equal(subscription.status, 'canceled')
  assert.deepEqual(listWarnings({ hub: fixture.hub, acme }), [])
})
