import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createChannel } from '../hub-with-upstream.ts'
import { assertNoProblems, startBrowserFixture } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const WIDE = { viewport: { width: 1440, height: 900 } }

/** The values in examples that are marked as the reader's own. */
const listMarked = (page: Page) => page.locator('main pre mark').allInnerTexts()
/** Resolves once the page has scrolled to the heading. */
const waitInView = (page: Page, heading: string) =>
  page.evaluate(`new Promise((resolve) => {
    const top = () => document.getElementById('section-${heading}')?.getBoundingClientRect().top
    const look = () => (top() >= 0 && top() < innerHeight ? resolve() : requestAnimationFrame(look))
    look()
  })`)
/** Lets a test see what the page copies. */
const WATCH_CLIPBOARD = `Object.defineProperty(Navigator.prototype, 'clipboard', {
  get: () => ({ writeText: async (text) => { document.documentElement.dataset.copied = text } }),
})`

test('a reader chooses a channel once, and every example has its ids and a variable in place of the key', {
  rules: ['docs.examples-have-own-ids', 'docs.key-is-a-placeholder'],
}, async (t) => {
  const fixture = await startConnected(t)
  const { acme, ana, id: connectedId } = fixture
  const { id: otherId } = await createChannel(acme, { name: 'Farmácia São Lucas' })
  const { page, seen } = await visitAs(fixture, ana, '/docs/messages', WIDE)

  await page.getByRole('button', { name: 'Padaria São João' }).waitFor()
  assert.deepEqual([...new Set(await listMarked(page))], [connectedId])
  await page.getByRole('button', { name: 'Padaria São João' }).click()
  await page.getByRole('menuitemradio', { name: 'Farmácia São Lucas' }).click()
  await page.getByRole('button', { name: 'Farmácia São Lucas' }).waitFor()
  assert.deepEqual([...new Set(await listMarked(page))], [otherId])
  await page.getByText('Filled in from your organization').first().waitFor()
  await page.evaluate(WATCH_CLIPBOARD)
  await page.getByRole('article').getByRole('button', { name: 'Copy' }).nth(1).click()
  const copied = (await page.locator('html').getAttribute('data-copied')) ?? ''
  assert.match(copied, new RegExp(`^curl -s ${fixture.origin}/api/v1/channels/${otherId}/messages `))
  assert.match(copied, /Bearer \$HUBLINE_KEY/)

  await page.getByRole('complementary', { name: 'API reference' }).getByRole('link', { name: 'Open' }).click()
  await page.waitForURL('**/docs/reference/sendMessage')
  await page.getByRole('heading', { name: 'Send a message', level: 1 }).waitFor()
  assert.deepEqual(await listMarked(page), [otherId])
  await page.getByRole('button', { name: 'TypeScript' }).click()
  await page.getByText('hub.messages.send').waitFor()
  assert.deepEqual(await listMarked(page), [otherId])
  await page.reload()
  await page.getByRole('heading', { name: 'Send a message', level: 1 }).waitFor()
  await page.getByText(otherId).waitFor()

  await page.getByRole('link', { name: 'Create a key' }).click()
  await page.getByRole('dialog', { name: 'New API key' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'API', exact: true }).click()
  await page.getByRole('link', { name: 'Open in the reference' }).click()
  await page.waitForURL('**/docs/reference/listApiKeys')
  assertNoProblems(fixture, seen)
})

test('anybody reads the guides and the reference, with placeholders', {
  rules: ['api.openapi-and-docs-are-public'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page, seen } = await fixture.visit('/docs', WIDE)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))

  await page.getByRole('heading', { name: 'Quick start', level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Messages', exact: true }).click()
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor()
  const article = await page.getByRole('article').innerText()
  await assertNoBarriers(page, 'a guide without a session')
  await page.getByRole('link', { name: /operations and events/ }).click()
  await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor()
  await assertNoBarriers(page, 'the reference without a session')

  assert.match(article, /Examples use\s+\{channel_id\}/)
  assert.ok(article.includes(`${fixture.origin}/api/v1/channels/{channel_id}/messages`))
  assert.deepEqual(await listMarked(page), [])
  assert.equal(await page.getByRole('navigation', { name: 'Main' }).count(), 0)
  const others = asked.filter((path) => !path.startsWith('/assets/'))
  assert.ok(others.length <= 1 && others.every((path) => path === '/console/session'), others.join(' '))
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL('**/sign-in**')
  assertNoProblems(fixture, seen)
})

test('the keyboard alone searches and opens a heading, in the language of the reader where the guide exists in it', {
  rules: ['docs.search-needs-no-server', 'docs.places-have-addresses'],
}, async (t) => {
  const fixture = await startConnected(t)
  const { page, seen } = await visitAs(fixture, fixture.ana, '/docs', { ...WIDE, locale: 'es-MX', colorScheme: 'dark' })
  const asked: string[] = []
  await page.getByRole('heading', { name: 'Primeros pasos', level: 1 }).waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type('primer envio')
  const results = page.getByRole('listbox', { name: 'Resultados' })
  await results.getByRole('option').first().waitFor()
  await assertNoBarriers(page, 'the results of a search')
  page.on('request', (request) => asked.push(request.url()))
  assert.match(await results.getByRole('option').first().innerText(), /^6\. El primer envío\s+Primeros pasos/)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => decodeURIComponent(url.href).endsWith('/docs/quick-start#6-el-primer-envío'))
  await waitInView(page, '6-el-primer-envío')

  await page.keyboard.press('/')
  await page.keyboard.type('SEND_RESULT_UNKNOWN')
  await results.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  assert.equal(await results.getByRole('option', { selected: true }).count(), 1)
  await page.getByRole('combobox').fill('zzzz qqqq')
  await page.getByText('Sin resultados para “zzzz qqqq”').waitFor()
  await assertNoBarriers(page, 'a search without results')
  await page.keyboard.press('Escape')
  await page.getByText('Sin resultados').waitFor({ state: 'detached' })
  for (const url of asked) assert.doesNotMatch(decodeURIComponent(url), /zzzz|RESULT_UNKNOWN/)
  assertNoProblems(fixture, seen)
})

test('each guide, heading and operation has an address, and a former one leads to its operation', {
  rules: ['docs.places-have-addresses'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page, seen } = await fixture.visit('/docs/messages#sending-once', WIDE)

  await waitInView(page, 'sending-once')
  await page.getByRole('link', { name: 'another template' }).click()
  await page.waitForURL('**/docs/messages#templates-that-cannot-be-sent')
  await page.goto(`${fixture.origin}/docs#/API%20keys/createApiKey`)
  await page.waitForURL('**/docs/reference/createApiKey')
  await page.getByRole('heading', { name: 'Create a scoped key', level: 1 }).waitFor()
  await page.goto(`${fixture.origin}/docs/quick-start?language=pt-BR`)
  await page.getByRole('heading', { name: 'Primeiros passos', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Español' }).click()
  await page.waitForURL('**/docs/quick-start?language=es')
  await page.getByRole('heading', { name: 'Primeros pasos', level: 1 }).waitFor()
  assert.equal(await page.getByRole('article').getAttribute('lang'), 'es')
  await page.goto(`${fixture.origin}/docs/messages?language=es`)
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor()
  for (const [path, text] of [
    ['/docs/nothing', 'There is no guide at this address'],
    ['/docs/reference/nothing', 'This hub has no such operation'],
  ]) {
    await page.goto(fixture.origin + path)
    await page.getByText(text ?? '').waitFor()
  }
  assertNoProblems(fixture, seen)
})

test('on a phone the list of guides opens and closes, and an operation shows its schema, errors and example', async (t) => {
  const fixture = await startConnected(t)
  const { page, seen } = await visitAs(fixture, fixture.ana, '/docs/webhooks', { ...PHONE, locale: 'pt-BR' })

  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Todos os guias' }).click()
  await page.getByRole('link', { name: 'Channels', exact: true }).click()
  await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Todos os guias' }).waitFor()
  await page
    .getByRole('link', { name: /POST .*connect-link/ })
    .first()
    .click()
  await page.waitForURL('**/docs/reference/createConnectLink')
  await page.goto(`${fixture.origin}/docs/reference/createWebhook`)
  await page.getByRole('heading', { name: 'Corpo' }).waitFor()
  await page.getByText('event_types').first().waitFor()
  await page.getByText('QUOTA_EXCEEDED').first().waitFor()
  await page.getByRole('heading', { name: 'Exemplo de resposta' }).waitFor()
  await assertNoBarriers(page, 'an operation on a phone')
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.equal(overflow, 0)
  assertNoProblems(fixture, seen)
})
