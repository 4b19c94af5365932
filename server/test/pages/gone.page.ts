import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../hub.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
/** The hub counts as gone after fifteen seconds, which a slow machine lengthens. */
const GONE = { timeout: 90_000 }

test('a hub that is gone leaves every page as it was, says since when, and comes back', async (t) => {
  const fixture = await startConnected(t)
  const { hub, up, ana, origin } = fixture
  const { page } = await visitAs(fixture, ana, '/webhooks', { viewport: { width: 1440, height: 900 } })
  await page.getByText('No endpoints yet').waitFor()
  const errors: string[] = []
  page.on('pageerror', (error) => void errors.push(String(error)))
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.locator('main:not(:has([data-loading]))').waitFor()

  await hub.stop()
  await page.getByText(/^The hub has not answered since \d\d:\d\d:\d\d/).waitFor(GONE)
  await page.getByText(/^as of \d\d:\d\d:\d\d$/).waitFor()
  await page.getByText(/^No answer for/).waitFor()
  await page.getByText(/^(?:Next try in|Trying now)/).waitFor()
  await assertNoBarriers(page, 'a hub that is gone')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/hub-gone.png` })
  await page.getByRole('link', { name: 'Webhooks' }).first().click()
  await page.getByText('No endpoints yet').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add endpoint' }).isDisabled(), true)
  await page.getByText('when the hub is back').first().waitFor()
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByText('This page could not be loaded').waitFor()
  await assertNoBarriers(page, 'a page whose code could not be loaded')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/code-gone.png` })
  await page.getByRole('button', { name: 'Load the dashboard again' }).click()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This page could not be loaded').waitFor()
  assert.equal(new URL(page.url()).pathname, '/audit-log')

  const tried = page.waitForRequest('**/events')
  await page.getByRole('button', { name: 'Try now' }).click()
  await tried
  await startHub(t, { simulator: up.simulator, env: { PORT: new URL(origin).port, PUBLIC_URL: origin } })
  await page.getByText(/^The hub has not answered/).waitFor({ state: 'detached', ...GONE })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
  assert.deepEqual(errors, [])
})

test('values that an address does not know fall back', async (t) => {
  const fixture = await startConnected(t)
  const { page } = await visitAs(fixture, fixture.ana, '/')
  const paths = [
    '/?range=century&channel_id=1',
    `/channels/${fixture.id}?tab=constructor`,
    '/channels?status=__proto__&quality=PINK',
    '/messages?status=nowhere&date=2026-99-99..&open=x&type=1&error_code=-1',
    '/webhooks?status=asleep&dialog=x',
    '/developers?tab=nothing&status=9xx&kind=toString',
    '/usage/costs?month=2026-13',
    '/audit-log?since=forever&open=1',
    '/simulator?show=constructor&channel=1&customer=x',
    '/templates?channel=1&open=x',
  ]
  for (const path of paths) {
    await page.goto(fixture.origin + path)
    await page
      .locator('main h1')
      .waitFor()
      .catch(async () => assert.fail(`${path}: ${await page.locator('body').innerText()}`))
    await page.locator('main:not(:has([data-loading]))').waitFor()
    assert.equal(await page.getByText('This page could not be shown').count(), 0, path)
  }
})

test('an unknown address is shown inside the shell, and the menu of the account signs out', async (t) => {
  const fixture = await startConnected(t)
  const { page } = await visitAs(fixture, fixture.ana, '/nowhere/at-all')

  for (const path of ['/nowhere/at-all', '/channels/nope', '/webhooks/nope']) {
    await page.goto(`${fixture.origin}${path}`)
    await page.getByText('Page not found').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channels' }).waitFor()
  }
  await page.getByRole('button', { name: /Ana/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign-in/)
  await page.locator('input[type=email]:focus').waitFor()

  const session = await page.request.get(`${fixture.origin}/console/session`)
  assert.equal(session.status(), 401)
})
