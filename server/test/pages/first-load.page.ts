import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const SIZES = [
  { width: 390, height: 844 },
  { width: 900, height: 900 },
  { width: 1440, height: 900 },
]
const SHIFT_MAX = 0.05

/** The layout shifts since the page began. The browser gives those that already happened as well. */
const SHIFTS = `new Promise((resolve) => {
  const shifts = []
  const observer = new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => (node?.outerHTML ?? String(node)).slice(0, 160))
      if (!hadRecentInput) shifts.push({ value, moved })
    }
  })
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(shifts))))
})`

type Shift = { value: number; moved: string[] }

async function assertNoShift(page: Page, what: string): Promise<void> {
  const shifts = (await page.evaluate(SHIFTS)) as Shift[]
  const sum = shifts.reduce((before, { value }) => before + value, 0)
  assert.ok(sum < SHIFT_MAX, `${what} moved by ${sum}: ${JSON.stringify(shifts, null, 2)}`)
}

test('the overview does not move while it loads, at any width', {
  rules: ['dashboard.overview-does-not-move'],
}, async (t) => {
  const fixture = await startConnected(t)
  const { acme, ana, hub, id } = fixture
  const newcomer = await hub.person()
  await fixture.receive()
  await fixture.send('Temos sim')
  await fixture.fail(131047)
  for (const body of ['um', 'dois']) await fixture.send(body)
  await hub.sql`update channels set status = 'degraded' where organization_id = ${acme.organizationId} and id = ${id}`

  for (const viewport of SIZES) {
    const { page, seen } = await visitAs(fixture, ana, '/', { viewport })
    await page.getByRole('heading', { name: 'Add a webhook endpoint' }).waitFor()
    await page.getByText('is degraded').waitFor()
    await page.getByRole('link', { name: '131047' }).waitFor()
    await page.getByText('No deliveries in this period').waitFor()
    await assertNoShift(page, `The overview at ${viewport.width}`)
    await assertNoBarriers(page, 'the overview')
    assertNoProblems(fixture, seen)

    const first = await visitAs(fixture, newcomer, '/', { viewport })
    await first.page.getByRole('heading', { name: 'Create a channel' }).waitFor()
    await first.page.getByText('Nothing needs your attention').waitFor()
    await assertNoShift(first.page, `The first overview at ${viewport.width}`)
    assertNoProblems(fixture, first.seen)
  }
})

test('a browser loads texts of one language, with the code that shows them, and no key is shown', {
  rules: ['dashboard.loads-one-language'],
}, async (t) => {
  const fixture = await startConnected(t)
  const { page, seen } = await visitAs(fixture, fixture.ana, '/audit-log', { locale: 'es-MX' })
  const texts: string[] = []
  page.on('request', (request) => {
    const [, file] = request.url().match(/assets\/((?:page-)?texts-.+)-[\w-]{8}\.js/) ?? []
    if (file !== undefined) texts.push(file)
  })
  await page.getByRole('heading', { name: /^Registro de auditor/ }).waitFor()
  // The texts of the next page come late: the page waits for them.
  const late = Promise.withResolvers<void>()
  await page.route('**/page-texts-es-settings-*.js', async (route) => {
    await late.promise
    await route.continue()
  })
  const asked = page.waitForRequest('**/page-texts-es-settings-*.js')

  await page.getByRole('link', { name: /^Config/ }).click()
  await asked
  assert.equal(await page.getByText('timezone').count(), 0)
  late.resolve()
  await page.getByRole('heading', { level: 1, name: /^Config/ }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: /^Config/ }).waitFor()

  assert.deepEqual(
    texts.filter((file) => !file.includes('texts-es')),
    [],
  )
  assert.ok(texts.includes('texts-es') && texts.includes('page-texts-es-settings'), texts.join(', '))
  assert.ok(!texts.includes('page-texts-es-billing'), texts.join(', '))
  assertNoProblems(fixture, seen)
})
