import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { bearer, startHub, type TestHub } from '../../../../test/hub.ts'
import { holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { startRelay } from '../../../../test/relay.ts'
import { PLANS } from '../plans/plans.ts'
import {
  changePlan,
  type Fixture,
  newKey,
  type Owner,
  readEntitlement,
  requestPlanPath,
  STARTER,
  setAddons,
  startBilling,
} from '../test/fixture.ts'

function buildLockKey({ organizationId }: Owner): string {
  return `quota:channels:${organizationId}`
}

async function countChannels(owner: Owner): Promise<number> {
  return (await owner.get('/api/v1/channels')).body.data.channels.length
}

test('exactly as many concurrent creations succeed as the plan and its additional connections allow', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 2 })

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => acme.post('/api/v1/channels', { name: `n${i}` })),
  )

  assert.equal(answers.filter(({ status }) => status === 201).length, PLANS.starter.channels + 2)
  const refused = answers.find(({ status }) => status === 403)
  assert.partialDeepStrictEqual(refused?.body.error.details, { quota: 'channels', limit: 7, used: 7 })
})

for (const first of ['the change', 'the creation'] as const) {
  test(`a change to a lower limit and a concurrent creation above it: ${first} that comes first wins`, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber()
    await setAddons(acme, { total: 1 })
    await fixture.createChannels(acme, PLANS.starter.channels)
    const begin = {
      'the change': () => setAddons(acme, { total: 0 }),
      'the creation': () => acme.post('/api/v1/channels', { name: 'sixth' }),
    }
    const second = first === 'the change' ? 'the creation' : 'the change'

    // Both wait for the quota's lock, in this order, while another transaction holds it.
    const holder = await holdTransaction(
      fixture.hub.sql,
      (tx) => tx`select pg_advisory_xact_lock(hashtextextended(${buildLockKey(acme)}, 0))`,
    )
    const winner = begin[first]()
    await waitUntilBlocked(fixture.hub.sql, 1)
    const loser = begin[second]()
    await waitUntilBlocked(fixture.hub.sql, 2)
    await holder.release()
    const [won, lost] = await Promise.all([winner, loser])

    assert.equal(won.status, 201)
    assert.equal(lost.body.error.code, first === 'the change' ? 'QUOTA_EXCEEDED' : 'ADDON_NOT_ALLOWED')
    const { channels } = await readEntitlement(acme)
    assert.equal(channels, first === 'the change' ? 5 : 6)
    assert.equal(await countChannels(acme), channels)
  })
}

/** Another hub whose requests to the provider can be delayed. */
async function startDelayed(t: TestContext, { up: { simulator } }: Fixture) {
  const relay = await startRelay(t, () => simulator.payments.url)
  const payments = { ...simulator.payments, url: relay.url }
  return { relay, hub: await startHub(t, { simulator, installation: { payments } }) }
}

for (const [what, change, limit] of [
  ['the connections are lowered', (_hub: TestHub, owner: Client) => setAddons(owner, { total: 0 }), 20],
  [
    'the plan is lowered',
    (hub: TestHub, owner: Client) => requestPlanPath(owner, 'starter').then((path) => changePlan(hub, path)),
    8,
  ],
] as const) {
  test(`while ${what}, concurrent creations stay within the lower limit`, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber('pro')
    await setAddons(acme, { total: 3 })
    await fixture.createChannels(acme, limit - 2)
    const { relay, hub } = await startDelayed(t, fixture)
    const caught = relay.catch('/v1/subscriptions/sub_')

    const changing = change(hub, hub.anonymous.with(bearer(acme.key)))
    const { proceed } = await caught
    const created = await Promise.all(
      Array.from({ length: 5 }, (_, i) => acme.post('/api/v1/channels', { name: `n${i}` })),
    )
    const another = await setAddons(acme, { total: 10 })
    proceed()
    const changed = await changing

    assert.ok(changed.status < 300, changed.text)
    assert.equal(another.body.error.code, 'OPERATION_IN_PROGRESS')
    assert.equal(created.filter(({ status }) => status === 201).length, 2)
    assert.equal((await readEntitlement(acme)).channels, limit)
    assert.equal(await countChannels(acme), limit)
  })
}

test('a change without a response enforces the lower limit until its outcome is known', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 1 })
  await fixture.createChannels(acme, PLANS.starter.channels)

  await fixture.fault('reset_after', '/v1/subscriptions/', { times: 2 })
  const lost = await setAddons(acme, { total: 0 })
  const refused = await acme.post('/api/v1/channels', { name: 'sixth' })
  await fixture.sendCallbacks()

  assert.equal(lost.status, 502)
  assert.equal(refused.status, 403)
  assert.partialDeepStrictEqual(refused.body.error.details, { quota: 'channels', limit: 5, used: 5 })
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('a change that did not reach the provider no longer caps the limit after the next fetch', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 1 })
  await fixture.createChannels(acme, PLANS.starter.channels)

  await fixture.fault('error', '/v1/subscriptions/', { times: null })
  await setAddons(acme, { total: 0 })
  const held = await readEntitlement(acme)
  await fixture.liftFaults()
  await fixture.hub.context.sync.refresh(acme.organizationId)

  assert.equal(held.channels, 5)
  assert.equal((await readEntitlement(acme)).channels, 6)
  assert.equal((await acme.post('/api/v1/channels', { name: 'sixth' })).status, 201)
})

test('a retry with the same key is refused if more channels are in use by then', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 1 })
  await fixture.createChannels(acme, PLANS.starter.channels)
  const key = newKey()
  await fixture.fault('error', '/v1/subscriptions/', { times: null })
  await setAddons(acme, { total: 0 }, key)
  await fixture.liftFaults()
  await fixture.hub.context.sync.refresh(acme.organizationId)
  const [sixth] = await fixture.createChannels(acme, 1)

  const refused = await setAddons(acme, { total: 0 }, key)
  const held = await readEntitlement(acme)
  await acme.delete(`/api/v1/channels/${sixth}`)
  const accepted = await setAddons(acme, { total: 0 }, key)

  assert.equal(refused.body.error.code, 'ADDON_NOT_ALLOWED')
  assert.equal(held.channels, 6)
  assert.equal(accepted.status, 201)
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('the outcome of a change without a response, or whose process died, is fetched within minutes', async (t) => {
  const fixture = await startBilling(t)
  const [lost, died] = [await fixture.createSubscriber(), await fixture.createSubscriber()]
  for (const owner of [lost, died]) await setAddons(owner, { total: 1 })
  await fixture.fault('error', '/v1/subscriptions/', { times: null })
  for (const owner of [lost, died]) await setAddons(owner, { total: 0 })
  await fixture.liftFaults()
  // The state that a process leaves which dies while it waits for the provider.
  await fixture.hub.sql`
    update subscriptions
    set operation = gen_random_uuid(), operation_until = hub_now() + interval '5 minutes'
    where organization_id = ${died.organizationId}`

  const held = [await readEntitlement(lost), await readEntitlement(died)]
  await fixture.hub.clock.advance('6 minutes')
  await fixture.hub.context.sync.reconcile()

  assert.deepEqual(
    held.map(({ channels }) => channels),
    [5, 5],
  )
  for (const owner of [lost, died]) assert.equal((await readEntitlement(owner)).channels, 6)
})

test('a refused change does not cap the limit', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 3 })
  await fixture.createChannels(acme, 8)

  const refused = await setAddons(acme, { total: 1 })

  assert.equal(refused.status, 400)
  assert.equal((await readEntitlement(acme)).channels, 8)
})

test('a deletion frees the slot of a paid plan immediately', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const [first] = await fixture.createChannels(acme, PLANS.starter.channels)

  await acme.delete(`/api/v1/channels/${first}`)

  assert.equal((await acme.post('/api/v1/channels', { name: 'again' })).status, 201)
  assert.equal((await acme.post('/api/v1/channels', { name: 'too many' })).status, 403)
})

test('the refusal of a quota in the sandbox names --plan and BILLING=off, and elsewhere it does not', {
  rules: ['cli.sandbox-quota-names-the-plan'],
}, async (t) => {
  const STRIPE = { BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
  const readRefusal = async (env: Record<string, string>) => {
    const acme = await (await startHub(t, { env })).organization()
    const answers = []
    for (let i = 0; i <= PLANS.free.channels; i++) answers.push(await acme.post('/api/v1/channels', { name: `n${i}` }))
    return answers.at(-1)?.body.error.message
  }

  assert.match(await readRefusal({ BILLING: 'sandbox' }), /Delete one, or buy more\. .*--plan pro.*BILLING=off/)
  assert.match(await readRefusal(STRIPE), /Delete one, or buy more\.$/)
})
