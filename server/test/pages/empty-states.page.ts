import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertNoProblems, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
const LOOKS = [
  { colorScheme: 'light', locale: 'en-US', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', locale: 'pt-BR', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', locale: 'en-US', viewport: { width: 390, height: 844 } },
  { colorScheme: 'light', locale: 'es-MX', viewport: { width: 390, height: 844 } },
] as const
/** Pages of an organization in which nothing has happened yet, and lists that their filters leave empty. */
const PAGES = [
  '/channels?q=nothing',
  '/messages',
  '/messages?name=nobody',
  '/templates',
  '/templates/new',
  '/webhooks',
  '/webhooks?status=paused',
  '/webhooks/receive',
  '/audit-log?target_id=01980000-0000-7000-8000-000000000001',
  '/usage/costs',
  '/privacy',
  '/nowhere',
  '/docs/nowhere',
]
const NO_CHANNEL = ['/channels', '/templates']

/** The distance of each empty state's beginning from that of the heading above it, of its card or of the page. */
const OFFSETS = `[...document.querySelectorAll('[data-empty]')].map((state) => {
  const title = state.querySelector('h3')
  const card = state.closest('section')?.querySelector(':scope > header h2')
  const heading = card ?? document.querySelector('main h1')
  const start = (node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getBoundingClientRect().left
  }
  return [title.textContent, heading === null ? 0 : Math.round(start(title) - start(heading))]
})`

for (const { colorScheme, locale, viewport } of LOOKS) {
  test(`what is empty begins below its heading: ${locale}, ${colorScheme}, ${viewport.width} pixels wide`, async (t) => {
    const fixture = await startBrowserFixture(t)
    const { hub, acme, id, origin } = fixture
    const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
    const { page, seen } = await visitAs(fixture, ana, '/', { colorScheme, locale, viewport })

    const found: { path: string; title: string; offset: number }[] = []
    async function look(path: string, name = path): Promise<void> {
      await page.goto(origin + path)
      await page.locator('main:not(:has([data-loading]))').waitFor()
      await page.locator('main :is(h1, h3)').first().waitFor()
      const offsets = (await page.evaluate(OFFSETS)) as [string, number][]
      if (PICTURES) {
        const file = `empty${name.replaceAll(/[/?=]/g, '-')}-${locale}-${colorScheme}-${viewport.width}.png`
        await page.screenshot({ path: join(PICTURES, file) })
      }
      found.push(...offsets.map(([title, offset]) => ({ path: name, title, offset })))
      await assertNoBarriers(page, path)
    }

    for (const path of PAGES) await look(path)
    await acme.delete(`/api/v1/channels/${id}`)
    for (const path of NO_CHANNEL) await look(path, `${path}-none`)
    assert.ok(found.length >= PAGES.length - 2)
    assert.deepEqual(
      found.filter(({ offset }) => offset !== 0),
      [],
    )
    assertNoProblems(fixture, seen)
  })
}
