import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBrowserFixture } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** A hub on a network without https: its pages have no clipboard of their own. The test sees what they copy. */
const WITHOUT_CLIPBOARD = `
  Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })
  addEventListener('copy', () => { document.documentElement.dataset.copied = getSelection().toString() }, true)
`

async function startOwned(t: Parameters<typeof startBrowserFixture>[0]) {
  const fixture = await startBrowserFixture(t)
  return { ...fixture, ana: await fixture.hub.person({ organizationId: fixture.acme.organizationId, role: 'owner' }) }
}

test('a search keeps what is typed while its result comes, with the space at its end', async (t) => {
  const fixture = await startOwned(t)
  const { page } = await visitAs(fixture, fixture.ana, '/channels')
  const box = page.getByRole('searchbox')

  await box.pressSequentially('São ')
  await page.waitForURL(/q=S/)
  await box.pressSequentially('João')
  await page.waitForURL(/Jo%C3%A3o/)

  assert.equal(await box.inputValue(), 'São João')
  await box.fill('Farmácia')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: /Padaria São João/ }).waitFor()
  assert.equal(await box.inputValue(), '')
})

test('a secret is copied without https, and no key leads away from it before it is stored', async (t) => {
  const fixture = await startOwned(t)
  const { page } = await visitAs(fixture, fixture.ana, '/')
  await page.addInitScript(WITHOUT_CLIPBOARD)
  await page.goto(`${fixture.origin}/api-keys?dialog=create`)
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Key ci' })
  const secret = await sheet.locator('code').first().innerText()

  await sheet.getByRole('button', { name: 'Copy', exact: true }).click()
  await sheet.getByText('Copied').and(page.locator(':not(.invisible)')).first().waitFor()
  assert.equal(await page.locator('html').getAttribute('data-copied'), secret)
  await sheet.getByRole('button', { name: 'Copied' }).and(page.locator(':focus')).waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  assert.equal(await page.getByRole('combobox').count(), 0)
  assert.equal(await sheet.locator('code').first().innerText(), secret)
})

test('the way back asks before a secret that is not stored is lost', async (t) => {
  const fixture = await startOwned(t)
  const { page } = await visitAs(fixture, fixture.ana, '/webhooks', { locale: 'pt-BR' })
  await page.getByRole('link', { name: 'Chaves de API' }).first().click()
  await page.waitForURL('**/api-keys')
  async function createKey(name: string) {
    await page.getByRole('button', { name: 'Nova chave' }).first().click()
    await page.getByLabel('Nome', { exact: true }).fill(name)
    await page.keyboard.press('Enter')
    return page.getByRole('dialog', { name: `Chave ${name}` })
  }

  const sheet = await createKey('ci')
  const secret = await sheet.locator('code').first().innerText()
  await page.evaluate('history.back()')
  await sheet.getByRole('alert').getByText('Ainda não foi guardado.').waitFor()
  await assertNoBarriers(page, 'the question before leaving')
  await sheet.getByRole('button', { name: 'Ficar' }).click()
  await sheet.getByRole('alert').waitFor({ state: 'detached' })
  assert.equal(await sheet.locator('code').first().innerText(), secret)
  assert.equal(new URL(page.url()).pathname, '/api-keys')
  await sheet.getByRole('checkbox').check()
  await sheet.getByRole('button', { name: 'Concluir' }).click()
  await sheet.waitFor({ state: 'detached' })

  const other = await createKey('cd')
  await other.locator('code').first().waitFor()
  await page.evaluate('history.back()')
  await other.getByRole('button', { name: 'Sair sem guardar' }).click()
  await other.waitFor({ state: 'detached' })
})

test('the arrow keys scroll the palette to what they choose', async (t) => {
  const fixture = await startOwned(t)
  const { page } = await visitAs(fixture, fixture.ana, '/channels', { viewport: { width: 1200, height: 420 } })
  await page.getByRole('link', { name: /Padaria São João/ }).waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.press('ArrowUp')

  const chosen = page.getByRole('option', { selected: true })
  await chosen.and(page.getByRole('option').last()).waitFor()
  const [list, option] = [await page.getByRole('listbox').boundingBox(), await chosen.boundingBox()]
  assert.ok(list && option && option.y + option.height <= list.y + list.height)
})

test('an unknown address has a page with a way back, and names that people try lead to the page that they mean', async (t) => {
  const fixture = await startConnected(t)
  const { page } = await visitAs(fixture, fixture.ana, '/nowhere/at-all')

  await page.getByText('Page not found').waitFor()
  await assertNoBarriers(page, 'an unknown address')
  await page.getByRole('main').getByRole('link', { name: 'Overview' }).click()
  await page.waitForURL(`${fixture.origin}/`)
  await page.goto(`${fixture.origin}/billing`)
  await page.waitForURL(`${fixture.origin}/usage`)
  await page.goto(`${fixture.origin}/audit`)
  await page.waitForURL(`${fixture.origin}/audit-log`)
})

test('a list stays when it cannot be loaded again', async (t) => {
  const fixture = await startOwned(t)
  const { page } = await visitAs(fixture, fixture.ana, '/channels')
  await page.getByRole('link', { name: /Padaria São João/ }).waitFor()
  await page.route('**/api/v1/channels', (route) => route.fulfill({ status: 403, json: {} }))

  const answered = page.waitForResponse('**/api/v1/channels')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await answered
  await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))')

  assert.equal(await page.getByRole('alert').count(), 0)
  await page.getByRole('link', { name: /Padaria São João/ }).waitFor()
})

test('a key of the browser is no key of the dashboard, and Escape leaves the search before the drawer', async (t) => {
  const fixture = await startConnected(t)
  await fixture.receive()
  const { page } = await visitAs(fixture, fixture.ana, '/messages')
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
  await page.locator('[data-row] a').first().click()
  const drawer = page.getByRole('complementary', { name: 'Messages' })
  await drawer.waitFor()

  await page.keyboard.press('/')
  await page.getByRole('searchbox').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').and(page.locator(':not(:focus)')).waitFor()
  assert.equal(await drawer.count(), 1)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })

  await page.keyboard.press('g')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  await page.waitForURL('**/webhooks')
  assert.ok(!visited.includes('/channels'))
})
