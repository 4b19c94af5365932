import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { startHub } from '../../../../test/hub.ts'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { ROLE_SCOPES, ROLES, SCOPES } from '../../auth/scopes.ts'
import {
  newKey,
  previewAddons,
  RECEIVER,
  readEntitlement,
  STARTER,
  setAddons,
  startBilling,
  withKey,
} from '../test/fixture.ts'

type Call = { needs: 'billing:read' | 'billing:write'; call: (client: Client) => ReturnType<Client['get']> }

const CALLS: Record<string, Call> = {
  'GET subscription': { needs: 'billing:read', call: (client) => client.get('/api/v1/subscription') },
  'GET usage': { needs: 'billing:read', call: (client) => client.get('/api/v1/usage') },
  'POST preview': { needs: 'billing:read', call: (client) => previewAddons(client, 1) },
  'POST addons': { needs: 'billing:write', call: (client) => setAddons(client, { total: 1 }) },
  'POST checkout': {
    needs: 'billing:write',
    call: (client) => client.post('/api/v1/subscription/checkout', { plan: 'starter' }, withKey(newKey())),
  },
  'POST portal': { needs: 'billing:write', call: (client) => client.post('/api/v1/subscription/portal') },
}

test('a newcomer has the free plan, with its limits and what is used of them', {
  rules: ['D11-14', 'D11-16', 'SUB-01'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  await createChannel(acme)
  await acme.post('/api/v1/webhooks', RECEIVER)

  const { status, body } = await acme.get('/api/v1/subscription')

  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body.data), ['subscription', 'quotas', 'usage'])
  assert.deepEqual(body.data.subscription, {
    ...{ plan: 'free', status: 'none', addons: 0, current_period_end: null, cancels_at: null },
  })
  assert.deepEqual(body.data.quotas, { channels: { limit: 2, used: 1 }, webhook_endpoints: { limit: 5, used: 1 } })
})

test('a subscriber sees the plan, the end of the period and the limits', { rules: ['D11-14', 'GEN-11'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  const { subscription } = (await acme.get('/api/v1/subscription')).body.data

  const { current_period_end: end, ...rest } = subscription
  assert.deepEqual(rest, { plan: 'starter', status: 'active', addons: 0, cancels_at: null })
  const days = (Date.parse(end) - fixture.hub.clock.now().getTime()) / 86_400_000
  assert.ok(days > 27 && days < 32, String(days))
  assert.match(end, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

for (const [name, { needs, call }] of Object.entries(CALLS)) {
  test(`${name} needs ${needs}, and a credential at all`, { rules: ['D5-34'] }, async (t) => {
    const hub = await startHub(t)
    const lacking = await hub.organization(SCOPES.filter((scope) => scope !== needs))

    const [refused, stranger] = [await call(lacking), await call(hub.anonymous)]

    assert.equal(refused.status, 403)
    assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE')
    assert.deepEqual(refused.body.error.details, { scope: needs })
    assert.equal(stranger.status, 401)
  })

  test(`${name} is no business of a channel token`, async (t) => {
    const hub = await startHub(t)
    const acme = await hub.organization()
    const { id } = await createChannel(acme)
    const token = await hub.channelToken(acme.organizationId, id, SCOPES)

    const refused = await call(token)

    assert.equal(refused.status, 403)
    assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE')
  })
}

for (const role of ROLES) {
  test(`a person who is ${role} may do in billing what the role says`, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber()
    const person = await fixture.hub.person({ organizationId: acme.organizationId, role })

    for (const [name, { needs, call }] of Object.entries(CALLS)) {
      const { status, body } = await call(person)
      // What the plan does not allow is none of the role's business.
      const isLetIn = status < 300 || body.error.code === 'CHECKOUT_NOT_ALLOWED'
      assert.equal(isLetIn, ROLE_SCOPES[role].includes(needs), `${name}: ${status}`)
    }
  })
}

test('what one organization buys is nothing to another, by key or by session', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const [other, person] = [await fixture.hub.organization(), await fixture.hub.person()]

  const named = { headers: { 'x-hub-organization': acme.organizationId } }
  const asked = [await person.get('/api/v1/subscription', named), await other.get('/api/v1/usage', named)]

  for (const { status } of asked) assert.equal(status, 404)
  for (const stranger of [other, person]) assert.equal((await readEntitlement(stranger)).plan, 'free')
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('with billing off there are no limits, and nothing to buy', {
  rules: ['D11-04', 'D11-05', 'D4-08'],
}, async (t) => {
  const hub = await startHub(t, { env: { BILLING: 'off' } })
  const acme = await hub.organization()
  await createChannel(acme)

  const { quotas } = (await acme.get('/api/v1/subscription')).body.data

  assert.deepEqual(quotas, { channels: { limit: null, used: 1 }, webhook_endpoints: { limit: null, used: 0 } })
  assert.equal((await acme.get('/api/v1/usage')).status, 200)
  for (const name of ['POST preview', 'POST addons', 'POST checkout', 'POST portal']) {
    const refused = await CALLS[name]!.call(acme)
    assert.equal(refused.status, 400, name)
    assert.equal(refused.body.error.code, 'BILLING_OFF', name)
  }
})

test('the portal takes no body, and the preview a strict one', async (t) => {
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

test('a provider that refuses our own key is a failure behind the hub, and its key is in no log', async (t) => {
  const payments = { secretKey: 'sk_test_canary0123456789', webhookSecret: 'whsec_canary', url: '' }
  const fixture = await startBilling(t)
  const hub = await startHub(t, {
    simulator: fixture.up.simulator,
    installation: { payments: { ...payments, url: fixture.up.simulator.payments.url } },
  })
  const acme = await hub.organization()

  const answer = await CALLS['POST checkout']!.call(acme)

  assert.equal(answer.status, 502)
  assert.equal(answer.body.error.code, 'UPSTREAM_UNAVAILABLE')
  assert.ok(!hub.logs.join('').includes('canary0123456789'))
})
