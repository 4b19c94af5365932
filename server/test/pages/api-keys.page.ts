import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoProblems, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

test('a person creates a key from a preset, sees what it opens, stores it once, and revokes it', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme, origin } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const { page, seen } = await visitAs(fixture, ana, '/api-keys')

  await page.locator('main').getByRole('button', { name: 'New key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('pedidos-farmacia')
  await dialog.getByText('7 routes').waitFor()
  await dialog.getByText('POST   /api/v1/channels/{id}/messages', { exact: true }).waitFor()
  await dialog.getByRole('radio', { name: /^Webhooks/ }).check()
  await dialog.getByText('can read them without messages:read').waitFor()
  await dialog.getByRole('checkbox', { name: 'webhooks:write' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'channels:read' }).check()
  assert.ok(await dialog.getByRole('radio', { name: /^Custom/ }).isChecked())
  await assertNoBarriers(page, 'the dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()

  const sheet = page.getByRole('dialog', { name: 'Key pedidos-farmacia' })
  const secret = await sheet.locator('code').first().innerText()
  assert.match(secret, /^hub_pk_/)
  await sheet.getByLabel(/I stored it/).check()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await sheet.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(secret))

  const headers = { authorization: `Bearer ${secret}` }
  assert.equal((await fetch(`${origin}/api/v1/channels`, { headers })).status, 200)
  assert.equal((await fetch(`${origin}/api/v1/usage`, { headers })).status, 403)
  await page.reload()
  await page.getByRole('row', { name: /pedidos-farmacia.* ago/ }).waitFor()

  await page.getByRole('button', { name: 'Revoke pedidos-farmacia' }).click()
  await page.getByText(/^Last used .* ago\.$/).waitFor()
  await dialog.getByLabel('Type pedidos-farmacia to confirm').fill('pedidos-farmacia')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /pedidos-farmacia.*revoked/ }).waitFor()
  assert.equal((await fetch(`${origin}/api/v1/channels`, { headers })).status, 401)
  assertNoProblems(fixture, seen)
})

test('the keys are read in pages, a viewer sees which scope is missing, and another organization sees none', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  for (let made = 0; made < 51; made++) {
    await acme.post('/api/v1/api-keys', { name: `key-${made}`, scopes: ['audit:read'] })
  }
  const bob = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, bob, '/api-keys?dialog=create', { colorScheme: 'dark' })

  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByRole('row', { name: /key-0 / }).waitFor()
  await page.getByText('needs api_keys:write').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await page.getByRole('button', { name: /^Revoke/ }).count(), 0)
  await assertNoBarriers(page, 'the list')

  const other = await visitAs(fixture, await hub.person(), '/api-keys')
  await other.page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
  assertNoProblems(fixture, seen)
})
