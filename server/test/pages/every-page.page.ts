import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { assertNoProblems, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** Every pair of a language, a theme and a width is among them. */
const LOOKS = [
  { locale: 'en-US', colorScheme: 'light', width: 1440 },
  { locale: 'en-US', colorScheme: 'dark', width: 390 },
  { locale: 'pt-BR', colorScheme: 'light', width: 390 },
  { locale: 'pt-BR', colorScheme: 'dark', width: 1440 },
] as const
const PAGES = [
  ...['/', '/channels', '/messages', '/templates', '/webhooks', '/webhooks?dialog=create', '/webhooks/signature'],
  ...['/api-keys', '/api-keys?dialog=create'],
  ...['/simulator', '/usage', '/members', '/audit-log', '/account'],
]
/** Where the pictures of the pages go, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES

const TABS_OF_CHANNEL = ['summary', 'connect', 'diagnostics', 'test', 'token', 'danger']

async function startFilled(t: TestContext) {
  const fixture = await startBrowserFixture(t)
  const ana = await fixture.hub.person({ organizationId: fixture.acme.organizationId, role: 'owner' })
  await fixture.acme.post('/api/v1/api-keys', { name: 'first-key', scopes: ['messages:send'] })
  return { fixture, ana }
}

test('every page is whole and without barriers, in each language, theme and width', async (t) => {
  const { fixture, ana } = await startFilled(t)
  for (const { width, ...look } of LOOKS) {
    const viewport = { width, height: width === 390 ? 844 : 900 }
    const { page, seen } = await visitAs(fixture, ana, '/', { ...look, viewport })
    for (const path of [...PAGES, ...TABS_OF_CHANNEL.map((tab) => `/channels/${fixture.id}?tab=${tab}`)]) {
      const what = `${path} ${look.locale} ${look.colorScheme} ${width}`
      await page.goto(fixture.origin + path)
      await page.locator('main h1').waitFor()
      await page.locator('main:not(:has([data-loading]))').waitFor()
      if (PICTURES) {
        const name = `${path.replaceAll(/[/?=]/g, '-').slice(1) || 'overview'}-${look.locale}-${look.colorScheme}-${width}.png`
        await page.screenshot({ path: join(PICTURES, name) })
      }
      await assertNoBarriers(page, what)
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(overflow) <= 0, `${what} is ${overflow} pixels too wide`)
    }
    assertNoProblems(fixture, seen)
  }
})
