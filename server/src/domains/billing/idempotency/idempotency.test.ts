import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import type { KeyRing } from '../../../kernel/crypto/key-ring.ts'
import {
  listInvoices,
  newKey,
  previewAddons,
  readEntitlement,
  requestCheckout,
  STARTER,
  setAddons,
  startBilling,
  withKey,
} from '../test/fixture.ts'
import { buildProviderKey } from './service.ts'

test('a repeat with the same key and body is not charged and gets the same response', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const key = newKey()

  const first = await setAddons(acme, { total: 2 }, key)
  await setAddons(acme, { total: 6 })
  const again = await setAddons(acme, { total: 2 }, key)

  assert.equal(again.status, 201)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await readEntitlement(acme), { ...STARTER, addons: 6, channels: 11 })
})

test('the same key with another body is 400, but free for other organizations and routes', async (t) => {
  const fixture = await startBilling(t)
  const [acme, other] = [await fixture.createSubscriber(), await fixture.createSubscriber()]
  const key = newKey()
  await setAddons(acme, { total: 2 }, key)

  const reused = await setAddons(acme, { total: 3 }, key)
  const elsewhere = await setAddons(other, { total: 4 }, key)
  const otherRoute = await acme.post('/api/v1/subscription/checkout', { plan: 'pro' }, withKey(key))

  assert.equal(reused.body.error.code, 'IDEMPOTENCY_KEY_REUSED')
  assert.equal(elsewhere.status, 201)
  assert.equal(otherRoute.status, 201)
  assert.deepEqual(await readEntitlement(other), { ...STARTER, addons: 4, channels: 9 })
})

test('concurrent totals are each charged or 409, and the provider has the one that was set last', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')

  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => setAddons(acme, { total: i + 1 })))

  const set = answers.filter(({ status }) => status === 201)
  for (const { status, body } of answers) {
    assert.ok(status === 201 || body.error.code === 'OPERATION_IN_PROGRESS', `${status}`)
  }
  const [subscription] = await fixture.listOwned(acme, 'subscriptions')
  const { addons } = await readEntitlement(acme)
  assert.equal(
    subscription.items.data.find((item: { quantity: number }) => item.quantity > 1 || addons === 1).quantity,
    addons,
  )
  assert.ok(set.some(({ body }) => body.data.addons.total === addons))
  // A total below the one before it is a credit, of which later invoices are paid: what is due varies, the totals do not.
  const invoices = (await listInvoices(fixture, acme)).slice(1)
  assert.equal(invoices.length, set.length)
  const charged = invoices.reduce((sum, { total }) => sum + total, 0)
  const other = await setAddons(await fixture.createSubscriber('pro'), { total: addons })
  assert.equal(charged, other.body.data.addons.amount_due)
})

test('one of several concurrent requests with one key is charged', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const key = newKey()

  const answers = await Promise.all(Array.from({ length: 8 }, () => setAddons(acme, { total: 2 }, key)))

  for (const { status, body } of answers) {
    assert.ok(status === 201 || body.error.code === 'OPERATION_IN_PROGRESS', `${status}`)
  }
  assert.equal((await listInvoices(fixture, acme)).length, 2)
})

for (const kind of ['reset_after', 'http_after']) {
  test(`a change without a response (${kind}) is 502, and a retry with the same key is charged once`, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber()
    const key = newKey()
    await fixture.fault(kind, '/v1/subscriptions/', { times: 2, status: 503 })

    const lost = await setAddons(acme, { total: 2 }, key)
    await fixture.hub.clock.advance('1 minute')
    const again = await setAddons(acme, { total: 2 }, key)

    assert.equal(lost.status, 502)
    assert.equal(again.status, 201)
    const [, charged, ...more] = await listInvoices(fixture, acme)
    assert.equal(again.body.data.addons.amount_due, charged?.total)
    assert.deepEqual(more, [])
    assert.deepEqual(await readEntitlement(acme), { ...STARTER, addons: 2, channels: 7 })
  })
}

for (const kind of ['reset_after', 'reset_before']) {
  test(`a retry with the same key days later (${kind}) begins anew and is charged once`, {
    rules: ['billing.key-after-502-charges-once'],
  }, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber()
    const key = newKey()
    await fixture.fault(kind, '/v1/subscriptions/', { times: 2 })

    const lost = await setAddons(acme, { total: 2 }, key)
    await fixture.advanceDays(2)
    const again = await setAddons(acme, { total: 2 }, key)

    assert.equal(lost.status, 502)
    assert.equal(again.status, 201, again.text)
    const [, charged, ...more] = await listInvoices(fixture, acme)
    assert.deepEqual(more, [])
    assert.equal(again.body.data.addons.amount_due, kind === 'reset_after' ? 0 : charged?.total)
    assert.deepEqual(await readEntitlement(acme), { ...STARTER, addons: 2, channels: 7 })
  })
}

test('a retry continues the request of a process that died once its lease has expired', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const key = newKey()
  await setAddons(acme, { total: 2 }, key)
  // The state that a process leaves which dies after the charge and before the response.
  await fixture.hub.sql`
    update billing_requests
    set answer = null, claimed_until = hub_now() + interval '5 minutes'
    where organization_id = ${acme.organizationId} and key = ${key}`

  const early = await setAddons(acme, { total: 2 }, key)
  await fixture.hub.clock.advance('5 minutes')
  const late = await setAddons(acme, { total: 2 }, key)

  assert.equal(early.body.error.code, 'OPERATION_IN_PROGRESS')
  assert.equal(late.status, 201)
  assert.equal((await listInvoices(fixture, acme)).length, 2)
})

const [OLD, NEW] = ['old', 'new'].map((id) => ({ id, bytes: randomBytes(32) }))

test('the provider key differs for each organization, route and key, and reveals none of them', () => {
  const parts = { organizationId: 'o1', route: 'addons', key: 'order-0001' }
  const keys = [
    parts,
    { ...parts, organizationId: 'o2' },
    { ...parts, route: 'checkout' },
    { ...parts, key: 'order-0002' },
    // The same characters, divided differently.
    { organizationId: 'o1addons', route: '', key: 'order-0001' },
  ].map(buildProviderKey)

  assert.equal(new Set(keys).size, keys.length)
  for (const key of keys) assert.match(key, /^[0-9a-f]{64}$/)
})

test('a stored response is replayed after a rotation of the sealing key', async (t) => {
  let ring = [OLD] as unknown as KeyRing
  const fixture = await startBilling(t, { installation: { keyRing: () => ring } })
  // The records of the other tests are sealed with another key.
  await fixture.hub.sql`delete from billing_requests`
  const acme = await fixture.hub.organization()
  const key = newKey()
  const first = await requestCheckout(acme, 'starter', key)

  ring = [NEW, OLD] as unknown as KeyRing
  const { resealed, unreadable } = await fixture.hub.context.idempotencyRecords.reseal()
  ring = [NEW] as unknown as KeyRing
  const again = await requestCheckout(acme, 'starter', key)

  assert.deepEqual([resealed, unreadable], [1, 0])
  assert.deepEqual(again.body, first.body)
})

test('idempotency records, previews, links and events are deleted after their retention', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { sql, context, clock } = fixture.hub
  await acme.post('/api/v1/subscription/portal')
  await acme.post('/api/v1/subscription/addons/preview', { total: 1 })
  const countRows = async () => {
    const { organizationId } = acme
    const [row] = await sql<{ requests: number; previews: number; links: number; hashes: number; events: number }[]>`
      select
        (select count(*)::int from billing_requests where organization_id = ${organizationId}) as requests,
        (select count(*)::int from billing_previews where organization_id = ${organizationId}) as previews,
        (select count(*)::int from billing_links where organization_id = ${organizationId}) as links,
        (select count(*)::int from billing_link_hashes where organization_id = ${organizationId}) as hashes,
        (select least(count(*), 1)::int from payment_events) as events`
    return row
  }
  const runDeletion = () => fixture.hub.jobs.find(({ name }) => name === 'delete-old-billing-data')?.run()

  await runDeletion()
  const before = await countRows()
  await clock.advance('11 minutes')
  await runDeletion()
  const soon = await countRows()
  await clock.advance('91 days')
  await runDeletion()

  assert.deepEqual(before, { requests: 1, previews: 1, links: 1, hashes: 1, events: 1 })
  assert.deepEqual(soon, { requests: 1, previews: 0, links: 1, hashes: 1, events: 1 })
  assert.deepEqual(await countRows(), { requests: 0, previews: 0, links: 0, hashes: 0, events: 0 })
  assert.equal((await context.subscriptions.show(acme.organizationId)).subscription.plan, 'starter')
})

/** No effect; the effect without a response; the effect with an unreadable response; a rate limit. */
const FAILURES = ['error', 'reset_after', 'garbled_after', 'throttle'] as const

/** The calls to the provider behind each request. */
const PROVIDER_CALLS: Record<string, readonly string[]> = {
  checkout: ['POST /v1/customers', 'GET /v1/subscriptions', 'GET /v1/prices', 'POST /v1/checkout/sessions'],
  addons: ['GET /v1/subscriptions', 'GET /v1/checkout/sessions', 'GET /v1/prices', 'POST /v1/subscriptions/'],
  preview: ['GET /v1/subscriptions', 'POST /v1/invoices/create_preview'],
}

const REQUESTS: Record<string, (owner: Client, key: string) => ReturnType<Client['post']>> = {
  checkout: (owner, key) => requestCheckout(owner, 'starter', key),
  addons: (owner, key) => setAddons(owner, { total: 2 }, key),
  preview: (owner) => previewAddons(owner, 2),
}

for (const [name, calls] of Object.entries(PROVIDER_CALLS)) {
  for (const call of calls) {
    test(`${name} is 502 if ${call} fails in any way, and a retry with the same key takes effect once`, async (t) => {
      const fixture = await startBilling(t)
      const [method = '', path = ''] = call.split(' ')
      for (const failure of FAILURES) {
        const owner = name === 'checkout' ? await fixture.hub.organization() : await fixture.createSubscriber()
        const key = newKey()

        await fixture.fault(failure, path, { method, times: null })
        const failed = await REQUESTS[name]!(owner, key)
        await fixture.liftFaults()
        const again = await REQUESTS[name]!(owner, key)

        assert.equal(failed.status, 502, `${failure}: ${failed.text}`)
        assert.equal(failed.body.error.code, 'UPSTREAM_UNAVAILABLE')
        assert.ok(again.status < 300, `${failure}: ${again.text}`)
        const count = async (kind: string) => (await fixture.listOwned(owner, kind)).length
        const expected = { checkout: [1, 0], addons: [1, 2], preview: [1, 1] }[name]
        assert.deepEqual([await count('checkout_sessions'), await count('invoices')], expected, failure)
        if (name === 'addons') assert.deepEqual(await readEntitlement(owner), { ...STARTER, addons: 2, channels: 7 })
      }
    })
  }
}
