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

test("the other plan's checkout is a page of the hub's own, that shows the amount and charges it to the cent", {
  rules: ['D11-19'],
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

test('the way down is credited, and the smaller limits hold at once', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const path = await requestPlanPath(acme, 'starter')

  const page = await fixture.hub.anonymous.get(path)
  await submitPlanForm(fixture.hub, path, page)

  assert.match(readText(page), /Credited now R\$\d+\.\d\d/)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.ok((await findLastInvoice(fixture, acme)).total < 0)
})

test('a look changes nothing, however often', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')

  const looks = [await fixture.hub.anonymous.get(path), await fixture.hub.anonymous.get(path)]

  for (const { status } of looks) assert.equal(status, 200)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.equal((await fixture.listOwned(acme, 'invoices')).length, 1)
})

test('the link works once, and says so afterwards', { rules: ['D11-19'] }, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')
  const page = await fixture.hub.anonymous.get(path)
  await submitPlanForm(fixture.hub, path, page)

  const [look, again] = [await fixture.hub.anonymous.get(path), await submitPlanForm(fixture.hub, path, page)]

  for (const answer of [look, again]) {
    assert.equal(answer.status, 410)
    assert.match(readText(answer), /This link is over/)
  }
  assert.equal((await fixture.listOwned(acme, 'invoices')).length, 2)
})

test('of many who press the button at once one is charged', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')
  const page = await fixture.hub.anonymous.get(path)

  const pressed = await contend((tx) => tx`select 1 from billing_links where used_at is null for update`, {
    waiting: 4,
    work: () => Promise.all(Array.from({ length: 4 }, () => submitPlanForm(fixture.hub, path, page))),
  })

  assert.deepEqual(pressed.map(({ status }) => status).sort(), [200, 410, 410, 410])
  assert.equal((await fixture.listOwned(acme, 'invoices')).length, 2)
})

test('a link is over after an hour, and an unknown one is none', async (t) => {
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

test('an amount that was shown too long ago is shown anew and not charged', async (t) => {
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

test('a card that declines leaves the plan as it was, and the page leads to the invoice', async (t) => {
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

test('a plan in which not everything has room is refused, at the checkout and at the button', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('pro')
  const path = await requestPlanPath(acme, 'starter')
  const page = await fixture.hub.anonymous.get(path)
  for (let made = 0; made < 21; made++) await acme.post('/api/v1/webhooks', RECEIVER)

  const refused = await requestCheckout(acme, 'starter')
  const pressed = await submitPlanForm(fixture.hub, path, page)

  assert.equal(refused.body.error.code, 'CHECKOUT_NOT_ALLOWED')
  assert.equal(pressed.status, 400)
  assert.match(readText(pressed), /That plan allows 20 webhook endpoints, and 21 are in use/)
  assert.deepEqual(await readEntitlement(acme), PRO)
})

test('a provider that does not answer spends nothing: the button works when it does', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')
  const page = await fixture.hub.anonymous.get(path)

  await fixture.fault('error', '/v1/subscriptions/', { times: null })
  const failed = await submitPlanForm(fixture.hub, path, page)
  await fixture.liftFaults()
  const done = await submitPlanForm(fixture.hub, path, page)

  assert.equal(failed.status, 502)
  assert.match(readText(failed), /payment provider does not answer/)
  assert.equal(done.status, 200)
  assert.equal((await fixture.listOwned(acme, 'invoices')).length, 2)
})

test('a repeat of the checkout gives the same link, which nobody can read in the database', async (t) => {
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

test('the page speaks the language of its reader, loads nothing from elsewhere and can be framed by nobody', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')

  const page = await fixture.hub.anonymous.get(path, { headers: { 'accept-language': 'pt-BR,pt;q=0.9' } })
  const switched = await fixture.hub.anonymous.get(`${path}?lang=en`, { headers: { 'accept-language': 'pt-BR' } })
  const style = await fixture.hub.anonymous.get('/billing/assets/billing.css')

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

test('the change is on record as one by the link', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter')
  const path = await requestPlanPath(acme, 'pro')

  await submitPlanForm(fixture.hub, path, await fixture.hub.anonymous.get(path))

  const entries = await listAuditEntries(acme, acme.organizationId)
  const changed = entries.find(({ action }) => action === 'subscription.plan_changed')
  const { total } = await findLastInvoice(fixture, acme)
  assert.deepEqual(changed?.details, { plan: 'pro', amount_due: total, currency: 'brl', status: 'active' })
  assert.deepEqual(changed?.actor, { type: 'system', id: null, name: 'billing link' })
})

for (const body of ['', 'proration_date=yesterday', 'plan=pro']) {
  test(`a form that says "${body}" charges nothing`, async (t) => {
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
