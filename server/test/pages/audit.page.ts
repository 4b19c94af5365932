import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { assertNoProblems, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
const WEBHOOK = { name: 'CRM', url: 'https://93.184.216.34/in?token=canary', event_types: ['message.received'] }

async function startWithChanges(...args: Parameters<typeof startBrowserFixture>) {
  const fixture = await startBrowserFixture(...args)
  const { acme, id } = fixture
  await acme.patch(`/api/v1/channels/${id}`, { name: 'Padaria', external_id: 'crm-7' })
  const webhook = (await acme.post('/api/v1/webhooks', WEBHOOK)).body.data.webhook
  const path = `/api/v1/webhooks/${webhook.id}`
  await acme.patch(path, { url: 'https://93.184.216.34/in?token=other-canary', event_types: ['message.status'] })
  return fixture
}

test('a viewer opens a change with the keyboard, and reads what was and what became of each field', async (t) => {
  const fixture = await startWithChanges(t)
  const { organizationId } = fixture.acme
  const viewer = await fixture.hub.person({ organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, viewer, '/audit-log?action=webhook.updated')

  await page.getByText('Entries are kept for 365 days and cannot be changed.').waitFor()
  await page.getByRole('row').filter({ hasText: 'webhook.updated' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('complementary', { name: 'webhook.updated' })
  const text = (await drawer.innerText()).replaceAll(/\s+/g, ' ')
  await assertNoBarriers(page, 'an entry with changes')

  assert.match(text, /event_types removed message\.received added message\.status 0 unchanged/)
  assert.match(text, /url Changed\. The log keeps no value of this field\./)
  assert.doesNotMatch(text, /canary/)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  assertNoProblems(fixture, seen)
})

test('entries name their targets, also those that are gone, and are found by the person and by the target', async (t) => {
  const fixture = await startWithChanges(t)
  const { acme, hub, origin } = fixture
  const bia = await hub.person({ organizationId: acme.organizationId, role: 'admin' })
  const console = bia.with({ origin })
  const made = (await console.post('/api/v1/webhooks', { ...WEBHOOK, name: 'ERP antigo' })).body.data.webhook
  assert.equal((await console.delete(`/api/v1/webhooks/${made.id}`)).status, 200)
  const { page, seen } = await visitAs(fixture, bia, '/audit-log', { viewport: { width: 1440, height: 900 } })

  await page.getByRole('row', { name: /webhook\.deleted.*ERP antigo endpoint/ }).waitFor()
  await page.getByRole('row', { name: /channel\.updated.*Padaria channel/ }).waitFor()
  await page.getByRole('button', { name: 'Who', exact: true }).click()
  await page.getByLabel('Find by name').fill('ana')
  await assertNoBarriers(page, 'the choice of a person')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/audit.png` })
  await page.getByRole('list', { name: 'Who' }).getByRole('button', { name: /^Ana/ }).click()
  await page.waitForURL(`**/audit-log?actor_id=${bia.userId}`)
  await page.getByRole('button', { name: 'Who Ana' }).waitFor()
  await page.getByRole('row', { name: /channel\.updated/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove Who' }).click()
  await page.getByRole('row', { name: /channel\.updated/ }).waitFor()
  await page.getByRole('button', { name: 'Target', exact: true }).click()
  await page.getByLabel('Find by name').fill('antigo')
  await page
    .getByRole('list', { name: 'Target' })
    .getByRole('button', { name: /ERP antigo/ })
    .click()
  await page.waitForURL(`**/audit-log?target_id=${made.id}`)
  await page.getByRole('row', { name: /webhook\.deleted/ }).waitFor()
  assert.equal(await page.locator('[data-row]').count(), 2)
  assertNoProblems(fixture, seen)
})

test('a change reads in Portuguese on a dark phone, and the export has it as the log does', async (t) => {
  const fixture = await startWithChanges(t)
  const { acme } = fixture
  const ana = await fixture.hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const look = { locale: 'pt-BR', colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const
  const { page, seen } = await visitAs(fixture, ana, '/audit-log?action=channel.updated', look)
  const { entries } = (await acme.get('/api/v1/audit-log?action=channel.updated')).body.data

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar JSONL' }).click()
  const saved = await readFile(await (await saving).path(), 'utf8')
  await page.getByRole('row').filter({ hasText: 'channel.updated' }).click()
  const drawer = page.getByRole('complementary', { name: 'channel.updated' })
  const text = (await drawer.innerText()).replaceAll(/\s+/g, ' ')
  await assertNoBarriers(page, 'an entry on a phone')

  assert.match(text, /name antes Padaria São João <Centro> depois Padaria/)
  assert.match(text, /external_id antes nenhum depois crm-7/)
  assert.deepEqual(JSON.parse(saved), entries[0])
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(overflow) <= 0)
  assertNoProblems(fixture, seen)
})

test('on a phone an entry is two whole lines: action and time, who and what', async (t) => {
  const fixture = await startWithChanges(t)
  const ana = await fixture.hub.person({ organizationId: fixture.acme.organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, ana, '/audit-log', { viewport: { width: 390, height: 844 } })

  const row = page.getByRole('row').filter({ hasText: 'channel.updated' })
  await row.waitFor()
  const box = await row.boundingBox()
  const cuts = await page.evaluate(
    "[...document.querySelectorAll('[data-row] code')].map((code) => code.scrollWidth - code.clientWidth)",
  )

  assert.match((await row.innerText()).replaceAll(/\s+/g, ' '), /^channel\.updated [\d: A-Za-z]+ .+ channel$/)
  assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390)
  assert.equal(Math.max(...(cuts as number[])), 0)
  await assertNoBarriers(page, 'the audit log on a phone')
  assertNoProblems(fixture, seen)
})

test('an entry of before the changes were recorded shows its details', async (t) => {
  const fixture = await startWithChanges(t)
  const { hub, acme } = fixture
  await hub.sql`
    update audit_entries set details = '{"name":"Padaria"}'
    where organization_id = ${acme.organizationId} and action = 'channel.updated'`
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const { page, seen } = await visitAs(fixture, ana, '/audit-log?action=channel.updated')

  await page.getByRole('row').filter({ hasText: 'channel.updated' }).click()
  const drawer = page.getByRole('complementary', { name: 'channel.updated' })

  assert.match(await drawer.innerText(), /"name": "Padaria"/)
  assert.equal(await drawer.getByText('Changes', { exact: true }).count(), 0)
  assertNoProblems(fixture, seen)
})
