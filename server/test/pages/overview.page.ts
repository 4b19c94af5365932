import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../receiver.ts'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

test('the last of the first steps tells that the endpoint failed, and leads to the delivery', async (t) => {
  const receiver = await startReceiver(t)
  const fixture = await startConnected(t, { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination })
  const { acme, ana, hub } = fixture
  await acme.post('/api/v1/webhooks', { name: 'CRM', url: `${receiver.url}/hook` })
  receiver.answer(503)
  await fixture.receive()
  await fixture.send('Temos sim')
  await hub.deliver()
  const { page, seen } = await visitAs(fixture, ana, '/')

  await page.getByText('Your endpoint did not accept the message: HTTP_503.').waitFor()
  await page.getByText(/1 attempt so far\. Next attempt: (?:in \d|any moment now)/).waitFor()
  await assertNoBarriers(page, 'the first steps with a failure')
  await page.getByRole('link', { name: 'See the delivery' }).click()
  await page.getByRole('heading', { name: 'message.received' }).waitFor()
  await page
    .getByText(/Attempt 2 of 10/)
    .first()
    .waitFor()
  assertNoProblems(fixture, seen)
})

test('the overview shows figures and errors, and each thing to do leads to where it is done', async (t) => {
  const fixture = await startConnected(t)
  const { acme, ana, hub, id } = fixture
  await fixture.receive()
  await fixture.send('Confirmado')
  await fixture.fail(131047)
  for (const body of ['um', 'dois']) await fixture.send(body)
  await fixture.fail(null)
  await hub.sql`update channels set status = 'degraded' where organization_id = ${acme.organizationId} and id = ${id}`
  const { page, seen } = await visitAs(fixture, ana, '/?range=7d')

  const failed = page.locator('section', { has: page.getByRole('heading', { name: 'Failed', exact: true }) })
  await failed.getByText('2', { exact: true }).waitFor()
  await page.getByText('Padaria São João <Centro> is degraded').waitFor()
  await assertNoBarriers(page, 'the overview')
  await page.getByRole('button', { name: 'View as table' }).click()
  await page.getByRole('table', { name: 'Messages over time' }).waitFor()
  await page.getByRole('button', { name: '30 d' }).click()
  await page.waitForURL('**/?range=30d')

  await page.getByRole('button', { name: 'All channels' }).click()
  await page.getByRole('menuitemradio', { name: 'All channels', checked: true }).waitFor()
  await page.getByRole('menuitemradio', { name: 'Padaria São João' }).click()
  await page.getByRole('link', { name: 'All 2' }).click()
  await page.waitForURL(`**/messages?status=failed&date=30d&channel_id=${id}`)
  await page.goBack()

  await page.getByRole('table', { name: 'Errors by code and channel' }).getByRole('link', { name: '131047' }).click()
  await page.waitForURL(`**/messages?error_code=131047&channel_id=${id}&date=30d`)
  await page.locator('table[aria-rowcount="3"]').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Diagnose: Padaria' }).click()
  await page.waitForURL(`**/channels/${id}?tab=diagnostics`)

  const { page: foreign } = await visitAs(fixture, await hub.person(), '/')
  await foreign.getByText('Nothing needs your attention').waitFor()
  await foreign.getByText('None').waitFor()
  assert.equal(await foreign.getByText('131047').count(), 0)
  assertNoProblems(fixture, seen)
})
