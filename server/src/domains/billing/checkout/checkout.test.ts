import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ORIGIN } from '../../../../test/hub.ts'
import { holdTransaction, listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { contend } from '../../../../test/lock-contention.ts'
import {
  DECLINED,
  FREE,
  newKey,
  PRO,
  readEntitlement,
  requestCheckout,
  STARTER,
  startBilling,
  withKey,
} from '../test/fixture.ts'

test('a checkout is a page of the provider, and the limits rise only once it is paid', {
  rules: [
    'billing.checkout-is-for-starter-or-pro',
    'billing.checkout-is-201-with-a-url',
    'billing.quota-counts-once-paid',
  ],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await fixture.createChannels(acme, 2)

  const opened = await requestCheckout(acme, 'starter')
  const waiting = await readEntitlement(acme)
  const refused = await acme.post('/api/v1/channels', { name: 'too early' })
  const declined = await fixture.payCheckout(opened.body.data.checkout_url, DECLINED)
  const stillWaiting = await readEntitlement(acme)
  await fixture.payCheckout(opened.body.data.checkout_url)

  assert.equal(opened.status, 201)
  assert.deepEqual(Object.keys(opened.body.data), ['checkout_url'])
  assert.ok(opened.body.data.checkout_url.startsWith(fixture.up.simulator.payments.url))
  assert.deepEqual(waiting, { ...FREE, status: 'pending_payment' })
  assert.equal(refused.body.error.code, 'QUOTA_EXCEEDED')
  assert.ok(declined.error)
  assert.deepEqual(stillWaiting, waiting)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.equal((await acme.post('/api/v1/channels', { name: 'now' })).status, 201)
})

test('a paid checkout gives the plan that was requested', {
  rules: ['billing.starter-plan', 'billing.pro-plan', 'billing.checkout-is-201-with-a-url'],
}, async (t) => {
  const fixture = await startBilling(t)

  const [starter, pro] = [await fixture.createSubscriber('starter'), await fixture.createSubscriber('pro')]

  assert.deepEqual([await readEntitlement(starter), await readEntitlement(pro)], [STARTER, PRO])
})

/** The path and query of an address of the provider, with the id of the session in its place. */
function readPath(address: string, sessionId: string): string {
  const { pathname, search } = new URL(address.replace('{CHECKOUT_SESSION_ID}', sessionId))
  return pathname + search
}

// A person reaches the return page also without having paid.
test('a request for the return page changes nothing', {
  rules: ['billing.quota-counts-once-paid', 'config.public-url-is-the-base-of-links'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await requestCheckout(acme, 'pro')
  const [session] = await fixture.listOwned(acme, 'checkout_sessions')

  const page = await fixture.hub.anonymous.get(readPath(session.success_url, session.id))

  assert.equal(page.status, 200)
  assert.match(page.text, /You are back from the payment provider/)
  assert.equal(new URL(session.success_url).origin, ORIGIN)
  assert.deepEqual(await readEntitlement(acme), { ...FREE, status: 'pending_payment' })
})

test('the page after a payment says what was bought, and returns to the dashboard who is signed in there', {
  rules: ['billing.return-says-what-was-bought'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const [{ id, success_url, cancel_url }] = await fixture.listOwned(acme, 'checkout_sessions')
  const person = await fixture.hub.person({ organizationId: acme.organizationId, role: 'owner' })

  const anonymous = await fixture.hub.anonymous.get(readPath(success_url, id))
  const member = await person.get(readPath(success_url, id))
  const given = await person.get(readPath(cancel_url, id))

  for (const { text } of [anonymous, member]) {
    assert.match(text, /You now have the Pro plan/)
    assert.match(text, /R\$349\.00 was paid\. The Pro plan has room for 20 channels and 100 webhook endpoints\./)
  }
  assert.match(given.text, /Nothing was charged/)
  assert.deepEqual(
    [anonymous, member, given].map(({ headers }) => headers.get('refresh')),
    [null, '8; url=/usage', '8; url=/usage'],
  )
})

for (const checkout of ['', 'cs_test_unknown00000', 'in_1', '../prices', '%3Cscript%3E']) {
  test(`the page after a payment does not know the checkout ${JSON.stringify(checkout)}`, async (t) => {
    const { hub } = await startBilling(t)

    const page = await hub.anonymous.get(`/billing/return?checkout=${checkout}`)

    assert.equal(page.status, 200)
    assert.match(page.text, /You are back from the payment provider/)
  })
}

test('the page after a payment is whole while the provider fails', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const [{ id, success_url }] = await fixture.listOwned(acme, 'checkout_sessions')
  await fixture.control('POST', '/faults', { kind: 'error', path: '/v1/checkout', times: 1 })

  const page = await fixture.hub.anonymous.get(readPath(success_url, id))

  assert.equal(page.status, 200)
  assert.match(page.text, /You are back from the payment provider/)
})

test('a new checkout closes the older ones', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()

  const older = await requestCheckout(acme, 'starter')
  const newer = await requestCheckout(acme, 'pro')

  const sessions = await fixture.listOwned(acme, 'checkout_sessions')
  assert.notEqual(older.body.data.checkout_url, newer.body.data.checkout_url)
  assert.deepEqual(
    sessions.map(({ status }) => status),
    ['expired', 'open'],
  )
})

test('a checkout after a payment whose callback was lost is refused', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const older = await requestCheckout(acme, 'starter')
  await fixture.control('PUT', '/payments/callback', { url: 'http://127.0.0.1:9/nowhere' })
  await fixture.payCheckout(older.body.data.checkout_url)

  const again = await requestCheckout(acme, 'starter')

  assert.equal(again.status, 400)
  assert.equal(again.body.error.code, 'CHECKOUT_NOT_ALLOWED')
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('concurrent first requests create one customer with the name and id of the organization', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()

  await Promise.all([requestCheckout(acme, 'starter'), acme.post('/api/v1/subscription/portal')])

  const customers = (await fixture.listObjects('customers')).filter(
    ({ metadata }) => metadata.organization_id === acme.organizationId,
  )
  assert.deepEqual(
    customers.map(({ name }) => name),
    ['Acme'],
  )
})

test('a repeat with the same key and plan gets the same response and opens no checkout', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const key = newKey()

  const first = await requestCheckout(acme, 'starter', key)
  const again = await requestCheckout(acme, 'starter', key)

  assert.equal(again.status, 201)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.deepEqual(again.body, first.body)
  assert.equal((await fixture.listOwned(acme, 'checkout_sessions')).length, 1)
})

test('the same key with another plan is 400', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const key = newKey()
  await requestCheckout(acme, 'starter', key)

  const reused = await requestCheckout(acme, 'pro', key)

  assert.equal(reused.status, 400)
  assert.equal(reused.body.error.code, 'IDEMPOTENCY_KEY_REUSED')
})

test('one of several concurrent requests with one key opens a checkout, and the others get its response or 409', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const key = newKey()

  const answers = await Promise.all(Array.from({ length: 8 }, () => requestCheckout(acme, 'starter', key)))

  for (const { status, body } of answers) {
    assert.ok(status === 201 || body.error.code === 'OPERATION_IN_PROGRESS', `${status}`)
  }
  assert.ok(answers.some(({ status }) => status === 201))
  assert.equal((await fixture.listOwned(acme, 'checkout_sessions')).length, 1)
})

test('a concurrent change under another key is 409 and succeeds afterwards', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const keys = [newKey(), newKey()]

  // Both requests wait for the lock of the subscription's row, and the first to get it for the table of links.
  const links = await holdTransaction(fixture.hub.sql, (tx) => tx`lock table billing_links in exclusive mode`)
  const { requests } = await contend(
    (tx) => tx`select 1 from subscriptions where organization_id = ${acme.organizationId} for update`,
    { waiting: 2, work: async () => ({ requests: keys.map((key) => requestCheckout(acme, 'pro', key)) }) },
  )
  await Promise.race(requests)
  await links.release()
  const answers = await Promise.all(requests)
  const [busy] = answers.flatMap(({ status }, i) => (status === 409 ? [keys[i]] : []))
  const again = await requestCheckout(acme, 'pro', busy)

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  assert.equal(again.status, 201)
})

test('a checkout of the current plan is 400', { rules: ['billing.same-plan-is-400'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')

  const again = await requestCheckout(acme, 'starter')

  assert.equal(again.status, 400)
  assert.equal(again.body.error.code, 'CHECKOUT_NOT_ALLOWED')
})

for (const [what, body] of [
  ['the free plan', { plan: 'free' }],
  ['an unknown plan', { plan: 'enterprise' }],
  ['no plan', {}],
  ['another property', { plan: 'starter', quantity: 2 }],
] as const) {
  test(`a checkout with ${what} is 400`, { rules: ['billing.checkout-is-for-starter-or-pro'] }, async (t) => {
    const { hub } = await startBilling(t)
    const acme = await hub.organization()

    const refused = await acme.post('/api/v1/subscription/checkout', body, withKey())

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST')
  })
}

for (const length of [0, 7, 201]) {
  test(`a checkout with a key of ${length} characters is 400, with one of 8 or 200 it succeeds`, {
    rules: ['billing.checkout-is-201-with-a-url'],
  }, async (t) => {
    const { hub } = await startBilling(t)
    const acme = await hub.organization()
    const keyed = (key: string) =>
      acme.post('/api/v1/subscription/checkout', { plan: 'starter' }, key === '' ? {} : withKey(key))

    assert.equal((await keyed('k'.repeat(length))).status, 400)
    assert.equal((await keyed('k'.repeat(8))).status, 201)
    assert.equal((await keyed('k'.repeat(200))).status, 201)
  })
}

test('the audit log names the plan and the credential of a checkout', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()

  await requestCheckout(acme, 'pro')

  const entries = await listAuditEntries(acme, acme.organizationId)
  const opened = entries.find(({ action }) => action === 'subscription.checkout_opened')
  assert.deepEqual(opened?.details, { plan: 'pro' })
  assert.deepEqual(opened?.actor, { type: 'api_key', id: acme.keyId, name: 'test key' })
})

test('a checkout without a response of the provider is 502, and a retry with the same key succeeds', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const key = newKey()

  await fixture.fault('error', '/v1/checkout/sessions', { times: null })
  const failed = await requestCheckout(acme, 'starter', key)
  await fixture.liftFaults()
  const again = await requestCheckout(acme, 'starter', key)

  assert.equal(failed.status, 502)
  assert.equal(failed.body.error.code, 'UPSTREAM_UNAVAILABLE')
  assert.equal(again.status, 201)
})

test('a retry of a checkout that a newer one has closed is 400 and leaves the newer one open', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const key = newKey()
  await requestCheckout(acme, 'pro')
  await fixture.fault('http_after', '/v1/checkout/sessions', { method: 'POST', times: 2, status: 503 })
  const lost = await requestCheckout(acme, 'starter', key)
  const newer = await requestCheckout(acme, 'pro')

  const late = await requestCheckout(acme, 'starter', key)

  assert.deepEqual([lost.status, newer.status, late.status], [502, 201, 400])
  assert.equal(late.body.error.code, 'CHECKOUT_NOT_ALLOWED')
  const [open, ...more] = (await fixture.listOwned(acme, 'checkout_sessions')).filter(({ status }) => status === 'open')
  assert.equal(open.url, newer.body.data.checkout_url)
  assert.deepEqual(more, [])
})

test('a checkout for a customer that the provider has deleted creates a new customer', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await requestCheckout(acme, 'starter')
  await fixture.hub
    .sql`update subscriptions set customer_id = 'cus_gone' where organization_id = ${acme.organizationId}`

  const again = await requestCheckout(acme, 'starter')
  await fixture.payCheckout(again.body.data.checkout_url)

  assert.equal(again.status, 201)
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('a new checkout is closed if the older one is paid at the same moment', async (t) => {
  const { hub, control, payCheckout, listOwned } = await startBilling(t)
  const acme = await hub.organization()
  const older = await requestCheckout(acme, 'starter')
  await control('POST', '/faults', { kind: 'latency', latency_ms: 300, method: 'POST', path: '/expire', times: 1 })
  const isClosing = async () => (await control<{ faults: { hits: number }[] }>('GET', '/faults')).faults[0]?.hits === 1

  const newer = requestCheckout(acme, 'pro')
  while (!(await isClosing())) await delay(5)
  await payCheckout(older.body.data.checkout_url)
  const answer = await newer

  assert.deepEqual([answer.status, answer.body.error?.code], [400, 'CHECKOUT_NOT_ALLOWED'])
  assert.ok((await listOwned(acme, 'checkout_sessions')).every(({ status }) => status !== 'open'))
  assert.equal((await listOwned(acme, 'subscriptions')).length, 1)
})
