import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../kernel/ids.ts'
import { FAILS_ON_RENEWAL, type Fixture, type Owner, setAddons, startBilling } from '../test/fixture.ts'

/** A member of the organization, and the address of its invoices. */
async function signIn({ hub }: Fixture, { organizationId }: Owner, role: 'viewer' | 'owner' = 'viewer') {
  return {
    person: await hub.person({ organizationId, role }),
    path: `/console/organizations/${organizationId}/invoices`,
  }
}

test('a viewer sees the invoices as the provider has them, newest first', {
  rules: ['billing.invoices-are-the-organizations-own', 'billing.invoices-come-live-from-the-provider'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await setAddons(acme, { total: 2 })
  const { person, path } = await signIn(fixture, acme)

  const list = await person.get(path)

  assert.equal(list.status, 200, list.text)
  const { invoices, next_cursor } = list.body.data
  const stored = (await fixture.listOwned(acme, 'invoices')).toReversed()
  assert.equal(next_cursor, null)
  assert.deepEqual(
    invoices.map(({ number, status, total, amount_due, currency }: Record<string, unknown>) => ({
      number,
      status,
      total,
      amount_due,
      currency,
    })),
    stored.map(({ number, status, total, amount_due, currency }) => ({ number, status, total, amount_due, currency })),
  )
  const [latest, first] = invoices
  assert.equal(first.total, 9900)
  assert.equal(latest.hosted_url, stored[0].hosted_invoice_url)
  assert.equal(latest.pdf_url, null)
  const days = (Date.parse(first.period_end) - Date.parse(first.period_start)) / 86_400_000
  assert.ok(days >= 28 && days <= 31, `${days} days`)
})

test('the pages of the list have every invoice once, and drafts are not among them', {
  rules: ['billing.invoices-come-live-from-the-provider', 'billing.invoices-have-pages'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  for (let month = 0; month < 3; month++) await fixture.advanceDays(32)
  const { person, path } = await signIn(fixture, acme)
  const all = (await fixture.listOwned(acme, 'invoices')).filter(({ status }) => status !== 'draft')

  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await person.get(`${path}?limit=2${cursor && `&cursor=${cursor}`}`)
    assert.equal(page.status, 200, page.text)
    assert.ok(page.body.data.invoices.length <= 2)
    seen.push(...page.body.data.invoices.map(({ id }: { id: string }) => id))
    cursor = page.body.data.next_cursor
  }

  assert.deepEqual(seen, all.map(({ id }) => id).toReversed())
})

test('an organization that bought nothing has no invoices, and the provider is not asked', {
  rules: ['billing.invoices-are-the-organizations-own'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const { person, path } = await signIn(fixture, acme)
  await fixture.up.simulator.control('POST', '/faults', { kind: 'error', path: '/v1/invoices', times: 5 })

  const list = await person.get(path)

  assert.deepEqual([list.status, list.body], [200, { data: { invoices: [], next_cursor: null } }])
  assert.equal(await fixture.findCustomerId(acme), '')
})

test('the invoices of one status are asked for alone, and an open one says when it is charged next', {
  rules: ['billing.invoices-of-one-status'],
}, async (t) => {
  const fixture = await startBilling(t)
  await fixture.control('PUT', '/payments/settings', { after_retries: 'unpaid' })
  const acme = await fixture.createSubscriber('starter', FAILS_ON_RENEWAL)
  await fixture.advanceDays(32)
  async function readOpen() {
    const { person, path } = await signIn(fixture, acme)
    return (await person.get(`${path}?status=open`)).body.data.invoices
  }

  const trying = await readOpen()
  await fixture.advanceDays(30)
  const given = await readOpen()

  const [stored] = (await fixture.listOwned(acme, 'invoices')).filter(({ status }) => status === 'open')
  assert.deepEqual(
    [trying, given].map((invoices) => invoices.map(({ id, amount_due }: Record<string, unknown>) => [id, amount_due])),
    [[[stored.id, 9900]], [[stored.id, 9900]]],
  )
  assert.ok(Date.parse(trying[0].next_attempt_at) > Date.parse(trying[0].created_at))
  assert.equal(given[0].next_attempt_at, null)
  const { person, path } = await signIn(fixture, acme)
  assert.equal((await person.get(`${path}?status=draft`)).status, 400)
})

test('a cursor of another organization, a changed one and an invalid limit are 400', {
  rules: ['billing.invoices-have-pages'],
}, async (t) => {
  const fixture = await startBilling(t)
  const [acme, other] = [await fixture.createSubscriber(), await fixture.createSubscriber()]
  for (const owner of [acme, other]) await setAddons(owner, { total: 1 })
  const own = await signIn(fixture, acme)
  const foreign = await signIn(fixture, other)
  const { next_cursor } = (await foreign.person.get(`${foreign.path}?limit=1`)).body.data
  assert.equal(typeof next_cursor, 'string')

  for (const query of [
    `cursor=${next_cursor}`,
    'cursor=in_1',
    'cursor=',
    'limit=0',
    'limit=101',
    'limit=x',
    'starting_after=in_1',
    `customer=${await fixture.findCustomerId(other)}`,
  ]) {
    const refused = await own.person.get(`${own.path}?${query}`)
    assert.equal(refused.status, 400, query)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', query)
  }
})

test("another organization's invoices are 404, and an API key is refused", {
  rules: ['billing.invoices-are-the-organizations-own'],
}, async (t) => {
  const fixture = await startBilling(t)
  const [acme, other] = [await fixture.createSubscriber(), await fixture.hub.organization()]
  const { person } = await signIn(fixture, other, 'owner')
  const path = `/console/organizations/${acme.organizationId}/invoices`

  assert.equal((await person.get(path)).status, 404)
  assert.equal((await person.get(`/console/organizations/${newId()}/invoices`)).status, 404)
  assert.equal((await acme.get(path)).status, 401)
  assert.equal((await fixture.hub.anonymous.get(path)).status, 401)
})

for (const kind of ['error', 'hang_before', 'garbled_after', 'throttle'] as const) {
  test(`a provider with the fault ${kind} is 502, and the next request is answered`, {
    rules: ['billing.invoices-fail-with-the-provider'],
  }, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber()
    const { person, path } = await signIn(fixture, acme)
    await fixture.up.simulator.control('POST', '/faults', { kind, path: '/v1/invoices', times: 1 })

    const failed = await person.get(path)
    const repeated = await person.get(path)

    assert.deepEqual([failed.status, failed.body.error.code], [502, 'UPSTREAM_UNAVAILABLE'])
    assert.doesNotMatch(failed.text, /cus_|sk_/)
    assert.equal(repeated.status, 200)
  })
}

test('with billing off there are no invoices and no prices to ask for', {
  rules: ['billing.off-refuses-purchases'],
}, async (t) => {
  const fixture = await startBilling(t, { env: { BILLING: 'off' } })
  const acme = await fixture.hub.organization()
  const { person, path } = await signIn(fixture, acme)

  for (const address of [path, '/console/billing/prices']) {
    const refused = await person.get(address)
    assert.deepEqual([refused.status, refused.body.error.code], [400, 'BILLING_OFF'])
  }
})

test('an unpaid invoice is open, with the page where it is paid', {
  rules: ['billing.invoices-come-live-from-the-provider'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await fixture.setCard(acme, 'declines')
  await setAddons(acme, { total: 1 })
  const { person, path } = await signIn(fixture, acme)

  const [latest] = (await person.get(path)).body.data.invoices

  assert.equal(latest.status, 'open')
  assert.match(latest.hosted_url, /\/i\/in_/)
})
