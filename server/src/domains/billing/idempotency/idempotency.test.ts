import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listInvoices, newKey, readEntitlement, STARTER, setAddons, startBilling, withKey } from '../test/fixture.ts'

test('the same key and body are charged once, and get the same answer again', async (t) => {
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

test('the same key with another body is refused, and belongs to its organization and its route', async (t) => {
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

test('of many totals set at once each is charged for or told to wait, and the provider has what was set last', async (t) => {
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
  const paid = (await listInvoices(fixture, acme)).slice(1)
  assert.deepEqual(paid.map(({ total }) => total).sort(), set.map(({ body }) => body.data.addons.amount_due).sort())
})

test('of requests with one key at once one is charged for', async (t) => {
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
  test(`a change whose answer was lost (${kind}) is 502, and the same key finds it done and charged once`, async (t) => {
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

test('a request whose process died is taken over under the same key when its time is up, and not before', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const key = newKey()
  await setAddons(acme, { total: 2 }, key)
  // As it is left by a process that dies after the charge and before the answer.
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
