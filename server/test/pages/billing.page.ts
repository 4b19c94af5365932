import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertNoProblems, type BrowserFixture, findUnreadable, startBrowserFixture } from './browser.ts'

const KEY = { headers: { 'idempotency-key': 'the-newcomer' } }

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
  await page.waitForURL(`${fixture.origin}/billing/return`)
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
  await page.waitForURL(`${origin}/billing/return`)
  assert.match(await page.locator('main').innerText(), /as soon as the payment is confirmed/)
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
  await page.getByRole('button', { name: 'Mudar de plano' }).focus()
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
