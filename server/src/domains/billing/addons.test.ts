import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditOf } from '../../../test/connecting.ts'
import { CATALOGUE, PRICE_KEYS } from './plans.ts'
import { newKey, preview, type Scene, STARTER, setAddons, standing, startScene, withKey } from './test/scene.ts'

const CONNECTION = CATALOGUE.find(({ key }) => key === PRICE_KEYS.connection)?.unitAmount ?? 0

type Owner = Parameters<Scene['own']>[0]

async function invoicesOf(scene: Scene, owner: Owner) {
  return (await scene.own(owner, 'invoices')).map(({ status, total, amount_due, billing_reason }) => ({
    ...{ status, total, amount_due, billing_reason },
  }))
}

test('a total is set and charged in proportion, and the limit of channels rises by it', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  await scene.pass(15)

  const set = await setAddons(acme, { total: 2 })

  assert.equal(set.status, 201)
  const { amount_due, ...rest } = set.body.data.addons
  assert.deepEqual(rest, { total: 2, status: 'active', currency: 'brl' })
  assert.ok(amount_due > 0.4 * 2 * CONNECTION && amount_due < 0.6 * 2 * CONNECTION, String(amount_due))
  assert.deepEqual(await standing(acme), { ...STARTER, addons: 2, channels: 7 })
  assert.deepEqual((await invoicesOf(scene, acme)).at(-1), {
    ...{ status: 'paid', total: amount_due, amount_due, billing_reason: 'subscription_update' },
  })
})

test('it is a total, and adds nothing to what is there', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()

  await setAddons(acme, { total: 3 })
  const again = await setAddons(acme, { total: 3 })
  await setAddons(acme, { total: 5 })

  assert.deepEqual(again.body.data.addons, { total: 3, status: 'active', amount_due: 0, currency: 'brl' })
  assert.deepEqual(await standing(acme), { ...STARTER, addons: 5, channels: 10 })
  assert.equal((await invoicesOf(scene, acme)).length, 3)
})

test('what a preview says is charged to the cent, although time has passed, and is credited likewise', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('pro')
  await scene.pass(11)

  for (const total of [7, 2, 0]) {
    const previewed = await preview(acme, total)
    const { proration_date, ...shown } = previewed.body.data.preview
    await scene.hub.clock.advance('9 minutes')
    await scene.control('POST', '/payments/clock', { advance_seconds: 540 })
    const set = await setAddons(acme, { total, proration_date })

    assert.equal(previewed.status, 200)
    assert.deepEqual(set.body.data.addons, { ...shown, status: 'active' })
    assert.equal((await invoicesOf(scene, acme)).at(-1)?.total, shown.amount_due)
    assert.equal(shown.amount_due > 0, total === 7)
  }
})

test('a preview changes nothing', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()

  await preview(acme, 4)

  assert.deepEqual(await standing(acme), STARTER)
  assert.equal((await invoicesOf(scene, acme)).length, 1)
})

test('a date that was not previewed, or not within ten minutes, or by somebody else, is refused', async (t) => {
  const scene = await startScene(t)
  const [acme, other] = [await scene.subscriber(), await scene.subscriber()]
  const { proration_date: old } = (await preview(acme, 2)).body.data.preview
  await scene.hub.clock.advance('10 minutes')
  const { proration_date: foreign } = (await preview(other, 2)).body.data.preview

  for (const proration_date of [old, foreign, '2026-01-01T00:00:00.000Z']) {
    const refused = await setAddons(acme, { total: 2, proration_date })

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST')
    assert.equal(refused.body.error.details.issues[0].path, '/proration_date')
  }
  assert.deepEqual(await standing(acme), STARTER)
})

test('a date of the period before is to be previewed again, and not the provider’s to refuse', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  const end = Date.parse((await acme.get('/api/v1/subscription')).body.data.subscription.current_period_end)
  const pass = async (seconds: number) => {
    await scene.hub.clock.advance(`${seconds} seconds`)
    await scene.control('POST', '/payments/clock', { advance_seconds: seconds })
  }
  await pass(Math.floor((end - scene.hub.clock.now().getTime()) / 1000) - 120)
  const { proration_date } = (await preview(acme, 2)).body.data.preview
  await pass(240)

  const refused = await setAddons(acme, { total: 2, proration_date })

  assert.equal(refused.body.error.code, 'INVALID_REQUEST')
  assert.equal(refused.body.error.details.issues[0].path, '/proration_date')
  assert.equal((await setAddons(acme, { total: 2 })).status, 201)
})

test('a date may be written in another zone than it was shown', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  const { proration_date, amount_due } = (await preview(acme, 2)).body.data.preview
  const moved = new Date(Date.parse(proration_date) - 3 * 3_600_000).toISOString().replace('Z', '-03:00')

  const set = await setAddons(acme, { total: 2, proration_date: moved })

  assert.equal(set.body.data.addons.amount_due, amount_due)
})

test('the same key and body are charged once, and get the same answer again', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  const key = newKey()

  const first = await setAddons(acme, { total: 2 }, key)
  await setAddons(acme, { total: 6 })
  const again = await setAddons(acme, { total: 2 }, key)

  assert.equal(again.status, 201)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await standing(acme), { ...STARTER, addons: 6, channels: 11 })
})

test('the same key with another body is refused, and belongs to its organization and its route', async (t) => {
  const scene = await startScene(t)
  const [acme, other] = [await scene.subscriber(), await scene.subscriber()]
  const key = newKey()
  await setAddons(acme, { total: 2 }, key)

  const reused = await setAddons(acme, { total: 3 }, key)
  const elsewhere = await setAddons(other, { total: 4 }, key)
  const otherRoute = await acme.post('/api/v1/subscription/checkout', { plan: 'pro' }, withKey(key))

  assert.equal(reused.body.error.code, 'IDEMPOTENCY_KEY_REUSED')
  assert.equal(elsewhere.status, 201)
  assert.equal(otherRoute.status, 201)
  assert.deepEqual(await standing(other), { ...STARTER, addons: 4, channels: 9 })
})

test('of many totals set at once each is charged for or told to wait, and the provider has what was set last', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('pro')

  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => setAddons(acme, { total: i + 1 })))

  const set = answers.filter(({ status }) => status === 201)
  for (const { status, body } of answers) {
    assert.ok(status === 201 || body.error.code === 'OPERATION_IN_PROGRESS', `${status}`)
  }
  const [subscription] = await scene.own(acme, 'subscriptions')
  const { addons } = await standing(acme)
  assert.equal(
    subscription.items.data.find((item: { quantity: number }) => item.quantity > 1 || addons === 1).quantity,
    addons,
  )
  assert.ok(set.some(({ body }) => body.data.addons.total === addons))
  const paid = (await invoicesOf(scene, acme)).slice(1)
  assert.deepEqual(paid.map(({ total }) => total).sort(), set.map(({ body }) => body.data.addons.amount_due).sort())
})

test('of requests with one key at once one is charged for', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  const key = newKey()

  const answers = await Promise.all(Array.from({ length: 8 }, () => setAddons(acme, { total: 2 }, key)))

  for (const { status, body } of answers) {
    assert.ok(status === 201 || body.error.code === 'OPERATION_IN_PROGRESS', `${status}`)
  }
  assert.equal((await invoicesOf(scene, acme)).length, 2)
})

for (const kind of ['reset_after', 'http_after']) {
  test(`a change whose answer was lost (${kind}) is 502, and the same key finds it done and charged once`, async (t) => {
    const scene = await startScene(t)
    const acme = await scene.subscriber()
    const key = newKey()
    await scene.fault(kind, '/v1/subscriptions/', { times: 2, status: 503 })

    const lost = await setAddons(acme, { total: 2 }, key)
    await scene.hub.clock.advance('1 minute')
    const again = await setAddons(acme, { total: 2 }, key)

    assert.equal(lost.status, 502)
    assert.equal(again.status, 201)
    const [, charged, ...more] = await invoicesOf(scene, acme)
    assert.equal(again.body.data.addons.amount_due, charged?.total)
    assert.deepEqual(more, [])
    assert.deepEqual(await standing(acme), { ...STARTER, addons: 2, channels: 7 })
  })
}

test('a request whose process died is taken over under the same key when its time is up, and not before', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  const key = newKey()
  await setAddons(acme, { total: 2 }, key)
  // As it is left by a process that dies after the charge and before the answer.
  await scene.hub.sql`
    update billing_requests
    set answer = null, claimed_until = hub_now() + interval '5 minutes'
    where organization_id = ${acme.organizationId} and key = ${key}`

  const early = await setAddons(acme, { total: 2 }, key)
  await scene.hub.clock.advance('5 minutes')
  const late = await setAddons(acme, { total: 2 }, key)

  assert.equal(early.body.error.code, 'OPERATION_IN_PROGRESS')
  assert.equal(late.status, 201)
  assert.equal((await invoicesOf(scene, acme)).length, 2)
})

for (const behaviour of ['declines', 'requires_action'] as const) {
  test(`a charge that fails (${behaviour}) is waited for, and releases nothing until it is paid`, async (t) => {
    const scene = await startScene(t)
    const acme = await scene.subscriber()
    await scene.setCard(acme, behaviour)

    const set = await setAddons(acme, { total: 2 })
    await scene.callBack()
    const waiting = await standing(acme)
    const [, open] = await scene.own(acme, 'invoices')
    await scene.setCard(acme, 'succeeds')
    await scene.control('POST', `/payments/invoices/${open.id}/pay`, {})
    const paid = await standing(acme)

    assert.equal(set.status, 201)
    assert.equal(set.body.data.addons.status, 'pending_payment')
    assert.equal(set.body.data.addons.amount_due, open.amount_due)
    assert.deepEqual(waiting, STARTER)
    assert.deepEqual(paid, { ...STARTER, addons: 2, channels: 7 })
  })
}

test('a charge that nobody pays is dropped after a day, and the plan stays as it was', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  await scene.setCard(acme, 'declines')
  await setAddons(acme, { total: 2 })

  await scene.pass(2)

  assert.deepEqual(await standing(acme), STARTER)
})

test('a total that is there already takes back one that waits for its payment', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  await setAddons(acme, { total: 1 })
  await scene.setCard(acme, 'declines')
  await setAddons(acme, { total: 5 })

  const kept = await setAddons(acme, { total: 1 })

  assert.deepEqual(kept.body.data.addons, { total: 1, status: 'active', amount_due: 0, currency: 'brl' })
  assert.deepEqual(
    (await invoicesOf(scene, acme)).map(({ status }) => status),
    ['paid', 'paid', 'void'],
  )
  assert.deepEqual(await standing(acme), { ...STARTER, addons: 1, channels: 6 })
})

for (const [plan, total, max] of [
  ['starter', 21, 20],
  ['pro', 201, 200],
] as const) {
  test(`${plan} takes up to ${max} additional connections`, async (t) => {
    const scene = await startScene(t)
    const acme = await scene.subscriber(plan)

    const [refused, unseen] = [await setAddons(acme, { total }), await preview(acme, total)]
    const most = await setAddons(acme, { total: max })

    for (const answer of [refused, unseen]) {
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.code, 'ADDON_NOT_ALLOWED')
      assert.deepEqual(answer.body.error.details, { min: 0, max })
    }
    assert.equal(most.status, 201)
  })
}

test('the free plan takes none, and neither does a plan that is not paid yet', async (t) => {
  const scene = await startScene(t)
  const [acme, waiting] = [await scene.hub.organization(), await scene.hub.organization()]
  await waiting.post('/api/v1/subscription/checkout', { plan: 'pro' }, withKey())

  for (const owner of [acme, waiting]) {
    for (const answer of [await setAddons(owner, { total: 1 }), await preview(owner, 0)]) {
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.code, 'ADDON_NOT_ALLOWED')
    }
  }
})

test('a total below what is in use is refused, and a deletion makes room for it', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  await setAddons(acme, { total: 3 })
  const [first] = await scene.channels(acme, 7)

  const [refused, unseen] = [await setAddons(acme, { total: 1 }), await preview(acme, 1)]
  await acme.delete(`/api/v1/channels/${first}`)
  const fits = await setAddons(acme, { total: 1 })

  assert.deepEqual(refused.body.error.details, { min: 2, max: 20 })
  assert.equal(unseen.body.error.code, 'ADDON_NOT_ALLOWED')
  assert.equal(fits.status, 201)
  assert.ok(fits.body.data.addons.amount_due < 0)
})

test('a refused total leaves its key free', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
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
    const { hub } = await startScene(t)
    const acme = await hub.organization()

    const refused = await setAddons(acme, body)

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST')
  })
}

test('a total needs a key of 8 to 200 characters, and a preview none', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()

  for (const key of ['k'.repeat(7), 'k'.repeat(201)])
    assert.equal((await setAddons(acme, { total: 1 }, key)).status, 400)
  assert.equal((await acme.post('/api/v1/subscription/addons', { total: 1 })).status, 400)
  assert.equal((await setAddons(acme, { total: 1 }, 'k'.repeat(8))).status, 201)
  assert.equal((await setAddons(acme, { total: 2 }, 'k'.repeat(200))).status, 201)
})

test('a change is on record with its amount, and what came of it too', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()

  const { addons } = (await setAddons(acme, { total: 2 })).body.data

  const entries = await auditOf(acme, acme.organizationId)
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
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  await setAddons(acme, { total: 2 })

  await scene.pass(32)

  assert.deepEqual(await standing(acme), { ...STARTER, addons: 2, channels: 7 })
  assert.equal((await invoicesOf(scene, acme)).at(-1)?.total, 9900 + 2 * CONNECTION)
})
