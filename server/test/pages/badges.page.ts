import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../receiver.ts'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES

test('the side bar says what waits for a person, and what the hub has to deliver', async (t) => {
  const receiver = await startReceiver(t)
  const fixture = await startConnected(t, { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' })
  const { hub, acme, ana, origin, id, receive } = fixture
  const console = ana.with({ origin })
  const url = `${receiver.url}/hook`
  const { webhook } = (await acme.post('/api/v1/webhooks', { name: 'erp', url })).body.data
  const { page, seen } = await visitAs(fixture, ana, '/settings')
  const bar = page.getByRole('navigation', { name: 'Main' })
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByText('queue 0').waitFor()
  assert.equal(await bar.getByRole('link', { name: 'Webhooks', exact: true }).count(), 1)

  await console.patch(`/api/v1/webhooks/${webhook.id}`, { status: 'paused' })
  await bar.getByRole('link', { name: 'Webhooks 1 endpoint paused' }).waitFor()
  await hub.sql`update channels set status = 'degraded' where organization_id = ${acme.organizationId} and id = ${id}`
  await acme.post('/api/v1/webhooks', { name: 'crm', url })
  await receive()
  await page.reload()
  await bar.getByRole('link', { name: 'Channels 1 channel needs attention' }).waitFor()
  await page.getByText('queue 1').waitFor()
  await assertNoBarriers(page, 'a side bar with badges')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/badges.png` })
  await page.setViewportSize({ width: 900, height: 800 })
  await assertNoBarriers(page, 'a narrow side bar with badges')

  await console.patch(`/api/v1/webhooks/${webhook.id}`, { status: 'active' })
  await bar.getByRole('link', { name: 'Webhooks', exact: true }).waitFor()
  const bob = await visitAs(fixture, await hub.person(), '/settings', { colorScheme: 'dark', locale: 'pt-BR' })
  await bob.page.getByText('fila 0').waitFor()
  assert.equal(await bob.page.getByText(/pausado|atenção/).count(), 0)
  for (const one of [seen, bob.seen]) assertNoProblems(fixture, one)
})
