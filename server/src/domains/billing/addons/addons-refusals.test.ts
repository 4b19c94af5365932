import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKey, previewAddons, readEntitlement, STARTER, setAddons, startBilling, withKey } from '../test/fixture.ts'

test('a date that was not previewed, or not within ten minutes, or by somebody else, is refused', {
  rules: ['D11-23'],
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

test('a date of the period before is to be previewed again, and not the provider’s to refuse', async (t) => {
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

// Else an old date would credit connections for time in which nobody had them.
test('a preview is over once something else was charged or credited', async (t) => {
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
  test(`${plan} takes up to ${max} additional connections`, { rules: ['D11-02', 'D11-03', 'D4-07'] }, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber(plan)

    const [refused, unseen] = [await setAddons(acme, { total }), await previewAddons(acme, total)]
    const most = await setAddons(acme, { total: max })

    for (const answer of [refused, unseen]) {
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.code, 'ADDON_NOT_ALLOWED')
      assert.deepEqual(answer.body.error.details, { min: 0, max })
    }
    assert.equal(most.status, 201)
  })
}

test('the free plan takes none, and neither does a plan that is not paid yet', { rules: ['D11-01'] }, async (t) => {
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

test('a total below what is in use is refused, and a deletion makes room for it', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 3 })
  const [first] = await fixture.createChannels(acme, 7)

  const [refused, unseen] = [await setAddons(acme, { total: 1 }), await previewAddons(acme, 1)]
  await acme.delete(`/api/v1/channels/${first}`)
  const fits = await setAddons(acme, { total: 1 })

  assert.deepEqual(refused.body.error.details, { min: 2, max: 20 })
  assert.equal(unseen.body.error.code, 'ADDON_NOT_ALLOWED')
  assert.equal(fits.status, 201)
  assert.ok(fits.body.data.addons.amount_due < 0)
})

test('a refused total leaves its key free', async (t) => {
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
  ['a broken total', { total: 1.5 }],
  ['a text', { total: '2' }],
  ['a date that is none', { total: 2, proration_date: 'yesterday' }],
  ['seconds for a date', { total: 2, proration_date: 1_790_000_000 }],
  ['another property', { total: 2, quantity: 2 }],
] as const) {
  test(`${what} is refused`, async (t) => {
    const { hub } = await startBilling(t)
    const acme = await hub.organization()

    const refused = await setAddons(acme, body)

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST')
  })
}

test('a total needs a key of 8 to 200 characters, and a preview none', { rules: ['SUB-02'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()

  for (const key of ['k'.repeat(7), 'k'.repeat(201)])
    assert.equal((await setAddons(acme, { total: 1 }, key)).status, 400)
  assert.equal((await acme.post('/api/v1/subscription/addons', { total: 1 })).status, 400)
  assert.equal((await setAddons(acme, { total: 1 }, 'k'.repeat(8))).status, 201)
  assert.equal((await setAddons(acme, { total: 2 }, 'k'.repeat(200))).status, 201)
})
