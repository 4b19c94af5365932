import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { CATALOG, PRICE_KEYS } from '../plans/plans.ts'
import { listInvoices, previewAddons, readEntitlement, STARTER, setAddons, startBilling } from '../test/fixture.ts'

const CONNECTION = CATALOG.find(({ key }) => key === PRICE_KEYS.connection)?.unitAmount ?? 0

test('a total is set and charged in proportion, and the limit of channels rises by it', {
  rules: ['D11-21', 'GEN-11', 'SUB-03', 'SUB-05'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await fixture.advanceDays(15)

  const set = await setAddons(acme, { total: 2 })

  assert.equal(set.status, 201)
  const { amount_due, ...rest } = set.body.data.addons
  assert.deepEqual(rest, { total: 2, status: 'active', currency: 'brl' })
  assert.ok(amount_due > 0.4 * 2 * CONNECTION && amount_due < 0.6 * 2 * CONNECTION, String(amount_due))
  assert.deepEqual(await readEntitlement(acme), { ...STARTER, addons: 2, channels: 7 })
  assert.deepEqual((await listInvoices(fixture, acme)).at(-1), {
    ...{ status: 'paid', total: amount_due, amount_due, billing_reason: 'subscription_update' },
  })
})

test('it is a total, and adds nothing to what is there', { rules: ['SUB-04'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  await setAddons(acme, { total: 3 })
  const again = await setAddons(acme, { total: 3 })
  await setAddons(acme, { total: 5 })

  assert.deepEqual(again.body.data.addons, { total: 3, status: 'active', amount_due: 0, currency: 'brl' })
  assert.deepEqual(await readEntitlement(acme), { ...STARTER, addons: 5, channels: 10 })
  assert.equal((await listInvoices(fixture, acme)).length, 3)
})

test('what a preview says is charged to the cent, although time has passed, and is credited likewise', {
  rules: ['D11-21', 'D11-22', 'D11-23', 'D11-24', 'SUB-05', 'SUB-06'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  await fixture.advanceDays(11)

  for (const total of [7, 2, 0]) {
    const previewed = await previewAddons(acme, total)
    const { proration_date, ...shown } = previewed.body.data.preview
    await fixture.hub.clock.advance('9 minutes')
    await fixture.control('POST', '/payments/clock', { advance_seconds: 540 })
    const set = await setAddons(acme, { total, proration_date })

    assert.equal(previewed.status, 200)
    assert.deepEqual(set.body.data.addons, { ...shown, status: 'active' })
    assert.equal((await listInvoices(fixture, acme)).at(-1)?.total, shown.amount_due)
    assert.equal(shown.amount_due > 0, total === 7)
  }
})

test('a preview changes nothing', { rules: ['SUB-06'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  await previewAddons(acme, 4)

  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.equal((await listInvoices(fixture, acme)).length, 1)
})

test('a date may be written in another zone than it was shown', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { proration_date, amount_due } = (await previewAddons(acme, 2)).body.data.preview
  const moved = new Date(Date.parse(proration_date) - 3 * 3_600_000).toISOString().replace('Z', '-03:00')

  const set = await setAddons(acme, { total: 2, proration_date: moved })

  assert.equal(set.body.data.addons.amount_due, amount_due)
})

for (const behaviour of ['declines', 'requires_action'] as const) {
  test(`a charge that fails (${behaviour}) is waited for, and releases nothing until it is paid`, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber()
    await fixture.setCard(acme, behaviour)

    const set = await setAddons(acme, { total: 2 })
    await fixture.sendCallbacks()
    const waiting = await readEntitlement(acme)
    const [, open] = await fixture.listOwned(acme, 'invoices')
    await fixture.setCard(acme, 'succeeds')
    await fixture.control('POST', `/payments/invoices/${open.id}/pay`, {})
    const paid = await readEntitlement(acme)

    assert.equal(set.status, 201)
    assert.equal(set.body.data.addons.status, 'pending_payment')
    assert.equal(set.body.data.addons.amount_due, open.amount_due)
    assert.deepEqual(waiting, STARTER)
    assert.deepEqual(paid, { ...STARTER, addons: 2, channels: 7 })
  })
}

test('a charge that nobody pays is dropped after a day, and the plan stays as it was', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await fixture.setCard(acme, 'declines')
  await setAddons(acme, { total: 2 })

  await fixture.advanceDays(2)

  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('a total that is there already takes back one that waits for its payment', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 1 })
  await fixture.setCard(acme, 'declines')
  await setAddons(acme, { total: 5 })

  const kept = await setAddons(acme, { total: 1 })

  assert.deepEqual(kept.body.data.addons, { total: 1, status: 'active', amount_due: 0, currency: 'brl' })
  assert.deepEqual(
    (await listInvoices(fixture, acme)).map(({ status }) => status),
    ['paid', 'paid', 'void'],
  )
  assert.deepEqual(await readEntitlement(acme), { ...STARTER, addons: 1, channels: 6 })
})

test('a change is on record with its amount, and what came of it too', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  const { addons } = (await setAddons(acme, { total: 2 })).body.data

  const entries = await listAuditEntries(acme, acme.organizationId)
  const set = entries.find(({ action }) => action === 'subscription.addons_set')
  assert.deepEqual(set?.details, addons)
  assert.equal(set?.actor.id, acme.keyId)
  const [changed] = entries.filter(({ action }) => action === 'subscription.changed').slice(-1)
  assert.deepEqual(changed?.details, {
    from: { plan: 'starter', status: 'active', addons: 0 },
    to: { plan: 'starter', status: 'active', addons: 2 },
  })
  assert.deepEqual(changed?.actor, { type: 'system', id: null, name: 'payment provider' })
})

test('connections are kept over a renewal, and paid for in full', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 2 })

  await fixture.advanceDays(32)

  assert.deepEqual(await readEntitlement(acme), { ...STARTER, addons: 2, channels: 7 })
  assert.equal((await listInvoices(fixture, acme)).at(-1)?.total, 9900 + 2 * CONNECTION)
})
