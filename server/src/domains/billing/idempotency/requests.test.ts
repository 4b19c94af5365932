import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { KeyRing } from '../../../kernel/crypto/key-ring.ts'
import { newKey, requestCheckout, startBilling } from '../test/fixture.ts'
import { buildProviderKey } from './service.ts'

const [OLD, NEW] = ['old', 'new'].map((id) => ({ id, bytes: randomBytes(32) }))

test('the key at the provider tells organizations, routes and keys apart, and gives none of them away', () => {
  const parts = { organizationId: 'o1', route: 'addons', key: 'order-0001' }
  const keys = [
    parts,
    { ...parts, organizationId: 'o2' },
    { ...parts, route: 'checkout' },
    { ...parts, key: 'order-0002' },
    // Where a word ends makes a difference too.
    { organizationId: 'o1addons', route: '', key: 'order-0001' },
  ].map(buildProviderKey)

  assert.equal(new Set(keys).size, keys.length)
  for (const key of keys) assert.match(key, /^[0-9a-f]{64}$/)
})

test('an answer is sealed, and is given again after the sealing key was changed', async (t) => {
  let ring = [OLD] as unknown as KeyRing
  const fixture = await startBilling(t, { installation: { keyRing: () => ring } })
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

test('requests, previews, links and events are forgotten in their time, and not before', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { sql, context, clock } = fixture.hub
  await acme.post('/api/v1/subscription/portal')
  await acme.post('/api/v1/subscription/addons/preview', { total: 1 })
  const left = async () => {
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
  const forget = () => fixture.hub.jobs.find(({ name }) => name === 'forget-billing')?.run()

  await forget()
  const before = await left()
  await clock.advance('11 minutes')
  await forget()
  const soon = await left()
  await clock.advance('91 days')
  await forget()

  assert.deepEqual(before, { requests: 1, previews: 1, links: 1, hashes: 1, events: 1 })
  assert.deepEqual(soon, { requests: 1, previews: 0, links: 1, hashes: 1, events: 1 })
  assert.deepEqual(await left(), { requests: 0, previews: 0, links: 0, hashes: 0, events: 0 })
  assert.equal((await context.subscriptions.show(acme.organizationId)).subscription.plan, 'starter')
})
