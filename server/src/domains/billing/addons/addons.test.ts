import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { CATALOG, PRICE_KEYS } from '../plans/catalog.ts'
import {
  listInvoices,
  newKey,
  previewAddons,
  readEntitlement,
  STARTER,
  setAddons,
  startBilling,
  withKey,
} from '../test/fixture.ts'

const CONNECTION = CATALOG.find(({ lookupKey }) => lookupKey === PRICE_KEYS.connection)?.unitAmount ?? 0

test('a total is charged in proportion to the rest of the period and raises the limit of channels', {
  rules: [
    'billing.addons-set-the-total',
    'billing.subscription-is-managed-by-a-provider',
    'billing.addons-are-prorated',
  ],
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
    status: 'paid',
    total: amount_due,
    amount_due,
    billing_reason: 'subscription_update',
  })
})

test('a total replaces the current one', { rules: ['billing.addons-set-the-total'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  await setAddons(acme, { total: 3 })
  const again = await setAddons(acme, { total: 3 })
  await setAddons(acme, { total: 5 })

  assert.deepEqual(again.body.data.addons, { total: 3, status: 'active', amount_due: 0, currency: 'brl' })
  assert.deepEqual(await readEntitlement(acme), { ...STARTER, addons: 5, channels: 10 })
  assert.equal((await listInvoices(fixture, acme)).length, 3)
})

test('the exact amount of a preview is charged or credited nine minutes later', {
  rules: [
    'billing.preview-changes-nothing',
    'billing.previewed-date-counts-ten-minutes',
    'billing.amounts-are-signed-minor-units',
  ],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  await fixture.advanceDays(11)

  for (const total of [7, 2, 0]) {
    const previewed = await previewAddons(acme, total)
    const { proration_date, recurring: _, ...shown } = previewed.body.data.preview
    await fixture.hub.clock.advance('9 minutes')
    await fixture.control('POST', '/payments/clock', { advance_seconds: 540 })
    const set = await setAddons(acme, { total, proration_date })

    assert.equal(previewed.status, 200)
    assert.deepEqual(set.body.data.addons, { ...shown, status: 'active' })
    assert.equal((await listInvoices(fixture, acme)).at(-1)?.total, shown.amount_due)
    assert.equal(shown.amount_due > 0, total === 7)
  }
})

test('a preview has the monthly price of the whole subscription after the change', {
  rules: ['billing.preview-has-the-new-price'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const read = async (total: number) => (await previewAddons(acme, total)).body.data.preview.recurring
  const month = { interval: 'month', interval_count: 1 }

  const [none, two] = [await read(0), await read(2)]
  await setAddons(acme, { total: 3 })
  const [fewer, more] = [await read(0), await read(5)]

  assert.deepEqual(none, { amount: 9900, ...month })
  assert.deepEqual(two, { amount: 9900 + 2 * 1900, ...month })
  assert.deepEqual(fewer, none)
  assert.deepEqual(more, { amount: 9900 + 5 * 1900, ...month })
})

test('a preview changes nothing', { rules: ['billing.preview-changes-nothing'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  await previewAddons(acme, 4)

  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.equal((await listInvoices(fixture, acme)).length, 1)
})

test('a proration date may be written in another time zone', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const { proration_date, amount_due } = (await previewAddons(acme, 2)).body.data.preview
  const moved = new Date(Date.parse(proration_date) - 3 * 3_600_000).toISOString().replace('Z', '-03:00')

  const set = await setAddons(acme, { total: 2, proration_date: moved })

  assert.equal(set.body.data.addons.amount_due, amount_due)
})

for (const outcome of ['declines', 'requires_action'] as const) {
  test(`a failed charge (${outcome}) is pending_payment, and the limit rises once it is paid`, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber()
    await fixture.setCard(acme, outcome)

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

test('a charge that stays unpaid is dropped after a day, and the subscription stays unchanged', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await fixture.setCard(acme, 'declines')
  await setAddons(acme, { total: 2 })

  await fixture.advanceDays(2)

  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('setting the current total withdraws a pending change to another total', async (t) => {
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

test('the audit log records the total with its amount, and the change of the entitlement', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  const { addons } = (await setAddons(acme, { total: 2 })).body.data

  const entries = await listAuditEntries(acme, acme.organizationId)
  const set = entries.find(({ action }) => action === 'subscription.addons_set')
  assert.deepEqual(set?.details, { ...addons, changes: { addons: { from: 0, to: 2 } } })
  assert.equal(set?.actor.id, acme.keyId)
  const [changed] = entries.filter(({ action }) => action === 'subscription.changed').slice(-1)
  assert.deepEqual(changed?.details, {
    from: { plan: 'starter', status: 'active', addons: 0, cancels_at: null },
    to: { plan: 'starter', status: 'active', addons: 2, cancels_at: null },
    changes: { addons: { from: 0, to: 2 } },
  })
  assert.deepEqual(changed?.actor, { type: 'system', id: null, name: 'payment provider' })
})

test('a renewal keeps the additional connections and charges them in full', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 2 })

  await fixture.advanceDays(32)

  assert.deepEqual(await readEntitlement(acme), { ...STARTER, addons: 2, channels: 7 })
  assert.equal((await listInvoices(fixture, acme)).at(-1)?.total, 9900 + 2 * CONNECTION)
})

test('a proration date without a preview of the organization within ten minutes is 400', {
  rules: ['billing.previewed-date-counts-ten-minutes'],
}, async (t) => {
  const fixture = await startBilling(t)
  const [acme, other] = [await fixture.createSubscriber(), await fixture.createSubscriber()]
  const { proration_date: old } = (await previewAddons(acme, 2)).body.data.preview
  await fixture.hub.clock.advance('10 minutes')
  const { proration_date: foreign } = (await previewAddons(other, 2)).body.data.preview

  for (const proration_date of [old, foreign, '2026-01-01T00:00:00.000Z']) {
    const refused = await setAddons(acme, { total: 2, proration_date })

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST')
    assert.equal(refused.body.error.details.issues[0].path, '/proration_date')
  }
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('a proration date of the previous period is 400', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const end = Date.parse((await acme.get('/api/v1/subscription')).body.data.subscription.current_period_end)
  const pass = async (seconds: number) => {
    await fixture.hub.clock.advance(`${seconds} seconds`)
    await fixture.control('POST', '/payments/clock', { advance_seconds: seconds })
  }
  await pass(Math.floor((end - fixture.hub.clock.now().getTime()) / 1000) - 120)
  const { proration_date } = (await previewAddons(acme, 2)).body.data.preview
  await pass(240)

  const refused = await setAddons(acme, { total: 2, proration_date })

  assert.equal(refused.body.error.code, 'INVALID_REQUEST')
  assert.equal(refused.body.error.details.issues[0].path, '/proration_date')
  assert.equal((await setAddons(acme, { total: 2 })).status, 201)
})

// An older date would credit connections for a time before they were bought.
test('a preview is invalid after another charge or credit', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const { proration_date } = (await previewAddons(acme, 0)).body.data.preview
  const raised = await setAddons(acme, { total: 100 })

  const refused = await setAddons(acme, { total: 0, proration_date })
  const { proration_date: fresh, amount_due } = (await previewAddons(acme, 0)).body.data.preview
  const lowered = await setAddons(acme, { total: 0, proration_date: fresh })

  assert.equal(raised.status, 201, raised.text)
  assert.deepEqual([refused.status, refused.body.error.details.issues[0].path], [400, '/proration_date'])
  assert.equal(lowered.body.data.addons.amount_due, amount_due)
  assert.ok(-amount_due <= raised.body.data.addons.amount_due)
})

for (const [plan, total, max] of [
  ['starter', 21, 20],
  ['pro', 201, 200],
] as const) {
  test(`${plan} allows up to ${max} additional connections`, {
    rules: ['billing.starter-plan', 'billing.pro-plan', 'billing.addons-need-a-plan-with-them'],
  }, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber(plan)

    const [refused, previewed] = [await setAddons(acme, { total }), await previewAddons(acme, total)]
    const most = await setAddons(acme, { total: max })

    for (const answer of [refused, previewed]) {
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.code, 'ADDON_NOT_ALLOWED')
      assert.partialDeepStrictEqual(answer.body.error.details, { min: 0, max })
    }
    assert.equal(most.status, 201)
  })
}

test('additional connections on the free plan or before a payment are 400', {
  rules: ['billing.free-plan'],
}, async (t) => {
  const fixture = await startBilling(t)
  const [acme, waiting] = [await fixture.hub.organization(), await fixture.hub.organization()]
  await waiting.post('/api/v1/subscription/checkout', { plan: 'pro' }, withKey())

  for (const owner of [acme, waiting]) {
    for (const answer of [await setAddons(owner, { total: 1 }), await previewAddons(owner, 0)]) {
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.code, 'ADDON_NOT_ALLOWED')
    }
  }
})

test('a total below what is in use is 400 until a channel is deleted', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 3 })
  const [first] = await fixture.createChannels(acme, 7)

  const [refused, previewed] = [await setAddons(acme, { total: 1 }), await previewAddons(acme, 1)]
  await acme.delete(`/api/v1/channels/${first}`)
  const accepted = await setAddons(acme, { total: 1 })

  assert.partialDeepStrictEqual(refused.body.error.details, { min: 2, max: 20 })
  assert.equal(previewed.body.error.code, 'ADDON_NOT_ALLOWED')
  assert.equal(accepted.status, 201)
  assert.ok(accepted.body.data.addons.amount_due < 0)
})

test('the key of a refused total can be used for another total', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const key = newKey()

  await setAddons(acme, { total: 21 }, key)
  const other = await setAddons(acme, { total: 20 }, key)

  assert.equal(other.status, 201)
})

for (const [what, body] of [
  ['no total', {}],
  ['a negative total', { total: -1 }],
  ['a fractional total', { total: 1.5 }],
  ['a total as a string', { total: '2' }],
  ['an invalid date', { total: 2, proration_date: 'yesterday' }],
  ['a date in seconds', { total: 2, proration_date: 1_790_000_000 }],
  ['another property', { total: 2, quantity: 2 }],
] as const) {
  test(`setting ${what} is 400`, async (t) => {
    const { hub } = await startBilling(t)
    const acme = await hub.organization()

    const refused = await setAddons(acme, body)

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST')
  })
}

test('a total requires a key of 8 to 200 characters', { rules: ['billing.addons-set-the-total'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  for (const key of ['k'.repeat(7), 'k'.repeat(201)])
    assert.equal((await setAddons(acme, { total: 1 }, key)).status, 400)
  assert.equal((await acme.post('/api/v1/subscription/addons', { total: 1 })).status, 400)
  assert.equal((await setAddons(acme, { total: 1 }, 'k'.repeat(8))).status, 201)
  assert.equal((await setAddons(acme, { total: 2 }, 'k'.repeat(200))).status, 201)
})
