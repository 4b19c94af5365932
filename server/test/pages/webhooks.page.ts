import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../src/kernel/ids.ts'
import { startReceiver } from '../receiver.ts'
import { assertNoProblems, searchPalette, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

async function startEndpoints(t: TestContext) {
  const receiver = await startReceiver(t)
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' }
  const fixture = await startBrowserFixture(t, env)
  const ana = await fixture.hub.person({ organizationId: fixture.acme.organizationId, role: 'owner' })
  return { ...fixture, fixture, receiver, ana }
}

function button(page: Page, name: string | RegExp) {
  return page.getByRole('button', { name, exact: typeof name === 'string' })
}

test('a person adds an endpoint, corrects its address, tests it, and sees the request and the response', async (t) => {
  const { fixture, hub, receiver, acme, ana } = await startEndpoints(t)
  const { page, seen } = await visitAs(fixture, ana, '/webhooks')

  await page.locator('main').getByRole('button', { name: 'Add endpoint' }).last().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('crm-bella')
  await dialog.getByLabel('Address', { exact: true }).fill('https://10.0.0.1/hook')
  await page.keyboard.press('Enter')
  const refusal = await dialog.getByRole('alert').innerText()
  const answer = await acme.post('/api/v1/webhooks', { name: 'crm-bella', url: 'https://10.0.0.1/hook' })
  assert.equal(refusal, answer.body.error.message)

  await dialog.getByLabel('Address', { exact: true }).fill(`${receiver.url}/hook`)
  await dialog.getByText('All kinds, including those').click()
  await dialog.getByLabel('Search events').fill('received')
  await button(page, 'Sample of message.received').click()
  await dialog.getByText('"message.received"').waitFor()
  await dialog.getByRole('checkbox', { name: 'message.received' }).check()
  await assertNoBarriers(page, 'the dialog')
  await button(page, 'Create endpoint').click()

  const sheet = page.getByRole('dialog', { name: 'Secret of crm-bella' })
  const secret = await sheet.locator('code').first().innerText()
  assert.match(secret, /^whsec_/)
  await page.keyboard.press('Escape')
  await sheet.getByRole('button', { name: 'Python' }).click()
  await sheet.getByText('hmac.compare_digest').waitFor()
  await sheet.getByLabel(/I stored it/).check()
  await sheet.getByRole('button', { name: 'Done' }).click()

  receiver.answer(() => ({ status: 200, headers: { 'x-request-id': 'b7f0c2' }, body: '{"ok":true}' }))
  await button(page, /^Send test 10 of 10 left/).click()
  await page.getByRole('heading', { name: 'webhook.test' }).waitFor()
  await hub.deliver()
  await page.getByText('Delivered with attempt 1').waitFor()
  await button(page, /^Send test 9 of 10 left/).waitFor()
  const pane = page.getByRole('complementary')
  await pane.getByText('b7f0c2').waitFor()
  const sent = receiver.received[0]!
  await pane.getByText(String(sent.headers['x-hub-signature-256'])).waitFor()
  assert.equal(await pane.getByText('"webhook.test"').count(), 0)
  assert.equal(await pane.getByText('"ok"').count(), 0)
  await pane.getByRole('button', { name: 'Show the response' }).click()
  await pane.getByText('"ok"').waitFor()
  await pane.getByText('"webhook.test"').waitFor()
  await pane.getByRole('button', { name: 'Copy as curl' }).waitFor()
  await assertNoBarriers(page, 'the delivery')
  assert.ok(!page.url().includes(secret))
  assertNoProblems(fixture, seen)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a person retries a delivery at once and rotates the secret with an overlap, on a ${colorScheme} page`, async (t) => {
    const { fixture, hub, receiver, acme, ana } = await startEndpoints(t)
    const created = await acme.post('/api/v1/webhooks', { name: 'CRM', url: `${receiver.url}/hook` })
    const { id } = created.body.data.webhook
    receiver.answer(() => ({ status: 503, body: 'try later' }))
    const tested = await acme.post(`/api/v1/webhooks/${id}/test`)
    await hub.deliver()
    const path = `/webhooks/${id}?open=${tested.body.data.delivery_id}`
    const { page, seen } = await visitAs(fixture, ana, path, { colorScheme })
    const pane = page.getByRole('complementary')

    await pane.getByText('a receiver may repeat a message in it').waitFor()
    await assertNoBarriers(page, 'a delivery with hidden bodies')
    receiver.answer(200)
    await pane.getByRole('button', { name: 'Retry now' }).click()
    await page.getByText('The next attempt is on its way.').waitFor()
    await hub.deliver()
    await pane.getByText('Delivered with attempt 2').waitFor()
    assert.equal(await pane.getByRole('button', { name: 'Retry now' }).count(), 0)
    await page.keyboard.press('Escape')

    await button(page, 'Rotate secret').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Choose this if the old secret has leaked').waitFor()
    await dialog.getByLabel('The old secret').selectOption({ label: 'also signs for one hour' })
    await dialog.getByText('X-Hub-Signature-256-Previous').waitFor()
    await assertNoBarriers(page, 'the dialog of a rotation')
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    const sheet = page.getByRole('dialog', { name: 'Secret of CRM' })
    await sheet.getByText(/^The old secret also signs until/).waitFor()
    await sheet.getByLabel(/I stored it/).check()
    await sheet.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/^valid until/).waitFor()
    await assertNoBarriers(page, 'an endpoint with a previous secret')
    assertNoProblems(fixture, seen)
  })
}

test('a failed delivery shows its plan, and is replayed with a key once it has ended', async (t) => {
  const { fixture, hub, receiver, acme, ana } = await startEndpoints(t)
  const created = await acme.post('/api/v1/webhooks', { name: 'CRM', url: `${receiver.url}/hook` })
  const { id } = created.body.data.webhook
  receiver.answer(503)
  const tested = await acme.post(`/api/v1/webhooks/${id}/test`)
  await hub.deliver()
  const { page, seen } = await visitAs(fixture, ana, `/webhooks/${id}`, { colorScheme: 'dark' })

  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByText(/Attempt 2 of 10 (?:in|any)/).waitFor()
  assert.ok(page.url().includes(tested.body.data.delivery_id))
  const strip = page.getByRole('list', { name: 'Attempts, past and planned' })
  assert.deepEqual(
    (await strip.getByRole('listitem').allInnerTexts()).map((text) =>
      text.split('\n').filter((line) => / [smh]$/.test(line)),
    ),
    [[], ['5 s'], ['1 m'], ['5 m'], ['30 m'], ['2 h'], ['6 h'], ['12 h'], ['24 h'], ['48 h']],
  )
  assert.equal(await strip.getByRole('button').count(), 1)
  await page.getByText('available once the delivery has ended').waitFor()
  await page.getByText('HTTP_503').first().waitFor()
  await assertNoBarriers(page, 'a delivery that is retried')

  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Canceled after attempt 1').waitFor()
  await button(page, 'Resume').click()
  await button(page, /^Replay/)
    .and(page.locator(':enabled'))
    .waitFor()
  receiver.answer(200)
  await page.keyboard.press('r')
  await page.getByText('Waiting for its first attempt').waitFor()
  await hub.deliver()
  await page.getByText('Delivered with attempt 1').waitFor()
  await page.getByRole('button', { name: /^Replay of/ }).waitFor()
  await page.getByText('50%', { exact: true }).waitFor()

  await page.keyboard.press('Escape')
  await button(page, /Status/).click()
  await page.getByRole('menuitemradio', { name: 'dead' }).click()
  await page.getByText('No deliveries match these filters').waitFor()
  assert.ok(page.url().includes('status=dead'))
  await button(page, 'Clear filters').click()
  assertNoProblems(fixture, seen)
})

test('a delivery of an erased event says so, and cannot be replayed', async (t) => {
  const { fixture, hub, receiver, acme, ana, id: channelId } = await startEndpoints(t)
  const created = await acme.post('/api/v1/webhooks', { name: 'CRM', url: `${receiver.url}/hook` })
  const { id } = created.body.data.webhook
  const { organizationId } = acme
  const data = { message: { id: newId(), content: { body: 'Oi' } } }
  await hub.sql.begin((tx) => hub.context.publish(tx, [{ organizationId, kind: 'message.received', channelId, data }]))
  await hub.deliver()
  const [delivery] = (await acme.get(`/api/v1/webhooks/${id}/deliveries`)).body.data.deliveries
  await hub.sql`delete from events where organization_id = ${organizationId}`
  const { page, seen } = await visitAs(fixture, ana, `/webhooks/${id}?open=${delivery.id}`, { locale: 'pt-BR' })

  await page.getByText('Os dados da pessoa deste evento foram eliminados').waitFor()
  await page.getByText('os dados desta pessoa foram eliminados').waitFor()
  assert.ok(await button(page, /^Reenviar/).isDisabled())
  await page.keyboard.press('r')
  assert.equal((await acme.get(`/api/v1/webhooks/${id}/deliveries`)).body.data.deliveries.length, 1)
  await assertNoBarriers(page, 'a delivery without its event')
  assertNoProblems(fixture, seen)
})

test('a pause says what is lost before it begins, and a retry in the list tells when it is due', async (t) => {
  const { fixture, hub, receiver, acme, ana } = await startEndpoints(t)
  const created = await acme.post('/api/v1/webhooks', { name: 'CRM', url: `${receiver.url}/hook` })
  const { id } = created.body.data.webhook
  receiver.answer(503)
  await acme.post(`/api/v1/webhooks/${id}/test`)
  await hub.deliver()
  const { page, seen } = await visitAs(fixture, ana, `/webhooks/${id}`)

  const tested = await acme.get(`/api/v1/webhooks/${id}/deliveries`)
  await page.getByRole('row', { name: /retry (?:in \d|any moment now)/ }).waitFor()
  await searchPalette(page, tested.body.data.deliveries[0].id)
  await page.getByRole('option', { name: /Delivery with this id webhook\.test · CRM/ }).click()
  await page.getByRole('heading', { name: 'webhook.test' }).waitFor()
  await page.keyboard.press('Escape')
  await button(page, 'Pause').click()
  const dialog = page.getByRole('dialog', { name: 'Pause the endpoint?' })
  await dialog.getByText(/Events during the pause create no deliveries/).waitFor()
  await assertNoBarriers(page, 'the question before a pause')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await acme.get(`/api/v1/webhooks/${id}`)).body.data.webhook.status, 'active')
  await button(page, 'Pause').click()
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Open deliveries are held for up to four days.').waitFor()
  await page.getByRole('row', { name: /retry/ }).click()
  await page.getByText('Held while the endpoint is paused').waitFor()
  await page.getByText('available once the delivery has ended').waitFor()
  assertNoProblems(fixture, seen)
})

test('missing deliveries are counted before they are recovered, and an endpoint is deleted by its name', async (t) => {
  const { fixture, hub, receiver, acme, ana, id: channelId } = await startEndpoints(t)
  const created = await acme.post('/api/v1/webhooks', { name: 'CRM', url: `${receiver.url}/recovered` })
  const { id } = created.body.data.webhook
  await hub.sql.begin((tx) =>
    hub.context.publish(tx, [
      { organizationId: acme.organizationId, kind: 'account.update', channelId, data: { change: {} } },
    ]),
  )
  await acme.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' })
  await acme.patch(`/api/v1/webhooks/${id}`, { status: 'active' })
  const { page, seen } = await visitAs(fixture, ana, `/webhooks/${id}`, { locale: 'pt-BR' })

  await button(page, 'Mais').click()
  await page.getByRole('menuitem', { name: 'Recuperar' }).click()
  await page.getByText('1 entrega será enviada de novo.').waitFor()
  await button(page, 'Enviar 1 entrega de novo').click()
  await page.getByRole('row').nth(2).waitFor()
  await hub.deliver()
  assert.equal(receiver.received.filter(({ path }) => path === '/recovered').length, 1)

  const other = await visitAs(fixture, await hub.person(), `/webhooks/${id}`)
  await other.page.getByText('The endpoint could not be loaded').waitFor()

  await button(page, 'Mais').click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: 'Excluir' }).isDisabled())
  await dialog.getByLabel('Digite CRM para confirmar').fill('CRM')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nenhum endpoint ainda' }).waitFor()
  assertNoProblems(fixture, seen)
})

test('the signature tester judges a real delivery, and names what is wrong with another', async (t) => {
  const { fixture, hub, receiver, acme, ana } = await startEndpoints(t)
  for (const delivery_format of ['native', 'compat'] as const) {
    const body = { name: delivery_format, url: `${receiver.url}/${delivery_format}`, delivery_format }
    const { webhook, secret } = (await acme.post('/api/v1/webhooks', body)).body.data
    await acme.post(`/api/v1/webhooks/${webhook.id}/test`)
    await hub.deliver()
    const sent = receiver.received.find(({ path }) => path === `/${delivery_format}`)!
    const headers = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`)
    const { page, seen } = await visitAs(fixture, ana, '/webhooks/signature')
    const asked = new Set<string>()
    page.on('request', (request) => void asked.add(request.method()))

    await page.getByLabel('Headers of the request').fill(headers.join('\n'))
    await page.getByLabel('Body, exactly as received').fill(sent.body.toString())
    await page.getByLabel('Secret of the endpoint').fill(secret)
    await page.getByText('The signature is valid.').waitFor()
    await assertNoBarriers(page, 'the result')

    await page.getByLabel('Body, exactly as received').fill(JSON.stringify(JSON.parse(sent.body.toString()), null, 2))
    await page.getByText('A receiver would refuse this delivery.').waitFor()
    await page.getByText('the body was parsed and serialized again').waitFor()
    await page.getByLabel('Secret of the endpoint').fill('whsec_another')
    await page.getByText('Often the secret belongs to another endpoint').waitFor()
    assert.ok(!asked.has('POST'))
    assertNoProblems(fixture, seen)
  }
})

test('a person chooses the addresses of files for a new endpoint, and changes them later', {
  rules: ['endpoint.media-urls-is-upstream-by-default'],
}, async (t) => {
  const { fixture, receiver, acme, ana } = await startEndpoints(t)
  const { page, seen } = await visitAs(fixture, ana, '/webhooks?dialog=create')
  const dialog = page.getByRole('dialog')

  await dialog.getByLabel('Name', { exact: true }).fill('chatwoot')
  await dialog.getByLabel('Address', { exact: true }).fill(receiver.url)
  await dialog.getByText('Payload and signature').click()
  assert.ok(await dialog.getByRole('radio', { name: /^upstream To Meta/ }).isChecked())
  await dialog.getByRole('radio', { name: /^hub / }).check()
  await assertNoBarriers(page, 'the choice of addresses')
  await button(page, 'Create endpoint').click()
  const sheet = page.getByRole('dialog', { name: 'Secret of chatwoot' })
  await sheet.getByLabel(/I stored it/).check()
  await sheet.getByRole('button', { name: 'Done' }).click()
  const list = async () => (await acme.get('/api/v1/webhooks')).body.data.webhooks
  const [created] = await list()

  await page.goto(`${fixture.origin}/webhooks/${created.id}`)
  const fact = page.locator('dl > div', { hasText: 'media_urls' })
  await fact.getByText('hub', { exact: true }).waitFor()
  await button(page, 'Edit').click()
  await dialog.getByText('Payload and signature').click()
  await dialog.getByText('Retries and replays use the setting').waitFor()
  await dialog.getByRole('radio', { name: /^upstream To Meta/ }).check()
  await button(page, 'Save').click()
  await fact.getByText('upstream', { exact: true }).waitFor()
  const [changed] = await list()

  assert.deepEqual([created.media_urls, changed.media_urls], ['hub', 'upstream'])
  assertNoProblems(fixture, seen)
})
