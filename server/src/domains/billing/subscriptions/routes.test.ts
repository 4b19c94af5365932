import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { bearer, startHub } from '../../../../test/hub.ts'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import {
  previewAddons,
  RECEIVER,
  readEntitlement,
  requestCheckout,
  STARTER,
  setAddons,
  startBilling,
} from '../test/fixture.ts'

/** The requests that need the payment provider. */
const PURCHASES: Record<string, (client: Client) => Promise<Answer>> = {
  preview: (client) => previewAddons(client, 1),
  addons: (client) => setAddons(client, { total: 1 }),
  checkout: (client) => requestCheckout(client, 'starter'),
  portal: (client) => client.post('/api/v1/subscription/portal'),
}

test('a new organization has the free plan, with its limits and what is in use', {
  rules: ['billing.subscription-is-managed-by-a-provider', 'billing.quotas-show-limit-and-use'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  await createChannel(acme)
  await acme.post('/api/v1/webhooks', RECEIVER)

  const { status, body } = await acme.get('/api/v1/subscription')

  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body.data), ['subscription', 'quotas', 'usage'])
  assert.deepEqual(body.data.subscription, {
    plan: 'free',
    status: 'none',
    addons: 0,
    current_period_end: null,
    cancels_at: null,
  })
  assert.deepEqual(body.data.quotas, { channels: { limit: 2, used: 1 }, webhook_endpoints: { limit: 5, used: 1 } })
})

test('a subscriber sees the plan and the end of the period', {
  rules: ['billing.subscription-is-managed-by-a-provider'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  const { subscription } = (await acme.get('/api/v1/subscription')).body.data

  const { current_period_end: end, ...rest } = subscription
  assert.deepEqual(rest, { plan: 'starter', status: 'active', addons: 0, cancels_at: null })
  const days = (Date.parse(end) - fixture.hub.clock.now().getTime()) / 86_400_000
  assert.ok(days > 27 && days < 32, String(days))
  assert.match(end, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('the subscription of another organization is 404, with a key or a session', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const [other, person] = [await fixture.hub.organization(), await fixture.hub.person()]

  const named = { headers: { 'x-hub-organization': acme.organizationId } }
  const answers = [await person.get('/api/v1/subscription', named), await other.get('/api/v1/usage', named)]

  for (const { status } of answers) assert.equal(status, 404)
  for (const client of [other, person]) assert.equal((await readEntitlement(client)).plan, 'free')
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('with billing off there are no limits, and every purchase is 400', {
  rules: ['billing.off-limits-nothing', 'billing.off-refuses-purchases'],
}, async (t) => {
  const hub = await startHub(t, { env: { BILLING: 'off' } })
  const acme = await hub.organization()
  await createChannel(acme)

  const { quotas } = (await acme.get('/api/v1/subscription')).body.data

  assert.deepEqual(quotas, { channels: { limit: null, used: 1 }, webhook_endpoints: { limit: null, used: 0 } })
  assert.equal((await acme.get('/api/v1/usage')).status, 200)
  for (const [name, send] of Object.entries(PURCHASES)) {
    const refused = await send(acme)
    assert.equal(refused.status, 400, name)
    assert.equal(refused.body.error.code, 'BILLING_OFF', name)
  }
})

test('with billing off a plan that was bought earlier is not shown', {
  rules: ['billing.off-limits-nothing'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const hub = await startHub(t, { env: { BILLING: 'off' } })
  const month = `${hub.clock.now().toISOString().slice(0, 7)}-01T00:00:00.000Z`

  const { subscription, usage } = (await hub.anonymous.with(bearer(acme.key)).get('/api/v1/subscription')).body.data

  const none = { plan: 'free', status: 'none', addons: 0, current_period_end: null, cancels_at: null }
  assert.deepEqual(subscription, none)
  assert.equal(usage.period_start, month)
})

test('a body with unknown or missing properties is 400', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const answers = [
    await acme.post('/api/v1/subscription/portal', { return_url: 'https://evil.example' }),
    await acme.post('/api/v1/subscription/addons/preview', { total: 1, plan: 'pro' }),
    await acme.post('/api/v1/subscription/addons/preview', {}),
  ]

  for (const { status, body } of answers) {
    assert.equal(status, 400)
    assert.equal(body.error.code, 'INVALID_REQUEST')
  }
})

test('a secret key that the provider rejects is 502 and is not logged', async (t) => {
  const payments = { secretKey: 'sk_test_canary0123456789', webhookSecret: 'whsec_canary', url: '' }
  const fixture = await startBilling(t)
  const hub = await startHub(t, {
    simulator: fixture.up.simulator,
    installation: { payments: { ...payments, url: fixture.up.simulator.payments.url } },
  })
  const acme = await hub.organization()

  const answer = await requestCheckout(acme, 'starter')

  assert.equal(answer.status, 502)
  assert.equal(answer.body.error.code, 'UPSTREAM_UNAVAILABLE')
  assert.ok(!hub.logs.join('').includes('canary0123456789'))
})
