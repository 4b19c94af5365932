import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Check } from '../../src/domains/channels/schemas.ts'
import { connectWithToken } from '../relay.ts'
import { assertNoProblems, type BrowserFixture, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const CUSTOMER = '5511987654321'

async function startChannels(t: TestContext) {
  const fixture = await startBrowserFixture(t)
  const { hub, up, acme } = fixture
  const url = `${hub.url}/hooks/upstream`
  await up.simulator.control('PUT', '/callback', { url, verify_token: up.simulator.verifyToken })
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  /** Connects the channel of the fixture to a new number. */
  async function connect() {
    const number = await up.number()
    assert.equal((await connectWithToken(acme, fixture.id, number)).status, 200)
    return number
  }
  const wait = (seconds: number) => up.simulator.control('POST', '/clock', { advance_seconds: seconds })
  return { ...fixture, ana, connect, wait }
}

test('a person creates a channel with the keyboard, and sees that its number is connected while the sheet is open', async (t) => {
  const fixture = await startChannels(t)
  const { page, seen } = await visitAs(fixture, fixture.ana, '/channels')
  await page.getByRole('link', { name: 'Padaria São João <Centro>' }).waitFor()
  await page.getByText('1 of 2').waitFor()

  await page.getByRole('button', { name: 'New channel' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Farmácia São Lucas')
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Channel Farmácia São Lucas created' })
  await sheet.waitFor()
  const token = await sheet.getByText(/^hub_ch_/).innerText()
  const link = await sheet.getByText(/\/connect\/hub_cl_/).innerText()
  await page.keyboard.press('Escape')
  assert.ok(await sheet.getByRole('button', { name: 'Done' }).isDisabled())
  await sheet.getByText('Not used yet.').waitFor()
  await sheet.getByText('expires in').waitFor()
  await assertNoBarriers(page, 'the sheet of a new channel')

  const number = await fixture.up.number()
  const code = await fixture.up.signUpCode(number.wabaId)
  const body = { code, waba_id: number.wabaId, phone_number_id: number.phoneNumberId }
  const connected = await fixture.hub.anonymous.post(`/api/v1/connect/${link.split('/').at(-1)}`, body)
  assert.equal(connected.status, 200, connected.text)
  await sheet.getByText('Used.', { exact: true }).waitFor()
  assert.equal(await sheet.getByText('expires in').count(), 0)
  assert.equal(await sheet.getByText(/\/connect\/hub_cl_/).count(), 0)
  await sheet.getByText('active').waitFor()
  await sheet.getByRole('checkbox').check()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await sheet.waitFor({ state: 'detached' })

  const row = page.getByRole('row', { name: /Farmácia São Lucas/ })
  assert.match(await row.innerText(), /active/)
  assert.ok(await page.getByRole('button', { name: 'New channel' }).isDisabled())
  assert.ok(!page.url().includes('hub_'))
  assert.ok(!(await page.content()).includes(token))
  assertNoProblems(fixture, seen)
})

test('filters are in the address, and a search without a match names how many there are without it', async (t) => {
  const fixture = await startChannels(t)
  await fixture.connect()
  await fixture.acme.post('/api/v1/channels', { name: 'Clínica Vida Plena', external_id: 'crm:8812' })
  const { page, seen } = await visitAs(fixture, fixture.ana, '/channels?status=pending')
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })

  await page.getByRole('link', { name: 'Clínica Vida Plena' }).waitFor()
  assert.equal(await rows.count(), 1)
  await page.getByRole('button', { name: 'Remove Status' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('padaria sao')
  await page.waitForURL(/q=padaria/)
  await page.getByRole('link', { name: 'Clínica Vida Plena' }).waitFor({ state: 'detached' })
  assert.equal(await rows.count(), 1)
  await page.getByRole('searchbox').fill('nothing like this')
  await page.getByText('2 channels without them.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'Clínica Vida Plena' }).waitFor()

  assert.equal(await rows.count(), 2)
  assertNoProblems(fixture, seen)
})

test('a test message shows its request, its response and every step of its way', async (t) => {
  const fixture = await startChannels(t)
  const { phoneNumberId } = await fixture.connect()
  const text = { to: phoneNumberId, type: 'text', text: { body: 'Bom dia' } }
  await fixture.up.simulator.control('POST', `/contacts/${CUSTOMER}/messages`, text)
  await fixture.wait(5)
  const { page, seen } = await visitAs(fixture, fixture.ana, `/channels/${fixture.id}?tab=test`)

  await page.getByText(/In the sandbox every number is a simulated phone/).waitFor()
  await page.getByLabel('Recipient').fill('+55 11 98765-4321')
  await page.getByText(/You can send free text until/).waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Olá do painel')
  assert.match(await page.getByRole('region', { name: 'Preview' }).innerText(), /Olá do painel/)
  await page.getByRole('button', { name: 'Send message' }).click()
  const steps = page.getByRole('list', { name: 'On its way' })
  await steps.waitFor()
  await fixture.wait(60)
  await steps
    .getByText(/\d\d:\d\d:\d\d\.\d{3}/)
    .nth(2)
    .waitFor()

  const { messages } = (await fixture.acme.get(`/api/v1/channels/${fixture.id}/messages?direction=outbound`)).body.data
  assert.equal(messages.length, 1)
  assert.match(await page.getByRole('region', { name: 'Response' }).innerText(), new RegExp(messages[0].id))
  assert.match(await page.getByRole('region', { name: 'Request' }).innerText(), /Idempotency-Key: [0-9a-f]{32}/)
  assert.ok(!page.url().includes('painel'))
  assertNoProblems(fixture, seen)
})

test('a test message goes to a group, and a marketing template by the route of its own', async (t) => {
  const fixture = await startChannels(t)
  const { up, acme, id } = fixture
  const { phoneNumberId } = await fixture.connect()
  const { group_id } = await up.simulator.control<{ group_id: string }>('POST', `/numbers/${phoneNumberId}/groups`, {
    participants: [CUSTOMER],
  })
  const components = [{ type: 'BODY', text: 'Promoção de hoje' }]
  const template = { name: 'oferta', language: 'pt_BR', category: 'MARKETING', components }
  const created = await acme.post(`/api/v1/channels/${id}/templates`, template)
  await up.simulator.control('POST', `/templates/${created.body.data.template.id}`, { status: 'APPROVED' })
  const { page, seen } = await visitAs(fixture, fixture.ana, `/channels/${id}?tab=test`)
  const request = page.getByRole('region', { name: 'Request' })

  await page.getByRole('button', { name: 'Group', exact: true }).click()
  await page.getByLabel('Id of the group').fill('..')
  await page.getByText('Enter the id of a group').waitFor()
  await page.getByLabel('Id of the group').fill(group_id)
  await page.getByLabel('Text', { exact: true }).fill('Olá a todos')
  await request.getByText(`/groups/${group_id}/messages`).waitFor()
  await assertNoBarriers(page, 'a test message to a group')
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('list', { name: 'On its way' }).waitFor()

  await page.getByRole('button', { name: 'Write another message' }).click()
  await page.getByRole('button', { name: 'Person', exact: true }).click()
  await page.getByLabel('Recipient').fill(CUSTOMER)
  await page.getByRole('button', { name: 'Template', exact: true }).click()
  await page.getByLabel('Template', { exact: true }).selectOption({ label: 'oferta · pt_BR' })
  await page.getByLabel(/Marketing Messages API/).check()
  await request.getByText('/marketing-messages').waitFor()
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('list', { name: 'On its way' }).waitFor()

  const { messages } = (await acme.get(`/api/v1/channels/${id}/messages?direction=outbound`)).body.data
  assert.deepEqual(
    messages.map(({ type, to }: { type: string; to: string }) => [type, to]),
    [
      ['template', CUSTOMER],
      ['text', group_id],
    ],
  )
  assertNoProblems(fixture, seen)
})

/** The sentences of the hub's checks that a page in Portuguese shows in English. */
async function findUntranslated({ acme }: BrowserFixture, id: string, shown: string): Promise<string[]> {
  const { checks } = (await acme.get(`/api/v1/channels/${id}/diagnostics`)).body.data.diagnostics
  const sentences: (string | null)[] = checks.flatMap((check: Check) => [check.message, check.remedy])
  return sentences.filter((sentence): sentence is string => sentence !== null && shown.includes(sentence))
}

test('the diagnostics of a revoked token offer its remedy, and say what still works', async (t) => {
  const fixture = await startChannels(t)
  const { wabaId } = await fixture.connect()
  await fixture.up.simulator.control('POST', '/tokens/revoke', { waba_id: wabaId })
  const { page, seen } = await visitAs(fixture, fixture.ana, `/channels/${fixture.id}?tab=diagnostics`, {
    locale: 'pt-BR',
  })

  const checks = page.getByRole('list', { name: 'Verificações' })
  await checks.waitFor()
  assert.match(await checks.innerText(), /O WhatsApp não aceita mais a credencial\.\s+Solução\. Crie um novo link/)
  assert.match(await page.locator('main').innerText(), /O que ainda funciona/)
  assert.match(await page.locator('main').innerText(), /Envie uma mensagem a um celular simulado/)
  assert.deepEqual(await findUntranslated(fixture, fixture.id, await checks.innerText()), [])
  await assertNoBarriers(page, 'failing diagnostics')
  await checks.getByRole('link', { name: 'Novo link de conexão' }).first().click()
  await page.getByRole('button', { name: 'Criar um link' }).click()
  await page.getByText('Público, funciona uma vez').waitFor()

  assert.match(page.url(), /tab=connect$/)
  const pending = (await fixture.acme.post('/api/v1/channels', { name: 'Pendente' })).body.data.channel.id
  await page.goto(`${fixture.origin}/channels/${pending}?tab=diagnostics`)
  await checks.waitFor()
  assert.deepEqual(await findUntranslated(fixture, pending, await checks.innerText()), [])
  assertNoProblems(fixture, seen)
})

test('a channel is deleted after its name is typed, and another organization does not see it before', async (t) => {
  const fixture = await startChannels(t)
  const path = `/channels/${fixture.id}?tab=danger`
  const other = await visitAs(fixture, await fixture.hub.person(), path)
  await other.page.getByText('The channel could not be loaded').waitFor()
  await other.page.goto(`${fixture.origin}/channels`)
  await other.page.getByText('No channels yet').waitFor()
  const { page, seen } = await visitAs(fixture, fixture.ana, path)

  await page.getByRole('button', { name: 'Delete the channel' }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: 'Delete the channel' }).isDisabled())
  await dialog.getByRole('textbox').fill('Padaria São João <Centro>')
  await page.keyboard.press('Enter')
  await page.getByText('Channel deleted.').waitFor()
  await page.getByRole('button', { name: 'Go to channels' }).click()
  await page.getByText('No channels yet').waitFor()

  assert.equal((await fixture.acme.get(`/api/v1/channels/${fixture.id}`)).status, 404)
  assertNoProblems(fixture, seen)
})

test('the palette finds a channel without its accents and opens its diagnostics', async (t) => {
  const fixture = await startChannels(t)
  const { organizationId } = fixture.acme
  const viewer = await fixture.hub.person({ organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, viewer, '/channels')
  await page.getByText('needs channels:write').waitFor()
  await page.getByText('Ctrl K', { exact: true }).waitFor()

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('joao')
  await page.getByRole('option', { name: 'Run diagnostics' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('1 of 5 checks is failing').waitFor()

  assert.match(page.url(), new RegExp(`/channels/${fixture.id}\\?tab=diagnostics`))
  assertNoProblems(fixture, seen)
})

test('a link is over when its time is, without a reload', async (t) => {
  const fixture = await startChannels(t)
  const { page } = await visitAs(fixture, fixture.ana, '/')
  await page.clock.install()
  await page.goto(`${fixture.origin}/channels/${fixture.id}?tab=connect`)

  await page.getByRole('button', { name: 'Create a link' }).click()
  await page.getByText('Not used yet.').waitFor()
  await page.clock.fastForward('25:00:00')

  await page.getByText('Expired or replaced.').waitFor()
  assert.equal(await page.getByText('expires in').count(), 0)
})

test('the summary of a channel has what an existing client needs', {
  rules: ['channel.shows-its-graph-url'],
}, async (t) => {
  const fixture = await startChannels(t)
  const { page, seen } = await visitAs(fixture, fixture.ana, `/channels/${fixture.id}`)
  const card = page
    .locator('section', { has: page.getByRole('heading', { name: 'Connect an existing client' }) })
    .last()
  await card.getByText(`${fixture.origin}/graph`, { exact: true }).waitFor()
  await card.getByText('The ids are known once a number is connected.').waitFor()

  const number = await fixture.connect()
  await card.getByText(number.phoneNumberId).waitFor()
  await card.getByText(number.wabaId).waitFor()
  assert.equal(await card.getByText('The ids are known once').count(), 0)
  await card.getByText('number:write').waitFor()
  await card.getByText('Only if you select it.').waitFor()
  await assertNoBarriers(page, 'the card for existing clients')
  await card.getByRole('link', { name: 'Go to the channel token' }).click()
  await page.getByText('Choose scopes').click()
  assert.ok(!(await page.getByRole('checkbox', { name: 'number:write' }).isChecked()))
  assert.ok(await page.getByRole('checkbox', { name: 'messages:send' }).isChecked())
  assertNoProblems(fixture, seen)
})
