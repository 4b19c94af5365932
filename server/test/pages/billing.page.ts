import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertNoProblems, type BrowserFixture, findUnreadable, searchPalette, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const KEY = { headers: { 'idempotency-key': 'the-newcomer' } }

type Invoice = { number: string; hosted_invoice_url: string; created: number }

/** A browser fixture whose payment provider sends callbacks, with functions that read the plan. */
async function startBilling(...args: Parameters<typeof startBrowserFixture>) {
  const fixture = await startBrowserFixture(...args)
  const { simulator } = fixture.up
  await simulator.control('PUT', '/payments/callback', { url: `${fixture.hub.url}/hooks/billing` })
  return {
    ...fixture,

    async limit(): Promise<number> {
      await simulator.control('POST', '/payments/clock', { advance_ms: 0 })
      return (await fixture.acme.get('/api/v1/subscription')).body.data.quotas.channels.limit
    },

    async invoices(): Promise<Invoice[]> {
      return (await simulator.control<{ invoices: Invoice[] }>('GET', '/payments/objects/invoices')).invoices
    },

    async checkout(plan: string): Promise<string> {
      const headers = { 'idempotency-key': `a-checkout-for-${plan}` }
      return (await fixture.acme.post('/api/v1/subscription/checkout', { plan }, { headers })).body.data.checkout_url
    },
  }
}

async function payWith(page: Page, card: string): Promise<void> {
  if (await page.locator('#email').count()) await page.locator('#email').fill('ana@example.com')
  await page.locator('#card').fill(card)
  await page.locator('form button[type=submit]').click()
}

async function subscribe(fixture: Awaited<ReturnType<typeof startBilling>>, page: Page): Promise<void> {
  await page.goto(await fixture.checkout('starter'))
  await payWith(page, '4242424242424242')
  await page.waitForURL(`${fixture.origin}/billing/return?checkout=*`)
  assert.equal(await fixture.limit(), 5)
}

test('a person at the free limit buys Starter, adds two connections, opens the portal once and cancels', async (t) => {
  const fixture = await startBilling(t)
  const { acme, origin } = fixture
  await acme.post('/api/v1/channels', { name: 'second' })
  const full = await acme.post('/api/v1/channels', { name: 'third' })
  assert.equal(full.body.error.code, 'QUOTA_EXCEEDED')
  const { page, seen } = await fixture.visit('/billing/return')

  // A card that is declined leaves everything as it is.
  await page.goto(await fixture.checkout('starter'))
  await payWith(page, '4000000000000002')
  await page.getByRole('alert').waitFor()
  assert.equal(await fixture.limit(), 2)
  assert.equal((await acme.post('/api/v1/channels', { name: 'third' })).status, 403)

  await payWith(page, '4242424242424242')
  await page.waitForURL(`${origin}/billing/return?checkout=*`)
  assert.match(await page.locator('main').innerText(), /You now have the Starter plan\s+R\$99\.00 was paid/)
  assert.equal(await fixture.limit(), 5)
  assert.equal((await acme.post('/api/v1/channels', { name: 'third' })).status, 201)

  const { preview } = (await acme.post('/api/v1/subscription/addons/preview', { total: 2 })).body.data
  const wanted = { total: 2, proration_date: preview.proration_date }
  const { addons } = (await acme.post('/api/v1/subscription/addons', wanted, KEY)).body.data
  assert.deepEqual([addons.amount_due, addons.status], [preview.amount_due, 'active'])
  assert.equal(await fixture.limit(), 7)

  const { portal_url } = (await acme.post('/api/v1/subscription/portal')).body.data
  await page.goto(portal_url)
  assert.equal(new URL(page.url()).origin, new URL(fixture.up.simulator.url).origin)
  assert.match(await page.locator('main').innerText(), /Hubline Starter[\s\S]*Hubline additional connection/)
  const again = await fixture.visit(new URL(portal_url).pathname)
  assert.match(await again.page.locator('main').innerText(), /This link no longer works/)

  await page.locator('summary', { hasText: /cancel/i }).click()
  await page.locator('button[value=cancel]').click()
  await page.getByRole('status').waitFor()
  await page.locator(`a[href="${origin}/billing/return"]`).click()
  await page.waitForURL(`${origin}/billing/return`)
  assert.equal(await fixture.limit(), 7)
  const { subscription } = (await acme.get('/api/v1/subscription')).body.data
  assert.deepEqual([subscription.status, subscription.cancels_at], ['active', subscription.current_period_end])
  assertNoProblems(fixture, seen)
})

test('a person changes the plan on the billing page in Portuguese with only the keyboard', async (t) => {
  const fixture = await startBilling(t)
  const { page, seen } = await fixture.visit('/billing/return', { locale: 'pt-BR' })
  await subscribe(fixture, page)

  await page.goto(await fixture.checkout('pro'))
  const shown = await page.locator('main').innerText()
  await page.getByRole('button', { name: /^Mudar de plano e pagar R\$\s?\d+,\d\d$/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Seu plano foi alterado' }).waitFor()

  assert.equal(await page.locator('html').getAttribute('lang'), 'pt-BR')
  assert.match(shown, /Seu plano hoje\s+Starter[\s\S]*Seu novo plano\s+Pro[\s\S]*Cobrado agora\s+R\$\s?\d+,\d\d/)
  assert.equal(await fixture.limit(), 20)
  assertNoProblems(fixture, seen)
})

test('the billing page is readable in both languages, in light and dark, on a small screen', async (t) => {
  const fixture = await startBilling(t)
  const { page } = await fixture.visit('/billing/return')
  await subscribe(fixture, page)
  const path = new URL(await fixture.checkout('pro')).pathname

  for (const colorScheme of ['light', 'dark'] as const) {
    const visit = await fixture.visit(path, { colorScheme, viewport: { width: 320, height: 640 } })
    await visit.page.getByRole('link', { name: 'Português' }).click()
    await visit.page.getByRole('heading', { name: 'Mude de plano' }).waitFor()
    const overflow = await visit.page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    const ground = String(await visit.page.evaluate('getComputedStyle(document.body).backgroundColor'))

    const places = ['h1', '#brand', 'nav a', 'dt', 'dd', '.quiet', 'button']
    assert.deepEqual(await findUnreadable(visit.page, places), [])
    assert.ok(Number(overflow) <= 0)
    assert.equal(/rgb\(2\d\d/.test(ground), colorScheme === 'light')
    assertNoProblems(fixture as BrowserFixture, visit.seen)
  }
})

/** A member of the fixture's organization on the page of usage and billing. */
async function openUsage(
  fixture: Awaited<ReturnType<typeof startBilling>>,
  role: 'owner' | 'viewer',
  look: Parameters<typeof visitAs>[3] = {},
) {
  const person = await fixture.hub.person({ organizationId: fixture.acme.organizationId, role })
  return visitAs(fixture, person, '/usage', look)
}

test('a person sees the prices before the checkout, and after it the invoice, with only the keyboard', async (t) => {
  const fixture = await startBilling(t)
  const { page, seen } = await openUsage(fixture, 'owner')

  await page.getByText('R$99.00 per month', { exact: true }).waitFor()
  await page.getByText('R$349.00 per month', { exact: true }).waitFor()
  await page.getByText('No invoices yet. The first one appears here after your first payment.').waitFor()
  await assertNoBarriers(page, 'the free plan')
  await page.getByRole('button', { name: 'Upgrade to Starter' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#card').waitFor()
  await payWith(page, '4242424242424242')
  await page.waitForURL(`${fixture.origin}/billing/return?checkout=*`)
  assert.equal(await fixture.limit(), 5)
  await page.getByRole('link', { name: 'Back to usage and billing' }).focus()
  await page.keyboard.press('Enter')
  const [invoice] = await fixture.invoices()
  const row = page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')
  const text = (await row.innerText()).replaceAll(/\s+/g, ' ')
  const link = page.getByRole('link', { name: `View invoice ${invoice?.number}` })
  await link.focus()

  assert.match(text, /paid R\$99\.00/)
  assert.ok(text.includes(String(invoice?.number)))
  assert.equal(await link.getAttribute('href'), invoice?.hosted_invoice_url)
  await searchPalette(page, String(invoice?.number))
  await page.getByRole('option', { name: new RegExp(`${invoice?.number} .* paid`) }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('R$19.00 per month each').waitFor()
  await assertNoBarriers(page, 'a paid plan')
  assertNoProblems(fixture, seen)
})

test('a provider that fails leaves the page whole, and the checkout usable, in Portuguese on a dark phone', async (t) => {
  const fixture = await startBilling(t)
  const { simulator } = fixture.up
  const { page: buyer } = await fixture.visit('/billing/return')
  await subscribe(fixture, buyer)
  await simulator.control('POST', '/faults', { kind: 'error', path: '/v1/prices', times: null })
  await simulator.control('POST', '/faults', { kind: 'error', path: '/v1/invoices', times: null })
  const look = { locale: 'pt-BR', colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const
  const { page, seen } = await openUsage(fixture, 'owner', look)

  await page.getByText('Os preços não podem ser mostrados agora.').waitFor()
  const failed = page.getByRole('alert').filter({ hasText: 'Não foi possível carregar as faturas' })
  await failed.getByText('UPSTREAM_UNAVAILABLE').waitFor()
  await assertNoBarriers(page, 'a provider that fails')
  assert.ok(await page.getByRole('button', { name: 'Mudar para Pro' }).isEnabled())
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(overflow) <= 0)

  await simulator.control('DELETE', '/faults')
  await failed.getByRole('button', { name: 'Tentar de novo' }).press('Enter')
  await page.getByRole('list', { name: 'Faturas' }).getByText('paga').waitFor()
  await page.getByRole('button', { name: 'Tentar de novo' }).press('Enter')
  await page.getByText('R$ 349,00 por mês').waitFor()
  assertNoProblems(fixture, seen)
})

test('every date of a subscription that began in the evening is that of the time zone of the organization', async (t) => {
  const fixture = await startBilling(t)
  const { sql } = fixture.hub
  const { organizationId } = fixture.acme
  const { page: buyer } = await fixture.visit('/billing/return')
  await subscribe(fixture, buyer)
  const [invoice] = await fixture.invoices()
  await sql`update organizations set time_zone = 'America/Sao_Paulo' where id = ${organizationId}`
  await sql`
    update subscriptions
    set period_start = '2031-01-18T01:30:00Z', current_period_end = '2031-02-18T01:30:00Z'
    where organization_id = ${organizationId}`
  const { page } = await openUsage(fixture, 'owner', { timezoneId: 'Asia/Tokyo' })

  await page.getByText('Period from Jan 17, 2031 to Feb 17, 2031').waitFor()
  await page.getByText('Renews on Feb 17, 2031').waitFor()
  const zone = { timeZone: 'America/Sao_Paulo', day: '2-digit', month: 'short' } as const
  const issued = new Intl.DateTimeFormat('en', zone).format(invoice!.created * 1000)
  await page.getByRole('list', { name: 'Invoices' }).getByText(issued, { exact: true }).waitFor()
})

test('a viewer sees prices and invoices, and why only an owner buys', async (t) => {
  const fixture = await startBilling(t)
  const { page: buyer } = await fixture.visit('/billing/return')
  await subscribe(fixture, buyer)
  const { page, seen } = await openUsage(fixture, 'viewer')

  await page.getByRole('list', { name: 'Invoices' }).getByText('paid').waitFor()
  await page.getByText('R$349.00 per month').waitFor()
  await page.getByText('needs billing:write').first().waitFor()

  assert.ok(await page.getByRole('button', { name: 'Change to Pro' }).isDisabled())
  assertNoProblems(fixture, seen)
})

test('without billing the page has the usage, and neither plans nor invoices', async (t) => {
  const fixture = await startBilling(t, { BILLING: 'off' })
  const { page, seen } = await openUsage(fixture, 'owner', { locale: 'pt-BR' })

  await page.getByText('A cobrança está desativada nesta instalação.').waitFor()
  await page.getByRole('heading', { name: 'Uso', exact: true }).waitFor()

  assert.equal(await page.getByText('Sem limite', { exact: true }).count(), 2)
  assert.doesNotMatch(await page.locator('main').innerText(), /Plano Gratuito|Planos|Faturas/)
  await assertNoBarriers(page, 'billing off')
  assertNoProblems(fixture, seen)
})

test('a plan that is canceled at the payment provider shows its end on the open page', async (t) => {
  const fixture = await startBilling(t)
  const { organizationId } = fixture.acme
  const owner = await fixture.hub.person({ organizationId, role: 'owner' })
  const buying = await fixture.visit('/billing/return')
  await subscribe(fixture, buying.page)
  const { page, seen } = await visitAs(fixture, owner, '/usage')
  await page.getByText(/^Renews on /).waitFor()
  await page.getByText('Ready', { exact: true }).waitFor()

  const [row] = await fixture.hub.sql<{ customer_id: string }[]>`
    select customer_id from subscriptions where organization_id = ${organizationId}`
  await fixture.up.simulator.control('POST', `/payments/customers/${row?.customer_id}/portal`, { action: 'cancel' })

  await page.getByText(/^Ends on /).waitFor()
  assertNoProblems(fixture, seen)
})
