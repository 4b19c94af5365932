import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../src/kernel/ids.ts'
import { assertNoProblems, searchPalette, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const PHONE = { viewport: { width: 390, height: 844 } }

function log(page: Page) {
  return page.getByRole('table', { name: 'Requests', exact: true })
}

test('a person finds a failed request with the keyboard, and new ones come in by themselves', {
  rules: ['requests.dashboard-keeps-filters-in-the-address'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme, id, origin } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const webhookId = newId()
  const failed = await acme.get(`/api/v1/webhooks/${webhookId}`)
  await acme.get('/api/v1/channels/5511987654321')
  await acme.get(`/api/v1/channels/${id}?secret=canary`)
  await hub.context.requestLog.flush()
  const { page, seen } = await visitAs(fixture, ana, '/developers')

  await log(page).getByText(`/api/v1/webhooks/${webhookId}`).waitFor()
  assert.doesNotMatch(await page.content(), /5511987654321|canary/)
  await assertNoBarriers(page, 'the log')

  await acme.get('/api/v1/usage')
  await hub.context.requestLog.flush()
  await log(page).getByText('/api/v1/usage').waitFor()

  const groups = page.getByRole('table', { name: 'Failed requests by error and route' })
  await groups.getByRole('link', { name: /404.*NOT_FOUND/ }).press('Enter')
  await page.waitForURL('**/developers?*error_code=NOT_FOUND*')
  await log(page).locator('[data-row]').nth(1).waitFor({ state: 'detached' })
  await log(page).getByRole('link').press('Enter')
  const drawer = page.getByRole('complementary', { name: `GET /api/v1/webhooks/${webhookId}` })
  await drawer.getByText('test key').waitFor()
  await drawer.getByText(failed.headers.get('x-request-id') ?? '').waitFor()
  await assertNoBarriers(page, 'an open request')
  const link = page.url()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })

  await page.goto(`${origin}/developers?method=DELETE&open=${new URL(link).searchParams.get('open')}`)
  await page.getByText('No requests match these filters').waitFor()
  await drawer.getByText('test key').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await page.keyboard.press('/')
  await page.keyboard.type('no id')
  await page.getByText('Paste a complete request id').waitFor()
  await page.getByRole('searchbox').fill(failed.headers.get('x-request-id') ?? '')
  await page.waitForURL('**/developers?request_id=*')
  await log(page).locator('[data-row]').first().waitFor()
  assert.equal(await log(page).locator('[data-row]').count(), 1)

  await page.keyboard.press('Escape')
  await searchPalette(page, failed.headers.get('x-request-id') ?? '')
  await page.getByRole('option', { name: 'Request with this id' }).and(page.locator('[aria-selected=true]')).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/developers?request_id=*&open=*')
  await drawer.getByText('test key').waitFor()
  assertNoProblems(fixture, seen)
})

test('a request without its scope names it, and the failures have their age', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  const created = await acme.post('/api/v1/api-keys', { name: 'reader', scopes: ['audit:read'] })
  const reader = hub.anonymous.with({ authorization: `Bearer ${created.body.data.secret}` })
  assert.equal((await reader.get(`/api/v1/webhooks/${newId()}/deliveries`)).status, 403)
  await hub.context.requestLog.flush()
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, ana, '/developers', { locale: 'pt-BR' })

  await page
    .getByRole('row', { name: /INSUFFICIENT_SCOPE.*há \d+\ss/ })
    .first()
    .waitFor()
  await page.getByRole('table', { name: 'Requisições', exact: true }).getByRole('link').first().click()
  await page.getByText('Escopo necessário').waitFor()
  await page.getByText('webhooks:read', { exact: true }).waitFor()
  await assertNoBarriers(page, 'a request without its scope')
  assertNoProblems(fixture, seen)
})

test('without requests the log shows a first one, and a failure shows its request id', async (t) => {
  const fixture = await startBrowserFixture(t)
  const other = await fixture.hub.person()
  const { page } = await visitAs(fixture, other, '/developers', PHONE)

  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  await page.getByText(`curl -X GET '${fixture.origin}/api/v1/channels'`).waitFor()
  await page.getByText('No failed requests in this period.').waitFor()
  await assertNoBarriers(page, 'an empty log')

  const requestId = newId()
  const error = { code: 'NOT_READY', message: 'The hub is stopping.', request_id: requestId, details: null }
  await page.route('**/requests?*', (route) => route.fulfill({ status: 503, json: { error } }))
  await page.reload()
  await page.getByText('The requests could not be loaded').waitFor()
  await page.getByTitle(requestId).waitFor()
  await page.unroute('**/requests?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
})

test('the events have a sample in each mode and format, and name the endpoints that get them', {
  rules: ['requests.developer-page-loads-nothing-foreign'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  const body = { name: 'CRM', url: 'https://93.184.216.34/in', event_types: ['message.received'] }
  assert.equal((await acme.post('/api/v1/webhooks', body)).status, 201)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, ana, '/developers?tab=events')

  await page.getByRole('link', { name: 'CRM' }).waitFor()
  await page.getByRole('link', { name: /channel\.disconnected/ }).press('Enter')
  await page.getByText('No active endpoint receives this event.').waitFor()
  await page.getByRole('button', { name: 'compat' }).press('Enter')
  await page.getByText('"channel_disconnected"').waitFor()
  await page.getByText('X-Hub-Signature-Version: compat-v1').waitFor()
  await page.getByRole('link', { name: /message\.status/ }).click()
  await page.getByRole('button', { name: 'upstream_raw' }).click()
  await page.getByText('They receive Meta’s original as upstream.raw.').waitFor()
  await page.getByRole('link', { name: /upstream\.raw/ }).click()
  await page.getByText('"whatsapp_business_account"').waitFor()
  await page.waitForURL('**/developers?*kind=upstream.raw*')
  await assertNoBarriers(page, 'an event')
  assertNoProblems(fixture, seen)
})

test('reference, tools and status work in Portuguese on a phone, without another host', {
  rules: ['requests.developer-page-loads-nothing-foreign'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme, origin } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, ana, '/developers?tab=reference', { ...PHONE, locale: 'pt-BR' })

  await page.getByText(`${origin}/api/v1`, { exact: true }).waitFor()
  await page.getByRole('searchbox').fill('Send a message')
  const operation = page.getByRole('link', { name: /POST.*messages.*Send a message/ }).first()
  assert.equal(await operation.getAttribute('href'), '/docs/reference/sendMessage')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Baixar openapi.json' }).click()
  assert.equal((await download).suggestedFilename(), 'openapi.json')

  await page.getByRole('link', { name: 'SDK e CLI' }).click()
  await page.getByText(`hubline login --url ${origin}`).waitFor()
  await page.getByText(`url: '${origin}'`).waitFor()
  await assertNoBarriers(page, 'the tools')

  await page.getByRole('link', { name: 'Status' }).click()
  await page.getByText('O processo está vivo').waitFor()
  await page.getByText('Recebe requisições').waitFor()
  await page.getByText('A mais antiga espera há').waitFor()
  assertNoProblems(fixture, seen)
})
