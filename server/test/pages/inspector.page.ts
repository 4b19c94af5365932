import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../hub.ts'
import { newDirectory, startProcess } from '../journeys/processes.ts'
import { assertNoProblems, openPage } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES

const MINUTE_PHONE = { width: 390, height: 844 }

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
}

function panel(page: Page, name = 'Receive here') {
  return page.getByRole('region', { name, exact: true })
}

test('from sign-up to the first verified webhook by clicks alone', async (t) => {
  const { url } = await startProcess(t, { DATA_DIR: await newDirectory(t) })
  const origin = url.replace('127.0.0.1', 'localhost')
  const { page, seen } = await openPage(t, origin)
  const clicked: string[] = []
  async function click(name: string): Promise<void> {
    await page.getByRole('button', { name }).click()
    clicked.push(name)
  }
  await page.getByLabel('Name of your organization').fill('Ágora Sistemas')
  await page.getByLabel('Your name').fill('Marina Rocha')
  await page.getByLabel('E-mail').fill('marina@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('0 of 5 done').waitFor()

  await click('Add a webhook endpoint')
  await click('Receive here')
  await click('Send a test event')
  await panel(page).getByText('Signature verified').waitFor()

  assert.deepEqual(clicked, ['Add a webhook endpoint', 'Receive here', 'Send a test event'])
  await page.getByText('1 of 5 done').waitFor()
  await panel(page).getByText('webhook.test').first().waitFor()
  await panel(page).getByText('attempt 1 of 10 · answered 200 in').waitFor()
  const languages = panel(page).getByRole('group', { name: 'The same check in your code' }).getByRole('button')
  assert.deepEqual(await languages.allTextContents(), ['Node', 'Python', 'PHP', 'Go', 'Java', 'C#'])
  await assertNoBarriers(page, 'the overview with an inspector')
  await takePicture(page, 'receive-first-run')
  assertNoProblems({ origin }, seen)
})

test('requests arrive live, are answered as chosen, and stay in their organization', async (t) => {
  const fixture = await startConnected(t)
  const { hub, ana, receive } = fixture
  const bob = await hub.person()
  const { page, seen } = await visitAs(fixture, ana, '/webhooks')
  const other = await visitAs(fixture, bob, '/webhooks/receive')
  await other.page.getByText('See your webhooks arrive').waitFor()

  await page.getByRole('link', { name: 'Receive here' }).click()
  await page.getByRole('button', { name: 'Receive here' }).click()
  await panel(page).getByText('No requests yet').waitFor()
  await receive('Vocês abrem no feriado?')
  await hub.deliver()
  await panel(page).getByText('Vocês abrem no feriado?').waitFor()
  await panel(page).getByText('Signature verified').waitFor()
  await takePicture(page, 'receive-light')
  await assertNoBarriers(page, 'an inspector with a message')

  await panel(page).getByRole('button', { name: '500', exact: true }).click()
  await panel(page).getByRole('button', { name: '500', exact: true, pressed: true }).waitFor()
  const tested = page.waitForResponse('**/console/inspector/test')
  await panel(page).getByRole('button', { name: 'Send a test event' }).click()
  await tested
  await hub.deliver()
  await panel(page).getByText('answered 500 in').waitFor()
  await panel(page).getByText('next attempt').waitFor()
  await hub.clock.advance('6 seconds')
  await hub.deliver()
  await panel(page).getByText('attempt 2 of 10').waitFor()

  for (let failures = 2; failures < 20; failures++) {
    await receive(`Oi ${failures}`)
    await hub.deliver()
    await hub.clock.advance('20 seconds')
  }
  await panel(page).getByText('Paused after 20 failures in a row.').waitFor()
  await panel(page).getByText('resume it first').waitFor()
  await panel(page).getByRole('button', { name: 'Answer 200 and resume' }).click()
  await panel(page).getByText('Paused after 20 failures in a row.').waitFor({ state: 'detached' })

  const look = { locale: 'pt-BR', colorScheme: 'dark', viewport: MINUTE_PHONE } as const
  const portuguese = await visitAs(fixture, ana, '/webhooks/receive', look)
  await panel(portuguese.page, 'Receber aqui').getByText('Assinatura conferida').waitFor()
  await takePicture(portuguese.page, 'receive-dark-phone')
  await assertNoBarriers(portuguese.page, 'an inspector in Portuguese, dark, on a phone')

  await other.page.reload()
  await other.page.getByText('See your webhooks arrive').waitFor()
  assert.equal(await other.page.getByText('message.received').count(), 0)

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
  await page.getByRole('link', { name: 'Receive here' }).click()
  await page.getByText('See your webhooks arrive').waitFor()
  for (const one of [seen, other.seen, portuguese.seen]) assertNoProblems(fixture, one)
})

test('an address on the own machine is refused with three ways on', async (t) => {
  const { url } = await startProcess(t, { DATA_DIR: await newDirectory(t) })
  const origin = url.replace('127.0.0.1', 'localhost')
  const { page, seen } = await openPage(t, `${origin}/sign-in`)
  const account = { name: 'Ana', email: 'ana@example.com', password: PASSWORD, organization_name: 'Acme' }
  await page.request.post(`${origin}/console/sign-up`, { headers: { origin }, data: account })
  await page.goto(origin)

  await page.getByRole('button', { name: 'Add a webhook endpoint' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill('http://localhost:3000/hook')
  await page.getByRole('button', { name: 'Add the endpoint' }).click()
  await page.getByText('The hub sends to public https addresses, and this one is on your machine or network.').waitFor()
  await page.getByText('WEBHOOK_ALLOWED_DESTINATIONS=localhost:3000', { exact: true }).waitFor()
  await takePicture(page, 'local-address')
  await assertNoBarriers(page, 'a refused local address')
  await page.getByRole('button', { name: 'Copy the listen command' }).waitFor()
  await page.getByRole('button', { name: 'Create this key' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^hub_pk_/)
    .waitFor()
  await page.getByRole('checkbox', { name: /I stored it/ }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Receive here' }).click()
  await panel(page).getByText('No requests yet').waitFor()

  const keys = await page.request.get(`${origin}/api/v1/api-keys`)
  const [key] = (await keys.json()).data.api_keys
  assert.deepEqual([key.name, key.scopes.toSorted()], ['listen', ['messages:read', 'webhooks:write']])
  assertNoProblems({ origin }, seen)
})
