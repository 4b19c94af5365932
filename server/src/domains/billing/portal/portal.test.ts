import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'

import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { contend } from '../../../../test/lock-contention.ts'
import { type Owner, readEntitlement, STARTER, startBilling } from '../test/fixture.ts'

async function requestPortal(owner: Owner): Promise<{ answer: Answer; path: string }> {
  const answer = await owner.post('/api/v1/subscription/portal')
  assert.equal(answer.status, 200, answer.text)
  return { answer, path: new URL(answer.body.data.portal_url).pathname }
}

test('the link redirects to the portal of the provider once', {
  rules: [
    'billing.portal-link-works-once',
    'billing.portal-link-survives-head',
    'billing.subscription-is-managed-by-a-provider',
  ],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { answer, path } = await requestPortal(acme)

  const first = await fixture.hub.anonymous.get(path)
  const second = await fixture.hub.anonymous.get(path)

  assert.deepEqual(Object.keys(answer.body.data), ['portal_url'])
  assert.match(answer.body.data.portal_url, /^http:\/\/localhost:8080\/billing\/portal\/hub_bl_/)
  assert.equal(first.status, 303)
  assert.equal(first.headers.get('cache-control'), 'no-store')
  const [session] = await fixture.listOwned(acme, 'portal_sessions')
  assert.equal(first.headers.get('location'), session.url)
  assert.equal(second.status, 410)
  assert.equal(second.headers.get('location'), null)
  assert.match(second.text, /This link no longer works/)
})

test('one of several concurrent requests for a link is redirected', {
  rules: ['billing.portal-link-works-once'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { path } = await requestPortal(acme)

  const opened = await contend((tx) => tx`select 1 from billing_links where used_at is null for update`, {
    waiting: 5,
    work: () => Promise.all(Array.from({ length: 5 }, () => fixture.hub.anonymous.get(path))),
  })

  assert.deepEqual(opened.map(({ status }) => status).sort(), [303, 410, 410, 410, 410])
  assert.equal((await fixture.listOwned(acme, 'portal_sessions')).length, 1)
})

// Mail programs and chats send a HEAD before a person opens the link.
test('a HEAD does not use the link', { rules: ['billing.portal-link-survives-head'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { path } = await requestPortal(acme)

  const heads = [await fixture.hub.anonymous.send('HEAD', path), await fixture.hub.anonymous.send('HEAD', path)]
  const opened = await fixture.hub.anonymous.get(path)
  const after = await fixture.hub.anonymous.send('HEAD', path)

  for (const { status, headers } of heads) {
    assert.equal(status, 200)
    assert.equal(headers.get('location'), null)
    assert.equal(headers.get('cache-control'), 'no-store')
  }
  assert.equal(opened.status, 303)
  assert.equal(after.status, 410)
})

test('a link is 410 after five minutes, and an unknown link is 404', {
  rules: ['billing.portal-link-works-once'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { path } = await requestPortal(acme)
  await fixture.hub.clock.advance('5 minutes')

  assert.equal((await fixture.hub.anonymous.get(path)).status, 410)
  for (const unknown of ['nonsense', `hub_bl_${'0'.repeat(49)}`]) {
    assert.equal((await fixture.hub.anonymous.get(`/billing/portal/${unknown}`)).status, 404)
  }
})

test('a portal link does not open the plan page', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { path } = await requestPortal(acme)

  assert.equal((await fixture.hub.anonymous.get(path.replace('/portal/', '/plan/'))).status, 404)
  assert.equal((await fixture.hub.anonymous.get(path)).status, 303)
})

test('a failure of the provider leaves the link unused', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { path } = await requestPortal(acme)

  await fixture.fault('error', '/v1/billing_portal/sessions', { times: null })
  const failed = await fixture.hub.anonymous.get(path)
  await fixture.liftFaults()

  assert.equal(failed.status, 502)
  assert.equal((await fixture.hub.anonymous.get(path)).status, 303)
})

test('a customer that the provider has deleted is replaced by a new one', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const { path } = await requestPortal(acme)
  await fixture.hub
    .sql`update subscriptions set customer_id = 'cus_lost' where organization_id = ${acme.organizationId}`

  const opened = await fixture.hub.anonymous.get(path)

  assert.equal(opened.status, 303)
  assert.notEqual(await fixture.findCustomerId(acme), 'cus_lost')
})

test('each organization opens the portal of its own customer, where the plan cannot be changed', {
  rules: ['billing.portal-manages-the-card'],
}, async (t) => {
  const fixture = await startBilling(t)
  const [acme, other] = [await fixture.createSubscriber(), await fixture.createSubscriber()]

  for (const owner of [acme, other]) await fixture.hub.anonymous.get((await requestPortal(owner)).path)

  assert.equal((await fixture.listOwned(acme, 'portal_sessions')).length, 1)
  assert.equal((await fixture.listOwned(other, 'portal_sessions')).length, 1)
  const [configuration, ...more] = await fixture.listObjects('portal_configurations')
  assert.deepEqual(more, [])
  const { features } = configuration
  assert.equal(features.subscription_update.enabled, false)
  for (const feature of ['payment_method_update', 'invoice_history', 'subscription_cancel']) {
    assert.equal(features[feature].enabled, true, feature)
  }
})

test('an organization without purchases can open the portal', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()

  const { path } = await requestPortal(acme)

  assert.equal((await fixture.hub.anonymous.get(path)).status, 303)
})

test('a cancellation in the portal keeps the plan until the end of the period and can be resumed', {
  rules: ['billing.portal-manages-the-card'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const customer = await fixture.findCustomerId(acme)
  const shown = async () => (await acme.get('/api/v1/subscription')).body.data.subscription

  await fixture.control('POST', `/payments/customers/${customer}/portal`, { action: 'cancel' })
  const canceled = await shown()
  await fixture.control('POST', `/payments/customers/${customer}/portal`, { action: 'resume' })
  const resumed = await shown()

  assert.equal(canceled.status, 'active')
  assert.equal(canceled.cancels_at, canceled.current_period_end)
  assert.equal(resumed.cancels_at, null)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  const entries = await listAuditEntries(acme, acme.organizationId)
  const changes = entries
    .filter(({ action }) => action === 'subscription.changed')
    .map(({ details }) => details.changes as { cancels_at?: object })
  const dates = changes.flatMap(({ cancels_at }) => cancels_at ?? [])
  const date = canceled.cancels_at
  assert.deepEqual(dates, [
    { from: null, to: date },
    { from: date, to: null },
  ])
})

test('the audit log records the link, and its token is neither stored nor logged', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { path } = await requestPortal(acme)
  await fixture.hub.anonymous.get(path)

  const entries = await listAuditEntries(acme, acme.organizationId)
  assert.ok(entries.some(({ action }) => action === 'subscription.portal_link_created'))
  const token = path.split('/').at(-1) ?? ''
  const rows = await fixture.hub.sql`select 1 from billing_links l where position(${token} in l::text) > 0`
  assert.equal(rows.length, 0)
  assert.ok(!fixture.hub.logs.join('').includes(token))
})

test('on hold the link is refused as a page, makes no session and stays unused', {
  rules: ['hold.sends-are-503'],
}, async (t) => {
  const fixture = await startBilling(t)
  const { hold } = fixture.hub.context
  const acme = await fixture.createSubscriber()
  const { path } = await requestPortal(acme)

  await hold.set('operator')
  const refused = await fixture.hub.anonymous.get(path)
  const made = await fixture.listOwned(acme, 'portal_sessions')
  await hold.release()
  const opened = await fixture.hub.anonymous.get(path)

  assert.equal(refused.status, 503)
  assert.match(refused.headers.get('content-type') ?? '', /^text\/html/)
  assert.equal(made.length, 0)
  assert.equal(opened.status, 303)
})
