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
  readEntitlement,
  requestPlanPath,
  STARTER,
  setAddons,
  startBilling,
} from '../test/fixture.ts'

type Owner = Awaited<ReturnType<Fixture['createSubscriber']>>

function lockOf({ organizationId }: Owner): string {
  return `quota:channels:${organizationId}`
}

async function countChannels(owner: Owner): Promise<number> {
  return (await owner.get('/api/v1/channels')).body.data.channels.length
}

test('of many creations at once exactly as many succeed as the plan and its connections have room for', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 2 })

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => acme.post('/api/v1/channels', { name: `n${i}` })),
  )

  assert.equal(answers.filter(({ status }) => status === 201).length, PLANS.starter.channels + 2)
  const refused = answers.find(({ status }) => status === 403)
  assert.deepEqual(refused?.body.error.details, { quota: 'channels', limit: 7, used: 7 })
})

for (const first of ['the change', 'the creation'] as const) {
  test(`while connections are given up nothing is created in their place, and ${first} that comes first wins`, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber()
    await setAddons(acme, { total: 1 })
    await fixture.createChannels(acme, PLANS.starter.channels)
    const begin = {
      'the change': () => setAddons(acme, { total: 0 }),
      'the creation': () => acme.post('/api/v1/channels', { name: 'sixth' }),
    }
    const second = first === 'the change' ? 'the creation' : 'the change'

    // Both stand before the count, in this order, while somebody else has it.
    const holder = await holdTransaction(
      fixture.hub.sql,
      (tx) => tx`select pg_advisory_xact_lock(hashtextextended(${lockOf(acme)}, 0))`,
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

/** Another process of the hub, whose requests to the provider can be held up on their way. */
async function startSlow(t: TestContext, { up: { simulator } }: Fixture) {
  const relay = await startRelay(t, () => simulator.payments.url)
  const payments = { ...simulator.payments, url: relay.url }
  return { relay, hub: await startHub(t, { simulator, installation: { payments } }) }
}

for (const [what, change, limit] of [
  ['connections are given up', (_hub: TestHub, owner: Client) => setAddons(owner, { total: 0 }), 20],
  [
    'a smaller plan is chosen',
    (hub: TestHub, owner: Client) => requestPlanPath(owner, 'starter').then((path) => changePlan(hub, path)),
    8,
  ],
] as const) {
  test(`when ${what}, what is created while the provider works on it stays within the lower limit`, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber('pro')
    await setAddons(acme, { total: 3 })
    await fixture.createChannels(acme, limit - 2)
    const { relay, hub } = await startSlow(t, fixture)
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

test('a change that the provider has not answered holds the lower limit until it is known', async (t) => {
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
  assert.deepEqual(refused.body.error.details, { quota: 'channels', limit: 5, used: 5 })
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('a change that the provider never came to hear of holds nothing back once that is known', async (t) => {
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

test('a try under the same key is decided on anew: what was created meanwhile keeps its room', async (t) => {
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
  const fits = await setAddons(acme, { total: 0 }, key)

  assert.equal(refused.body.error.code, 'ADDON_NOT_ALLOWED')
  assert.equal(held.channels, 6)
  assert.equal(fits.status, 201)
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('what became of a change that died with its process, or was lost, is asked for within minutes', async (t) => {
  const fixture = await startBilling(t)
  const [lost, died] = [await fixture.createSubscriber(), await fixture.createSubscriber()]
  for (const owner of [lost, died]) await setAddons(owner, { total: 1 })
  await fixture.fault('error', '/v1/subscriptions/', { times: null })
  for (const owner of [lost, died]) await setAddons(owner, { total: 0 })
  await fixture.liftFaults()
  // As it is left by a process that dies while it waits for the provider.
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

test('a refused change holds nothing back', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 3 })
  await fixture.createChannels(acme, 8)

  const refused = await setAddons(acme, { total: 1 })

  assert.equal(refused.status, 400)
  assert.equal((await readEntitlement(acme)).channels, 8)
})

test('a deletion frees the slot of a paid plan at once', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const [first] = await fixture.createChannels(acme, PLANS.starter.channels)

  await acme.delete(`/api/v1/channels/${first}`)

  assert.equal((await acme.post('/api/v1/channels', { name: 'again' })).status, 201)
  assert.equal((await acme.post('/api/v1/channels', { name: 'too many' })).status, 403)
})
