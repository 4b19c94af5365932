import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertNoProblems, untilTrue } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'
import { startUnsteadyReceiver } from './unsteady-receiver.ts'

const OVERLOADED = { status: 500, headers: { 'content-type': 'application/json' }, body: '{"error":"pool_exhausted"}' }
const FINE = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"received":true}' }
/** Past the wait after each of the ten attempts. */
const WAITS = [
  '6 seconds',
  '67 seconds',
  '6 minutes',
  '34 minutes',
  '3 hours',
  '7 hours',
  '14 hours',
  '27 hours',
  '53 hours',
]
const TABS_MAX = 60

async function startStory(t: TestContext) {
  const receiver = await startUnsteadyReceiver(t)
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' }
  const fixture = await startConnected(t, env)

  /** Moves the clock of the hub and of a person's browser, and makes the attempts that are due then. */
  async function passTime(text: string, page: Page): Promise<void> {
    await fixture.hub.clock.advance(text)
    await page.clock.setSystemTime(fixture.hub.clock.now())
    await fixture.hub.deliver()
  }
  return { ...fixture, fixture, receiver, passTime }
}

/** Moves the focus with the keyboard until it is on what has this name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = typeof name === 'string' ? new RegExp(`^${name}$`) : name
  const passed: string[] = []
  while (passed.length < TABS_MAX) {
    await page.keyboard.press('Tab')
    const focused = String(await page.evaluate(FOCUSED_NAME))
    if (wanted.test(focused)) return
    passed.push(focused)
  }
  assert.fail(`Nothing with the name ${name} gets the focus: ${passed.join(', ')}`)
}

/** The page itself, which has the focus between the last element and the first, has no name. */
const FOCUSED_NAME = `(({ tagName, ariaLabel, labels, innerText }) =>
  tagName === 'BODY' ? '' : (ariaLabel ?? labels?.[0]?.innerText ?? innerText).trim())(document.activeElement)`
const FOCUS_IS_IN_PANE = `document.activeElement.closest('aside') !== null`

/** Notes whether any of these words ever stands on the page. */
async function watchFor(page: Page, words: readonly string[]): Promise<() => Promise<boolean>> {
  await page.evaluate(`{
    const words = ${JSON.stringify(words)}
    window.hasLeaked = false
    const look = () => { window.hasLeaked ||= words.some((word) => document.body.innerText.includes(word)) }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  }`)
  return async () => (await page.evaluate('window.hasLeaked')) === true
}

/** Adds the endpoint with the keyboard alone, and returns the secret that is shown once. */
async function addEndpoint(page: Page, url: string): Promise<string> {
  await page.getByText('No endpoints yet').waitFor()
  await tabTo(page, 'Add endpoint')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Name')
  await page.keyboard.type('crm-bella')
  await tabTo(page, 'Address')
  await page.keyboard.type(url)
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Secret of crm-bella' })
  const secret = await sheet.locator('code').first().innerText()
  await tabTo(page, /I stored it/)
  await page.keyboard.press('Space')
  await tabTo(page, 'Done')
  await page.keyboard.press('Enter')
  await sheet.waitFor({ state: 'hidden' })
  return secret
}

function slots(page: Page, label = 'Attempts, past and planned') {
  return page.getByRole('list', { name: label }).getByRole('listitem')
}

test('a receiver fails in three ways, is restored, and every step is seen live, with the keyboard alone', {
  timeout: 240_000,
}, async (t) => {
  const { fixture, hub, receiver, ana, receive, passTime } = await startStory(t)
  const bob = await hub.person()
  const { page, seen } = await visitAs(fixture, ana, '/')
  const other = await visitAs(fixture, bob, '/webhooks')
  await other.page.getByText('No endpoints yet').waitFor()
  const hasLeaked = await watchFor(other.page, ['crm-bella', 'message.received', receiver.destination])

  await page.getByRole('link', { name: 'Webhooks' }).first().waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  const secret = await addEndpoint(page, `http://${receiver.destination}/hook`)
  await page.getByText('No deliveries yet').waitFor()

  receiver.answer(OVERLOADED)
  await receive('Tem horário para corte amanhã?')
  await page.getByRole('row', { name: /message\.received/ }).waitFor()
  await hub.deliver()
  await page.getByRole('row', { name: /message\.received.*retry/ }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const pane = page.getByRole('complementary')
  await pane.getByText(/Attempt 2 of 10 (?:in|any)/).waitFor()
  assert.equal(await slots(page).getByRole('button').count(), 1)
  assert.equal(await slots(page).count(), 10)
  await pane.getByText('HTTP_500', { exact: true }).waitFor()
  await pane.getByText('to 127.0.0.1').waitFor()
  await tabTo(page, 'Show the response')
  await page.keyboard.press('Enter')
  await pane.getByText('"pool_exhausted"').waitFor()
  await untilTrue(page, FOCUS_IS_IN_PANE)
  await pane.getByText('available once the delivery has ended').waitFor()
  await page.keyboard.press('r')
  await assertNoBarriers(page, 'a delivery that is retried')

  receiver.answer('silence')
  await passTime(WAITS[0]!, page)
  await slots(page)
    .getByText(/Attempt 2, TIMEOUT/)
    .waitFor({ state: 'attached' })
  await pane.getByText('No complete response within ten seconds.').waitFor()
  await pane.getByText(/10\ss of the 10\ss allowed/).waitFor()

  await receiver.stop()
  await passTime(WAITS[1]!, page)
  await pane.getByText('CONNECTION_FAILED', { exact: true }).waitFor()
  await pane.getByText('The connection was refused or interrupted.').waitFor()
  await pane.getByText('No response.').waitFor()
  await page.getByText('3 of 20, then paused').waitFor()

  await tabTo(page, /Attempt 1, HTTP_500/)
  await page.keyboard.press('Enter')
  await pane.getByText('HTTP_500', { exact: true }).waitFor()
  assert.match(page.url(), /attempt=1/)
  assert.equal(await slots(page).getByRole('button').count(), 3)

  const portuguese = await visitAs(fixture, ana, new URL(page.url()).pathname + new URL(page.url()).search, {
    locale: 'pt-BR',
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  })
  await portuguese.page.getByText(/Tentativa 4 de 10 (?:em|a)/).waitFor()
  await portuguese.page.getByText('disponível quando a entrega terminar').waitFor()
  assert.equal(await slots(portuguese.page, 'Tentativas, feitas e planejadas').getByRole('button').count(), 3)
  await assertNoBarriers(portuguese.page, 'the inspector in Portuguese, dark, on a phone')

  await receiver.start()
  receiver.answer(FINE)
  await passTime(WAITS[2]!, page)
  await pane.getByText('Delivered with attempt 4').waitFor()
  await portuguese.page.getByText('Entregue na tentativa 4').waitFor()
  assert.equal(await slots(page).getByRole('button').count(), 4)
  await page.getByText('0 of 20, then paused').waitFor()
  await assertNoBarriers(page, 'a delivery that arrived')

  await page.keyboard.press('r')
  await pane.getByText('Waiting for its first attempt').waitFor()
  await hub.deliver()
  await pane.getByText('Delivered with attempt 1').waitFor()
  await pane.getByRole('button', { name: /^Replay of/ }).waitFor()
  assert.equal(receiver.count(), 4)

  await tabTo(page, 'Show the body')
  await page.keyboard.press('Enter')
  await pane.getByText('"message.received"').waitFor()
  await tabTo(page, 'Check the signature')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Signature tester' }).waitFor()
  await tabTo(page, 'Secret of the endpoint')
  await page.keyboard.type(secret)
  await page.getByText('The signature is valid.').waitFor()
  assert.ok(!page.url().includes(secret))
  await page.goBack()
  await pane.getByText('Delivered with attempt 1').waitFor()
  await page.keyboard.press('Escape')
  await pane.waitFor({ state: 'hidden' })

  assert.equal(await hasLeaked(), false)
  const own = { name: 'own-endpoint', url: `http://${receiver.destination}/own` }
  assert.equal((await bob.with({ origin: fixture.origin }).post('/api/v1/webhooks', own)).status, 201)
  await other.page.getByText('own-endpoint').waitFor()
  await other.page.goto(page.url())
  await other.page.getByText('The endpoint could not be loaded').waitFor()
  assert.equal(await other.page.getByText('crm-bella').count(), 0)
  for (const one of [seen, other.seen, portuguese.seen]) assertNoProblems(fixture, one)
})

test('dead deliveries are recovered for the week in which they were sent', async (t) => {
  const { fixture, hub, receiver, acme, ana, receive, passTime } = await startStory(t)
  const url = `http://${receiver.destination}/hook`
  const { id } = (await acme.post('/api/v1/webhooks', { name: 'crm-bella', url })).body.data.webhook
  receiver.answer(OVERLOADED)
  await receive('Meu pedido não chegou')
  const { page, seen } = await visitAs(fixture, ana, `/webhooks/${id}`)
  await page.getByRole('row', { name: /message\.received/ }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')

  await hub.deliver()
  for (const wait of WAITS) await passTime(wait, page)
  await page.getByText('All 10 attempts failed').waitFor()
  assert.equal(await slots(page).getByRole('button').count(), 10)
  assert.equal(receiver.count(), 10)
  await page.keyboard.press('Escape')

  receiver.answer(FINE)
  await tabTo(page, 'More')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Recover' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('No deliveries to recover in this period.').waitFor()
  await tabTo(page, 'Created since')
  await page.keyboard.press('ArrowDown')
  await page.getByText('1 delivery will be sent again.').waitFor()
  await assertNoBarriers(page, 'the recovery')
  await tabTo(page, /^Send 1 delivery again/)
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /pending/ }).waitFor()
  await hub.deliver()

  await page.getByRole('row', { name: /message\.received.*succeeded/ }).waitFor()
  assert.equal(receiver.count(), 11)
  assertNoProblems(fixture, seen)
})
