import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startReceiver } from '../receiver.ts'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
const OLD = 230

const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('[data-row]')

test('a person pages through all deliveries that are kept, and filters them by date, status code and channel', {
  rules: ['delivery.console-pages-all-that-is-kept', 'delivery.console-lists-channel-and-person'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const fixture = await startConnected(t, { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' })
  const { hub, acme, ana, receive } = fixture
  const created = await acme.post('/api/v1/webhooks', { name: 'crm', url: `${receiver.url}/crm` })
  const { id } = created.body.data.webhook
  await receive('oi')
  await hub.deliver()
  await hub.sql`update webhook_endpoints set created_at = now() - interval '9 days' where id = ${id}`
  await hub.sql`
    insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at,
      last_http_status, created_at)
    select ${acme.organizationId}, ${id},
      (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
      hub_id(), 'message.status', case when n % 50 = 0 then 'dead' else 'succeeded' end, 1, at,
      case when n % 50 = 0 then 503 else 200 end, at
    from generate_series(1, ${OLD}) n, lateral (select hub_now() - interval '2 days' - n * interval '1 minute' as at) a`
  const wide = { viewport: { width: 1440, height: 900 } }
  const { page, seen } = await visitAs(fixture, ana, `/webhooks/${id}`, wide)

  await rows(page).nth(99).waitFor()
  await page.getByRole('row', { name: /message\.received succeeded Padaria São João.*\+55 11 95550-0199/ }).waitFor()
  await page.getByText('Page 1 · 100 deliveries').waitFor()
  await assertNoBarriers(page, 'the deliveries')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/deliveries.png` })
  await page.getByRole('button', { name: 'Older' }).click()
  await page.getByText('Page 2 · 100 deliveries').waitFor()
  await page.getByRole('button', { name: 'Older' }).click()
  await page.getByText(/Page 3 · 3\d deliveries/).waitFor()
  assert.ok(await page.getByRole('button', { name: 'Older' }).isDisabled())
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/deliveries-last.png` })
  await page.getByRole('button', { name: 'Newest' }).click()
  await page.getByText('Page 1 · 100 deliveries').waitFor()

  await page.getByRole('button', { name: 'HTTP' }).click()
  await page.getByLabel('Status code').fill('503')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Page 1 · 4 deliveries').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('http'), '503')
  await page.getByRole('button', { name: 'Date' }).click()
  await page.getByRole('button', { name: 'Last 24 h' }).click()
  await page.getByText('No deliveries match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Channel', exact: true }).click()
  await page.getByRole('menuitemradio', { name: /Padaria/ }).click()
  await page.getByText(/Page 1 · [1-4] deliver(y|ies)/).waitFor()
  await page.getByRole('row', { name: /message\.received/ }).waitFor()

  await rows(page).first().click()
  await page.waitForURL((url) => url.searchParams.has('open') && url.searchParams.has('channel_id'))
  await page.goto(`${fixture.origin}/webhooks/${id}`)
  await page.getByText('Page 1 · 100 deliveries').waitFor()
  const refusal = { error: { code: 'RATE_LIMITED', message: 'Too many requests.', request_id: 'x', details: {} } }
  await page.route('**/console/webhooks/**', (route) => route.fulfill({ status: 429, json: refusal }))
  const readAgain = page.waitForResponse((response) => response.status() === 429)
  await receive('de novo')
  await readAgain
  await page.getByRole('alert').first().waitFor()
  await page.getByRole('heading', { name: 'crm' }).waitFor()
  assert.equal(await rows(page).count(), 100)
  await page.unroute('**/console/webhooks/**')
  await page.goto(`${fixture.origin}/webhooks/${id}?status=lost&http=6xx&date=soon&channel_id=1&attempt=x`)
  await page.getByText('Page 1 · 100 deliveries').waitFor()
  const phone = { viewport: { width: 390, height: 844 }, locale: 'pt-BR', colorScheme: 'dark' as const }
  const other = await visitAs(fixture, ana, `/webhooks/${id}?status=dead`, phone)
  await other.page.getByText('Página 1 · 4 entregas').waitFor()
  if (PICTURES) await other.page.screenshot({ path: `${PICTURES}/deliveries-phone.png` })
  assertNoProblems(fixture, seen)
})
