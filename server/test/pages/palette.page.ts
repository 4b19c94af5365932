import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createChannel } from '../hub-with-upstream.ts'
import { startReceiver } from '../receiver.ts'
import { connectWithToken } from '../relay.ts'
import { assertNoProblems, searchPalette } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** More than are read at once. */
const ACCOUNTS = 7
/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
const WIDE = { viewport: { width: 1440, height: 900 } }

/** An organization of whose things several have `ped` in the name. One of its two endpoints is paused. */
async function startNamed(t: TestContext) {
  const receiver = await startReceiver(t)
  const fixture = await startConnected(t, { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination })
  const { hub, acme, ana, id, origin } = fixture
  const console = ana.with({ origin })
  const create = async (name: string) =>
    (await acme.post('/api/v1/webhooks', { name, url: `${receiver.url}/${name}` })).body.data.webhook.id as string
  const [paused, active] = [await create('erp-pedidos'), await create('crm')]
  assert.equal((await console.patch(`/api/v1/webhooks/${paused}`, { status: 'paused' })).status, 200)
  await fixture.receive()
  const body = { type: 'BODY', text: 'Seu pedido saiu para entrega.' }
  const template = { name: 'pedido_saiu', language: 'pt_BR', category: 'UTILITY', components: [body] }
  assert.equal((await acme.post(`/api/v1/channels/${id}/templates`, template)).status, 201)
  const key = { name: 'ERP Pedidos, production', scopes: ['messages:send'] }
  assert.equal((await console.post('/api/v1/api-keys', key)).status, 201)
  await acme.patch(`/api/v1/channels/${id}`, { name: 'Pedidos Já' })
  return { ...fixture, paused, active, hub }
}

const waitUntilClosed = (page: Page) => page.getByRole('combobox').waitFor({ state: 'detached' })

const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

test('the palette finds things of every kind with their state, and resumes an endpoint with Enter', async (t) => {
  const fixture = await startNamed(t)
  const { acme, ana, paused } = fixture
  const { page, seen } = await visitAs(fixture, ana, '/', { ...WIDE, colorScheme: 'dark' })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await searchPalette(page, 'ped')
  await option(page, /pedido_saiu pt_BR · utility · Pedidos Já (approved|pending)/).waitFor()
  await option(page, /Resume erp-pedidos paused .* · 1 event not sent/).waitFor()
  await option(page, /ERP Pedidos, production hub_pk_….* 1 scope active/).waitFor()
  await option(page, /Find “ped” in the message log/).waitFor()
  const groups = await page.getByRole('listbox').locator('p[role=presentation]').allInnerTexts()
  assert.deepEqual(groups.slice(0, 2), ['Actions', 'Channels'])
  assert.deepEqual(groups.slice(-4), ['Webhooks', 'Templates', 'Members and keys', 'Messages'])
  await option(page, /Send test to erp-pedidos resume it first/)
    .and(page.locator('[aria-disabled=true]'))
    .waitFor()
  await assertNoBarriers(page, 'the palette')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/palette-ped.png` })
  assert.match(await page.getByRole('option', { selected: true }).innerText(), /Resume erp-pedidos/)
  await page.keyboard.press('Enter')
  await page.getByText('erp-pedidos is active again.').waitFor()
  await waitUntilClosed(page)
  assert.equal((await acme.get(`/api/v1/webhooks/${paused}`)).body.data.webhook.status, 'active')

  await searchPalette(page, 'ana')
  await option(page, /Ana .*@.* Owner/)
    .first()
    .waitFor()
  await searchPalette(page, 'nothing-like-it')
  await page.getByText('No results for “nothing-like-it”.').or(option(page, /Find/)).first().waitFor()
  assertNoProblems(fixture, seen)
})

test('the palette finds the templates of every account', async (t) => {
  const fixture = await startConnected(t, { BILLING: 'off' })
  const { acme, up, ana } = fixture
  const components = [{ type: 'BODY', text: 'Seu pedido saiu para entrega.' }]
  for (let made = 0; made < ACCOUNTS; made++) {
    const { id } = await createChannel(acme, { name: `Loja ${made}` })
    assert.equal((await connectWithToken(acme, id, await up.number())).status, 200)
    const template = { name: `pedido_da_loja_${made}`, language: 'pt_BR', category: 'UTILITY', components }
    assert.equal((await acme.post(`/api/v1/channels/${id}/templates`, template)).status, 201)
  }
  const { page, seen } = await visitAs(fixture, ana, '/', WIDE)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await searchPalette(page, 'pedido_da_loja_6')
  await option(page, /^pedido_da_loja_6/).waitFor()
  assertNoProblems(fixture, seen)
})

test('the palette sends a test, makes a connect link, and finds a name in the message log', async (t) => {
  const fixture = await startNamed(t)
  const { ana, id, active } = fixture
  const { page, seen } = await visitAs(fixture, ana, '/', WIDE)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await searchPalette(page, 'send test to crm')
  await option(page, 'Send test to crm').and(page.locator('[aria-selected=true]')).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/webhooks/${active}\\?open=`))
  await page.getByRole('heading', { name: 'webhook.test' }).waitFor()

  // A name alone opens the thing: a link would end those that exist.
  await searchPalette(page, 'pedidos já')
  await option(page, /New connect link for Pedidos Já replaces earlier links/).waitFor()
  assert.match(await page.getByRole('option', { selected: true }).innerText(), /^Pedidos Já/)
  await option(page, /New connect link for Pedidos Já/).click()
  await page.waitForURL(`**/channels/${id}?tab=connect`)
  await page.getByText('Not used yet.').waitFor()

  await searchPalette(page, 'pedidos já')
  await option(page, /^Pedidos Já/)
    .and(page.locator('[aria-selected=true]'))
    .waitFor()
  await page.keyboard.press('Tab')
  await option(page, 'Messages of this channel').waitFor()
  await option(page, 'Run diagnostics').and(page.locator('[aria-selected=false]')).waitFor()
  await page.keyboard.press('Escape')
  await option(page, /New connect link for/).waitFor()

  await searchPalette(page, 'bruno')
  await option(page, /Find “bruno” in the message log/).waitFor()
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.waitForURL('**/messages?name=bruno')
  await page.locator('[data-row]').first().waitFor()
  assertNoProblems(fixture, seen)
})

test('the palette changes theme and language and signs out after >, and never deletes', async (t) => {
  const fixture = await startNamed(t)
  const { page, seen } = await visitAs(fixture, fixture.ana, '/channels', WIDE)
  await page.getByRole('link', { name: /Pedidos Já/ }).waitFor()

  await searchPalette(page, '>')
  assert.deepEqual(
    await page.getByRole('option').evaluateAll((all) => all.map((one) => one.children[1]?.textContent)),
    [
      'Theme: Match system',
      'Theme: Light',
      'Theme: Dark',
      'Language: English',
      'Language: Português',
      'Language: Español',
      'Sign out',
    ],
  )
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/palette-commands.png` })
  await searchPalette(page, '> dark')
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme=dark]').waitFor()
  await waitUntilClosed(page)
  await searchPalette(page, 'delete')
  await page.getByRole('option').first().waitFor()
  for (const text of await page.getByRole('option').allInnerTexts()) assert.match(text, /^Find “delete”/)
  await searchPalette(page, '>português')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Canais' }).waitFor()
  await waitUntilClosed(page)
  await searchPalette(page, 'erp')
  await option(page, /Retomar erp-pedidos/).waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/palette-pt.png` })
  await searchPalette(page, '>sair')
  await option(page, 'Sair').click()
  await page.waitForURL('**/sign-in*')
  assertNoProblems(fixture, seen)
})

test('a viewer sees the actions of the palette with the scope that they need', async (t) => {
  const fixture = await startNamed(t)
  const viewer = await fixture.hub.person({ organizationId: fixture.acme.organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, viewer, '/', { viewport: { width: 390, height: 844 }, locale: 'en' })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await searchPalette(page, 'ped')
  await option(page, /Resume erp-pedidos needs webhooks:write/).waitFor()
  await option(page, /New connect link for Pedidos Já needs channels:write/).waitFor()
  assert.match(await page.getByRole('option', { selected: true }).innerText(), /^Pedidos Já/)
  await option(page, /Resume erp-pedidos/).click({ force: true })
  await page.getByRole('combobox').waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/palette-phone.png` })
  await assertNoBarriers(page, 'the palette of a viewer')
  const { webhook } = (await fixture.acme.get(`/api/v1/webhooks/${fixture.paused}`)).body.data
  assert.equal(webhook.status, 'paused')
  assertNoProblems(fixture, seen)
})
