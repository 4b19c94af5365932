import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readLink, startMailServer } from '../mail-server.ts'
import { assertNoProblems, openPage, startBrowserFixture } from './browser.ts'
import { assertNoBarriers } from './signed-in.ts'

/** Every pair of a language, a theme and a width is among them. */
const LOOKS = [
  { locale: 'en-US', lang: 'en', colorScheme: 'light', width: 1440 },
  { locale: 'pt-BR', lang: 'pt-BR', colorScheme: 'light', width: 390 },
  { locale: 'es-MX', lang: 'es', colorScheme: 'dark', width: 390 },
  { locale: 'en-US', lang: 'en', colorScheme: 'dark', width: 390 },
  { locale: 'pt-BR', lang: 'pt-BR', colorScheme: 'dark', width: 1440 },
  { locale: 'es-MX', lang: 'es', colorScheme: 'light', width: 1440 },
] as const
/** Each language, theme and width once. EVERY_LOOK adds the other pairs. */
const SHOWN = process.env.EVERY_LOOK ? LOOKS : LOOKS.slice(0, 3)
/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES

const HOSTILE = '<img src=x onerror=alert(1)>"\'&amp; Ópticas'

/** The addresses of one page of each kind that the hub and the simulator render. */
async function startRendered(t: TestContext) {
  const mail = await startMailServer(t)
  const fixture = await startBrowserFixture(t, mail.env)
  const { acme, hub, origin, up } = fixture
  const { simulator } = up
  await simulator.control('PUT', '/payments/callback', { url: `${hub.url}/hooks/billing` })
  await hub.sql`update organizations set name = ${HOSTILE} where id = ${acme.organizationId}`
  await up.number()

  const bob = await hub.person()
  await hub.anonymous.post('/console/password-reset', { email: bob.email })
  const reset = readLink(await mail.receive(1))
  const owner = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const initiator = { actor: { type: 'user' as const, id: owner.userId, name: 'Ana' }, ip: null, requestId: null }
  const invitation = { email: 'ana@example.com', role: 'developer' as const }
  const invited = await hub.context.invitations.create(acme.organizationId, invitation, initiator)
  const checkout = await openCheckout('starter')
  await fetch(checkout, { method: 'POST', body: new URLSearchParams({ card: '4242424242424242' }) })
  const { portal_url } = (await acme.post('/api/v1/subscription/portal')).body.data
  const portal = (await fetch(portal_url, { redirect: 'manual' })).headers.get('location')
  const { invoices } = await simulator.control<{ invoices: { hosted_invoice_url: string }[] }>(
    'GET',
    '/payments/objects/invoices',
  )

  async function openCheckout(plan: string): Promise<string> {
    const headers = { 'idempotency-key': `a-checkout-for-${plan}` }
    return (await acme.post('/api/v1/subscription/checkout', { plan }, { headers })).body.data.checkout_url
  }

  const pages: Record<string, string | null | undefined> = {
    connect: `${origin}/connect/${fixture.token}`,
    'connect-unknown': `${origin}/connect/unknown`,
    forgot: `${origin}/forgot-password`,
    reset,
    join: invited.invitation_url,
    'join-unknown': `${origin}/join/unknown`,
    'sign-up-unknown': `${origin}/finish-sign-up/unknown`,
    'verify-unknown': `${origin}/verify-email/unknown`,
    plan: await openCheckout('pro'),
    'billing-return': `${origin}/billing/return`,
    'simulator-sign-up': `${simulator.url}/_sim/signup?opener_origin=${origin}`,
    'simulator-sign-up-lost': `${simulator.url}/_sim/signup`,
    'simulator-paid': checkout,
    'simulator-portal': portal,
    'simulator-invoice': invoices[0]?.hosted_invoice_url,
    'simulator-missing': `${simulator.url}/c/pay/unknown`,
  }
  return { fixture, pages }
}

for (const { width, locale, lang, colorScheme } of SHOWN) {
  test(`every rendered page has the font, its texts and no barrier: ${locale}, ${colorScheme}, ${width} pixels wide`, {
    rules: ['page.loads-from-its-own-origin'],
  }, async (t) => {
    const { fixture, pages } = await startRendered(t)
    const viewport = { width, height: width === 390 ? 844 : 900 }
    const { page, seen } = await openPage(t, 'about:blank', { locale, colorScheme, viewport })
    for (const [name, url] of Object.entries(pages)) {
      assert.ok(url, name)
      await page.goto(url)
      await page.locator('h1:visible').waitFor()
      await page.evaluate('document.fonts.ready.then(() => undefined)')
      if (PICTURES) {
        const path = join(PICTURES, `${name}-${lang}-${colorScheme}-${width}.png`)
        await page.screenshot({ path, fullPage: true })
      }

      assert.equal(await page.locator('html').getAttribute('lang'), lang, name)
      assert.deepEqual(await page.evaluate('[...document.fonts].map(({ status }) => status)'), ['loaded'], name)
      assert.doesNotMatch(await page.locator('main').innerText(), /\{\{|undefined|null/, name)
      assert.equal(await page.locator('img').count(), 0, name)
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
      assert.ok(Number(overflow) <= 0, name)
      await assertNoBarriers(page, name)
    }
    assertNoProblems(fixture, seen)
  })
}
