import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { auditOf } from '../../../../test/connecting.ts'
import { contend } from '../../../../test/contention.ts'
import {
  checkout,
  newKey,
  PRO,
  RECEIVER,
  type Scene,
  STARTER,
  setAddons,
  standing,
  startScene,
} from '../test/fixture.ts'

type Owner = Parameters<Scene['own']>[0]

async function linkTo(owner: Owner, plan: string): Promise<string> {
  const opened = await checkout(owner, plan)
  assert.equal(opened.status, 201, opened.text)
  return new URL(opened.body.data.checkout_url).pathname
}

/** What the person sees on a page. */
function textOf({ text }: Answer): string {
  return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

function dateIn({ text }: Answer): string {
  return /name="proration_date" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

/** Presses the button on a page that was looked at. */
function press(scene: Scene, path: string, page: Answer): Promise<Answer> {
  return scene.hub.anonymous.send('POST', path, {
    raw: new URLSearchParams({ proration_date: dateIn(page) }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

async function lastInvoice(scene: Scene, owner: Owner) {
  return (await scene.own(owner, 'invoices')).at(-1)
}

test("the other plan's checkout is a page of the hub's own, that shows the amount and charges it to the cent", {
  rules: ['D11-19'],
}, async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  await setAddons(acme, { total: 2 })
  await scene.pass(10)

  const opened = await checkout(acme, 'pro')
  const path = new URL(opened.body.data.checkout_url).pathname
  const page = await scene.hub.anonymous.get(path)
  const before = await standing(acme)
  const done = await press(scene, path, page)

  assert.match(opened.body.data.checkout_url, /^http:\/\/localhost:8080\/billing\/plan\/hub_bl_[0-9A-Za-z]{49}$/)
  const [, shown] = /Charged now R\$([\d.]+)/.exec(textOf(page)) ?? []
  assert.deepEqual(before, { ...STARTER, addons: 2, channels: 7 })
  assert.equal(done.status, 200)
  assert.match(textOf(done), /Your plan was changed/)
  assert.deepEqual(await standing(acme), { ...PRO, addons: 2, channels: 22 })
  const { total, status } = await lastInvoice(scene, acme)
  assert.deepEqual([(total / 100).toFixed(2), status], [shown, 'paid'])
})

test('the way down is credited, and the smaller limits hold at once', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('pro')
  const path = await linkTo(acme, 'starter')

  const page = await scene.hub.anonymous.get(path)
  await press(scene, path, page)

  assert.match(textOf(page), /Credited now R\$\d+\.\d\d/)
  assert.deepEqual(await standing(acme), STARTER)
  assert.ok((await lastInvoice(scene, acme)).total < 0)
})

test('a look changes nothing, however often', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  const path = await linkTo(acme, 'pro')

  const looks = [await scene.hub.anonymous.get(path), await scene.hub.anonymous.get(path)]

  for (const { status } of looks) assert.equal(status, 200)
  assert.deepEqual(await standing(acme), STARTER)
  assert.equal((await scene.own(acme, 'invoices')).length, 1)
})

test('the link works once, and says so afterwards', { rules: ['D11-19'] }, async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  const path = await linkTo(acme, 'pro')
  const page = await scene.hub.anonymous.get(path)
  await press(scene, path, page)

  const [look, again] = [await scene.hub.anonymous.get(path), await press(scene, path, page)]

  for (const answer of [look, again]) {
    assert.equal(answer.status, 410)
    assert.match(textOf(answer), /This link is over/)
  }
  assert.equal((await scene.own(acme, 'invoices')).length, 2)
})

test('of many who press the button at once one is charged', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  const path = await linkTo(acme, 'pro')
  const page = await scene.hub.anonymous.get(path)

  const pressed = await contend((tx) => tx`select 1 from billing_links where used_at is null for update`, {
    waiting: 4,
    work: () => Promise.all(Array.from({ length: 4 }, () => press(scene, path, page))),
  })

  assert.deepEqual(pressed.map(({ status }) => status).sort(), [200, 410, 410, 410])
  assert.equal((await scene.own(acme, 'invoices')).length, 2)
})

test('a link is over after an hour, and an unknown one is none', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  const path = await linkTo(acme, 'pro')
  await scene.hub.clock.advance('1 hour')

  assert.equal((await scene.hub.anonymous.get(path)).status, 410)
  for (const unknown of ['nonsense', `hub_bl_${'0'.repeat(49)}`, acme.key]) {
    const answer = await scene.hub.anonymous.get(`/billing/plan/${unknown}`)
    assert.equal(answer.status, 404)
    assert.match(textOf(answer), /Nothing here/)
  }
})

test('an amount that was shown too long ago is shown anew and not charged', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  const path = await linkTo(acme, 'pro')
  const old = await scene.hub.anonymous.get(path)
  await scene.hub.clock.advance('10 minutes')

  const late = await press(scene, path, old)
  const fresh = await press(scene, path, await scene.hub.anonymous.get(path))

  assert.equal(late.status, 400)
  assert.match(textOf(late), /worked out again/)
  assert.equal(fresh.status, 200)
  assert.deepEqual(await standing(acme), PRO)
})

test('a card that declines leaves the plan as it was, and the page leads to the invoice', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  await scene.setCard(acme, 'declines')
  const path = await linkTo(acme, 'pro')

  const done = await press(scene, path, await scene.hub.anonymous.get(path))
  await scene.callBack()
  const waiting = await standing(acme)
  const invoice = await lastInvoice(scene, acme)
  await scene.setCard(acme, 'succeeds')
  await scene.control('POST', `/payments/invoices/${invoice.id}/pay`, {})

  assert.equal(done.status, 200)
  assert.match(textOf(done), /payment did not go through/)
  assert.ok(done.text.includes(`href="${invoice.hosted_invoice_url}"`))
  assert.deepEqual(waiting, STARTER)
  assert.deepEqual(await standing(acme), PRO)
})

test('a plan in which not everything has room is refused, at the checkout and at the button', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('pro')
  const path = await linkTo(acme, 'starter')
  const page = await scene.hub.anonymous.get(path)
  for (let made = 0; made < 21; made++) await acme.post('/api/v1/webhooks', RECEIVER)

  const refused = await checkout(acme, 'starter')
  const pressed = await press(scene, path, page)

  assert.equal(refused.body.error.code, 'CHECKOUT_NOT_ALLOWED')
  assert.equal(pressed.status, 400)
  assert.match(textOf(pressed), /That plan has room for 20 webhook endpoints, and 21 are in use/)
  assert.deepEqual(await standing(acme), PRO)
})

test('a provider that does not answer spends nothing: the button works when it does', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  const path = await linkTo(acme, 'pro')
  const page = await scene.hub.anonymous.get(path)

  await scene.fault('error', '/v1/subscriptions/', { times: null })
  const failed = await press(scene, path, page)
  await scene.liftFaults()
  const done = await press(scene, path, page)

  assert.equal(failed.status, 502)
  assert.match(textOf(failed), /payment provider does not answer/)
  assert.equal(done.status, 200)
  assert.equal((await scene.own(acme, 'invoices')).length, 2)
})

test('a repeat of the checkout gives the same link, which nobody can read in the database', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  const key = newKey()

  const [first, again] = [await checkout(acme, 'pro', key), await checkout(acme, 'pro', key)]

  assert.deepEqual(again.body, first.body)
  const token = first.body.data.checkout_url.split('/').at(-1)
  const rows = await scene.hub.sql`
    select 1
    from billing_requests r, billing_links l
    where position(${token} in r::text || l::text) > 0`
  assert.equal(rows.length, 0)
})

test('the page speaks the language of its reader, loads nothing from elsewhere and can be framed by nobody', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  const path = await linkTo(acme, 'pro')

  const page = await scene.hub.anonymous.get(path, { headers: { 'accept-language': 'pt-BR,pt;q=0.9' } })
  const switched = await scene.hub.anonymous.get(`${path}?lang=en`, { headers: { 'accept-language': 'pt-BR' } })
  const style = await scene.hub.anonymous.get('/billing/assets/billing.css')

  assert.match(textOf(page), /Mude de plano/)
  assert.match(textOf(switched), /Change your plan/)
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
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter')
  const path = await linkTo(acme, 'pro')

  await press(scene, path, await scene.hub.anonymous.get(path))

  const entries = await auditOf(acme, acme.organizationId)
  const changed = entries.find(({ action }) => action === 'subscription.plan_changed')
  const { total } = await lastInvoice(scene, acme)
  assert.deepEqual(changed?.details, { plan: 'pro', amount_due: total, currency: 'brl', status: 'active' })
  assert.deepEqual(changed?.actor, { type: 'system', id: null, name: 'billing link' })
})

for (const body of ['', 'proration_date=yesterday', 'plan=pro']) {
  test(`a form that says "${body}" charges nothing`, async (t) => {
    const scene = await startScene(t)
    const acme = await scene.subscriber('starter')
    const path = await linkTo(acme, 'pro')

    const refused = await scene.hub.anonymous.send('POST', path, {
      raw: body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    assert.equal(refused.status, 400)
    assert.equal((await scene.own(acme, 'invoices')).length, 1)
  })
}
