import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { visitAs } from './signed-in.ts'

test('each form that is a page begins in its first field', async (t) => {
  const fixture = await startConnected(t)
  const { ana, id, origin } = fixture
  const invited = await ana.with({ origin }).post('/console/invitations', { email: 'bob@example.com', role: 'viewer' })
  const join = new URL(invited.body.data.invitation_url).pathname
  const stranger = await fixture.visit('/sign-in')
  const member = await visitAs(fixture, ana, '/')

  for (const [{ page }, path, label] of [
    [stranger, '/sign-in', 'E-mail'],
    [stranger, '/sign-up', 'Name of your organization'],
    [stranger, join, 'Your name'],
    [member, `/templates/new?channel=${id}`, 'Name'],
    [member, '/webhooks/signature', 'Headers of the request'],
    [member, '/webhooks?dialog=create', 'Name'],
    [member, '/api-keys?dialog=create', 'Name'],
  ] as const) {
    await page.goto(origin + path)
    await page.getByLabel(label).and(page.locator(':focus')).waitFor()
  }
  assertNoProblems(fixture, stranger.seen)
  assertNoProblems(fixture, member.seen)
})

test('a sheet is as high as what it shows, at the right edge or at the bottom of a phone', async (t) => {
  const fixture = await startConnected(t)
  const { page, seen } = await visitAs(fixture, fixture.ana, '/api-keys?dialog=create')
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Create key' }).click()
  const sheet = page.getByRole('dialog', { name: 'Key short' })
  await sheet.waitFor()

  for (const { width, height, isPhone } of [
    { width: 1440, height: 900, isPhone: false },
    { width: 390, height: 844, isPhone: true },
  ]) {
    await page.setViewportSize({ width, height })
    const box = await sheet.boundingBox()
    assert.ok(box && box.height < height * 0.75, `${box?.height} of ${height}`)
    assert.deepEqual([box.x + box.width, isPhone ? box.y + box.height : box.y], [width, isPhone ? height : 0])
  }
  await page.setViewportSize({ width: 1440, height: 200 })
  const low = await sheet.boundingBox()
  assert.ok(low && low.height <= 200)
  await sheet.getByRole('button', { name: 'Done' }).click({ trial: true, force: true })
  assertNoProblems(fixture, seen)
})
