import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startReceiver } from '../receiver.ts'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** Every pair of a language, a theme and a width is among them. */
const LOOKS = [
  { locale: 'en-US', colorScheme: 'light', width: 1440, isWhole: false },
  { locale: 'en-US', colorScheme: 'dark', width: 390, isWhole: false },
  { locale: 'pt-BR', colorScheme: 'light', width: 390, isWhole: true },
  { locale: 'pt-BR', colorScheme: 'dark', width: 1440, isWhole: true },
  { locale: 'es-MX', colorScheme: 'dark', width: 390, isWhole: false },
  { locale: 'es-MX', colorScheme: 'light', width: 1440, isWhole: false },
] as const
const PAGES = [
  '/',
  '/channels',
  '/messages',
  '/templates',
  '/webhooks',
  '/webhooks?dialog=create',
  '/webhooks/receive',
  '/webhooks/signature',
  '/api-keys',
  '/api-keys?dialog=create',
  '/developers',
  '/developers?tab=events',
  '/developers?tab=reference',
  '/developers?tab=tools',
  '/developers?tab=status',
  '/simulator',
  '/usage',
  '/usage/costs',
  '/members',
  '/settings',
  '/audit-log',
  '/privacy',
  '/account',
  '/docs/messages',
  '/docs/people-and-sessions',
  '/docs/reference',
  '/docs/reference/sendMessage',
]
/** One page of each kind: each theme, each width and the longest texts have a walk over all pages already. */
const KINDS = ['/', '/messages', '/webhooks?dialog=create', '/simulator', '/usage', '/members', '/settings']
/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
/** The widths of pictures beside that of the look, which is the one that is checked. */
const ALSO_PICTURED = [1024, 1920]
/** Every look walks over all pages. */
const isEveryLook = Boolean(PICTURES || process.env.EVERY_LOOK)

const TABS_OF_CHANNEL = ['summary', 'connect', 'diagnostics', 'test', 'number', 'token', 'danger']

/** A narrow laptop: the side bar is whole, and what is beside it has the least room. */
const LAPTOP = { width: 1280, height: 800 }
/** Elements that may be wider than the page, in their own frame: tabs, code, tables, and the line of the ten attempts. */
const OWN_FRAMES = 'nav, section:has(> pre), section:has(> table), div:has(> ol)'
const WIDER = `[document.documentElement, ...document.querySelectorAll('body *')]
  .filter((node) => node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1 && !node.matches('${OWN_FRAMES}'))
  .filter((node) => node === document.documentElement || /auto|scroll/.test(getComputedStyle(node).overflowX))
  .map((node) => node.tagName + '.' + node.className + ' by ' + (node.scrollWidth - node.clientWidth))`

/** A connected channel with a chat and a failure, one without a number, and an endpoint whose delivery is retried. */
async function startFilled(t: TestContext) {
  const receiver = await startReceiver(t)
  const fixture = await startConnected(t, { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'sandbox' })
  const { acme, hub, ana } = fixture
  await acme.post('/api/v1/api-keys', { name: 'first-key', scopes: ['messages:send'] })
  await acme.post('/api/v1/channels', { name: 'Clínica Vida Plena' })
  const endpoint = { name: 'crm-bella', url: `${receiver.url}/hook` }
  const { id: webhookId } = (await acme.post('/api/v1/webhooks', endpoint)).body.data.webhook
  receiver.answer(503)
  await fixture.receive('Vocês ainda têm pão de queijo?')
  await fixture.send('Temos sim, fornada de agora.')
  await fixture.fail(131026)
  await fixture.send('Separo meia dúzia?')
  await hub.deliver()
  const { deliveries } = (await acme.get(`/api/v1/webhooks/${webhookId}/deliveries`)).body.data
  const ofWebhook = [`/webhooks/${webhookId}`, `/webhooks/${webhookId}?open=${deliveries[0].id}`]
  const ofChannel = TABS_OF_CHANNEL.map((tab) => `/channels/${fixture.id}?tab=${tab}`)
  return { fixture, ana, paths: [...PAGES, ...ofWebhook, ...ofChannel] }
}

async function assertFits(page: Page, what: string): Promise<void> {
  assert.deepEqual(await page.evaluate(WIDER), [], `${what} scrolls sideways`)
}

for (const { width, isWhole, ...look } of LOOKS) {
  test(`every page is whole and without barriers: ${look.locale}, ${look.colorScheme}, ${width} pixels wide`, async (t) => {
    const { fixture, ana, paths } = await startFilled(t)
    const viewport = { width, height: width === 390 ? 844 : 900 }
    const { page, seen } = await visitAs(fixture, ana, '/', { ...look, viewport })
    const shown = isWhole || isEveryLook ? paths : KINDS
    for (const path of shown) {
      const what = `${path} ${look.locale} ${look.colorScheme} ${width}`
      await page.goto(fixture.origin + path)
      await page.locator('main h1').waitFor()
      await page.locator('main:not(:has([data-loading]))').waitFor()
      if (PICTURES) {
        const name = `${path.replaceAll(/[/?=]|[0-9a-f]{8}-[0-9a-f-]{27}/g, '-').slice(1) || 'overview'}-${look.locale}-${look.colorScheme}`
        for (const also of width === 390 ? [] : ALSO_PICTURED) {
          await page.setViewportSize({ width: also, height: viewport.height })
          await page.screenshot({ path: join(PICTURES, `${name}-${also}.png`) })
        }
        await page.setViewportSize(viewport)
        await page.screenshot({ path: join(PICTURES, `${name}-${width}.png`) })
      }
      await assertNoBarriers(page, what)
      await assertFits(page, what)
      if (width === 390) continue
      await page.setViewportSize(LAPTOP)
      await assertFits(page, `${what}, then ${LAPTOP.width}`)
      await page.setViewportSize(viewport)
    }
    assertNoProblems(fixture, seen)
  })
}
