import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { contend } from '../../../../test/lock-contention.ts'
import {
  type Fixture,
  newKey,
  type Owner,
  PRO,
  RECEIVER,
  readEntitlement,
  requestCheckout,
  requestPlanPath,
  STARTER,
  setAddons,
  startBilling,
  submitPlanForm,
} from '../test/fixture.ts'

/** The visible text of a page. */
function readText({ text }: Answer): string {
  return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

async function findLastInvoice(fixture: Fixture, owner: Owner) {
  return (await fixture.listOwned(owner, 'invoices')).at(-1)
}

test('a subscriber changes the plan on a page that shows the exact amount of the charge', {
  rules: ['billing.other-plan-leads-to-a-swap'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  await setAddons(acme, { total: 2 })
  await fixture.advanceDays(10)

  const opened = await requestCheckout(acme, 'pro')
  const path = new URL(opened.body.data.checkout_url).pathname
  const page = await fixture.hub.anonymous.get(path)
  const before = await readEntitlement(acme)
  const done = await submitPlanForm(fixture.hub, path, page)

  assert.match(opened.body.data.checkout_url, /^http:\/\/localhost:8080\/billing\/plan\/hub_bl_[0-9A-Za-z]{49}$/)
  const [, shown] = /Charged now R\$([\d.]+)/.exec(readText(page)) ?? []
  assert.deepEqual(before, { ...STARTER, addons: 2, channels: 7 })
  assert.equal(done.status, 200)
  assert.match(readText(done), /Your plan was changed/)
  assert.deepEqual(await readEntitlement(acme), { ...PRO, addons: 2, channels: 22 })
  const { total, status } = await findLastInvoice(fixture, acme)
  assert.deepEqual([(total / 100).toFixed(2), status], [shown, 'paid'])
})

test('a change to the smaller plan is credited, and its limits apply immediately', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const path = await requestPlanPath(acme, 'starter')

  const page = await fixture.hub.anonymous.get(path)
  await submitPlanForm(fixture.hub, path, page)

  assert.match(readText(page), /Credited now R\$\d+\.\d\d/)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.ok((await findLastInvoice(fixture, acme)).total < 0)
})

test('opening the page changes nothing', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')

  const pages = [await fixture.hub.anonymous.get(path), await fixture.hub.anonymous.get(path)]

  for (const { status } of pages) assert.equal(status, 200)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.equal((await fixture.listOwned(acme, 'invoices')).length, 1)
})

test('a used link is 410', { rules: ['billing.other-plan-leads-to-a-swap'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')
  const page = await fixture.hub.anonymous.get(path)
  await submitPlanForm(fixture.hub, path, page)

  const [page410, form410] = [await fixture.hub.anonymous.get(path), await submitPlanForm(fixture.hub, path, page)]

  for (const answer of [page410, form410]) {
    assert.equal(answer.status, 410)
    assert.match(readText(answer), /This link no longer works/)
  }
  assert.equal((await fixture.listOwned(acme, 'invoices')).length, 2)
})

test('one of several concurrent submissions of the form is charged', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')
  const page = await fixture.hub.anonymous.get(path)

  const submitted = await contend((tx) => tx`select 1 from billing_links where used_at is null for update`, {
    waiting: 4,
    work: () => Promise.all(Array.from({ length: 4 }, () => submitPlanForm(fixture.hub, path, page))),
  })

  assert.deepEqual(submitted.map(({ status }) => status).sort(), [200, 410, 410, 410])
  assert.equal((await fixture.listOwned(acme, 'invoices')).length, 2)
})

test('a link is 410 after an hour, and an unknown link is 404', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')
  await fixture.hub.clock.advance('1 hour')

  assert.equal((await fixture.hub.anonymous.get(path)).status, 410)
  for (const unknown of ['nonsense', `hub_bl_${'0'.repeat(49)}`, acme.key]) {
    const answer = await fixture.hub.anonymous.get(`/billing/plan/${unknown}`)
    assert.equal(answer.status, 404)
    assert.match(readText(answer), /Nothing here/)
  }
})

test('an amount that was shown ten minutes ago is not charged and must be previewed again', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')
  const old = await fixture.hub.anonymous.get(path)
  await fixture.hub.clock.advance('10 minutes')

  const late = await submitPlanForm(fixture.hub, path, old)
  const fresh = await submitPlanForm(fixture.hub, path, await fixture.hub.anonymous.get(path))

  assert.equal(late.status, 400)
  assert.match(readText(late), /worked out again/)
  assert.equal(fresh.status, 200)
  assert.deepEqual(await readEntitlement(acme), PRO)
})

test('a declined card leaves the plan unchanged, and the page links to the invoice', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  await fixture.setCard(acme, 'declines')
  const path = await requestPlanPath(acme, 'pro')

  const done = await submitPlanForm(fixture.hub, path, await fixture.hub.anonymous.get(path))
  await fixture.sendCallbacks()
  const waiting = await readEntitlement(acme)
  const invoice = await findLastInvoice(fixture, acme)
  await fixture.setCard(acme, 'succeeds')
  await fixture.control('POST', `/payments/invoices/${invoice.id}/pay`, {})

  assert.equal(done.status, 200)
  assert.match(readText(done), /payment did not go through/)
  assert.ok(done.text.includes(`href="${invoice.hosted_invoice_url}"`))
  assert.deepEqual(waiting, STARTER)
  assert.deepEqual(await readEntitlement(acme), PRO)
})

test('a plan whose limits are below what is in use is refused by the checkout and by the form', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const path = await requestPlanPath(acme, 'starter')
  const page = await fixture.hub.anonymous.get(path)
  for (let created = 0; created < 21; created++) await acme.post('/api/v1/webhooks', RECEIVER)

  const refused = await requestCheckout(acme, 'starter')
  const submitted = await submitPlanForm(fixture.hub, path, page)

  assert.equal(refused.body.error.code, 'CHECKOUT_NOT_ALLOWED')
  assert.equal(submitted.status, 400)
  assert.match(readText(submitted), /That plan allows 20 webhook endpoints, and 21 are in use/)
  assert.deepEqual(await readEntitlement(acme), PRO)
})

test('a failure of the provider leaves the link unused, and the form can be submitted again', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')
  const page = await fixture.hub.anonymous.get(path)

  await fixture.fault('error', '/v1/subscriptions/', { times: null })
  const failed = await submitPlanForm(fixture.hub, path, page)
  await fixture.liftFaults()
  const done = await submitPlanForm(fixture.hub, path, page)

  assert.equal(failed.status, 502)
  assert.match(readText(failed), /payment provider does not respond/)
  assert.equal(done.status, 200)
  assert.equal((await fixture.listOwned(acme, 'invoices')).length, 2)
})

// The provider has charged by then: an error page would say that nothing was changed.
test('a link is used once the provider has made the change, even if the hub cannot fetch the new state', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const path = await requestPlanPath(acme, 'starter')
  const page = await fixture.hub.anonymous.get(path)

  await fixture.fault('error', '/v1/subscriptions', { method: 'GET', skip: 1, times: null })
  const done = await submitPlanForm(fixture.hub, path, page)
  const { channels } = await readEntitlement(acme)
  await fixture.liftFaults()
  const again = await submitPlanForm(fixture.hub, path, page)
  await fixture.sendCallbacks()

  assert.equal(done.status, 200)
  assert.match(readText(done), /Your plan was changed/)
  assert.equal(again.status, 410)
  assert.equal(channels, STARTER.channels)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.equal((await fixture.listOwned(acme, 'invoices')).length, 2)
  const entries = await listAuditEntries(acme, acme.organizationId)
  assert.ok(entries.some(({ action }) => action === 'subscription.plan_changed'))
})

test('a link is used once the provider has made the change, even if the hub cannot record it', async (t) => {
  const fixture = await startBilling(t)
  const { sql } = fixture.hub
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')
  const page = await fixture.hub.anonymous.get(path)
  await sql.unsafe(`
    alter table audit_entries add constraint refuses_plan_changes
    check (action <> 'subscription.plan_changed') not valid`)
  t.after(() => sql`alter table audit_entries drop constraint refuses_plan_changes`)

  const done = await submitPlanForm(fixture.hub, path, page)
  const again = await submitPlanForm(fixture.hub, path, page)

  assert.equal(done.status, 200)
  assert.match(readText(done), /Your plan was changed/)
  assert.equal(again.status, 410)
  assert.deepEqual(await readEntitlement(acme), PRO)
})

test('a repeated checkout returns the same link, which is not stored in plain text', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const key = newKey()

  const [first, again] = [await requestCheckout(acme, 'pro', key), await requestCheckout(acme, 'pro', key)]

  assert.deepEqual(again.body, first.body)
  const token = first.body.data.checkout_url.split('/').at(-1)
  const rows = await fixture.hub.sql`
    select 1
    from billing_requests r, billing_links l
    where position(${token} in r::text || l::text) > 0`
  assert.equal(rows.length, 0)
})

test('the page is translated, loads nothing from other origins and cannot be framed', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')

  const page = await fixture.hub.anonymous.get(path, { headers: { 'accept-language': 'pt-BR,pt;q=0.9' } })
  const switched = await fixture.hub.anonymous.get(`${path}?lang=en`, { headers: { 'accept-language': 'pt-BR' } })
  const style = await fixture.hub.anonymous.get('/assets/page.css')

  assert.match(readText(page), /Mude de plano/)
  assert.match(readText(switched), /Change your plan/)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'; style-src 'self'.*form-action 'self'; frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /https?:|unsafe|script/)
  assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8')
  assert.ok(!page.text.includes(path.split('/').at(-1) ?? '?'))
})

test('the audit log records a plan change by the billing link', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')

  await submitPlanForm(fixture.hub, path, await fixture.hub.anonymous.get(path))

  const entries = await listAuditEntries(acme, acme.organizationId)
  const changed = entries.find(({ action }) => action === 'subscription.plan_changed')
  const { total } = await findLastInvoice(fixture, acme)
  assert.deepEqual(changed?.details, {
    plan: 'pro',
    amount_due: total,
    currency: 'brl',
    status: 'active',
    changes: { plan: { from: 'starter', to: 'pro' } },
  })
  assert.deepEqual(changed?.actor, { type: 'system', id: null, name: 'billing link' })
})

for (const body of ['', 'proration_date=yesterday', 'plan=pro']) {
  test(`a form with the body "${body}" is 400 and charges nothing`, async (t) => {
    const fixture = await startBilling(t)
    const acme = await fixture.createSubscriber('starter')
    const path = await requestPlanPath(acme, 'pro')

    const refused = await fixture.hub.anonymous.send('POST', path, {
      raw: body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    assert.equal(refused.status, 400)
    assert.equal((await fixture.listOwned(acme, 'invoices')).length, 1)
  })
}
