import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { PASSWORD } from '../hub.ts'
import { newDirectory, startProcess } from '../journeys/processes.ts'
import { startReceiver } from '../receiver.ts'
import { assertNoProblems, openPage } from './browser.ts'
import { assertNoBarriers } from './signed-in.ts'

const QUESTION = 'Vocês ainda têm pão de queijo?'
const ANSWER = 'Temos sim, fornada de agora.'

/** A hub as `npm start` gives it, with an empty database, that may call a receiver on this machine. */
async function startEmpty(t: TestContext) {
  const receiver = await startReceiver(t)
  const { url } = await startProcess(t, {
    DATA_DIR: await newDirectory(t),
    WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination,
  })
  return { receiver, origin: url.replace('127.0.0.1', 'localhost') }
}

async function signUpFirst(page: Page): Promise<void> {
  await page.getByLabel('Name of your organization').fill('Ágora Sistemas')
  await page.getByLabel('Your name').fill('Marina Rocha')
  await page.getByLabel('E-mail').fill('marina@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

/** Closes the sheet that shows a secret once. */
async function storeSecret(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /I stored it/ }).check()
  await page.getByRole('button', { name: 'Done' }).click()
}

async function walkToLastStep(page: Page, receiverUrl: string): Promise<void> {
  await page.getByText('0 of 5 done').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Padaria Pão da Vila')
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByText(/^hub_ch_/)
    .waitFor()
  await storeSecret(page)
  await page.getByRole('button', { name: 'Connect a simulated number' }).click()
  await page.getByText('2 of 5 done').waitFor()
  await page.getByRole('button', { name: 'Create this key' }).click()
  await storeSecret(page)
  await page.getByRole('button', { name: 'Send it for me' }).click()
  await page.getByText('3 of 5 done').waitFor()
  await page.getByRole('textbox', { name: 'Address' }).fill(`${receiverUrl}/hooks`)
  await page.getByRole('button', { name: 'Add the endpoint' }).click()
  await storeSecret(page)
  await page.getByText('4 of 5 done').waitFor()
}

/** The customer asks, the answer goes by the API, and the phone reads it. */
async function talk(page: Page): Promise<void> {
  await page.getByLabel('Write as the customer').fill(QUESTION)
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText(QUESTION).waitFor()
  await page.getByRole('button', { name: 'Show the request' }).click()
  await page.getByLabel('Reply to Ana Beatriz as your code would').fill(ANSWER)
  await page.getByRole('region', { name: 'curl' }).getByText(ANSWER).waitFor()
  await page.getByRole('button', { name: 'Send by API' }).click()
  const bubble = page.getByRole('log').getByRole('listitem').filter({ hasText: ANSWER })
  await bubble.getByText('read', { exact: true }).waitFor()
}

/** Returns the customer's question, if the delivery is of their message. */
function readQuestion(body: Buffer): string | undefined {
  const { event, data } = JSON.parse(body.toString())
  return event === 'message.received' ? data.message.content.body : undefined
}

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>['cookies']

async function seeInPortuguese(t: TestContext, origin: string, cookies: Cookies): Promise<void> {
  const look = { locale: 'pt-BR', colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const
  const { page, seen } = await openPage(t, `${origin}/simulator`, { ...look, storageState: { cookies, origins: [] } })
  await page.getByRole('heading', { name: 'Fluxo de eventos' }).waitFor()
  await page.getByRole('log').getByText(QUESTION).waitFor()
  await assertNoBarriers(page, 'the simulator in Portuguese, dark, on a phone')
  await page.goto(origin)
  await page.getByText('Você está no sandbox.').waitFor()
  await assertNoBarriers(page, 'the overview in Portuguese, dark, on a phone')
  assertNoProblems({ origin }, seen)
}

/** Another organization has a phone of its own, and a checklist from the beginning. */
async function seeAsAnother(t: TestContext, origin: string): Promise<void> {
  const { page, seen } = await openPage(t, `${origin}/sign-in`)
  const account = { name: 'Bob', email: 'bob@example.com', password: PASSWORD, organization_name: 'Beta' }
  await page.request.post(`${origin}/console/sign-up`, { headers: { origin }, data: account })
  await page.goto(origin)
  await page.getByText('0 of 5 done').waitFor()
  await page.goto(`${origin}/simulator`)
  await page.getByText('No channels yet').waitFor()
  assertNoProblems({ origin }, seen)
}

test('from an empty database to a reply of a customer in the own code, by the dashboard alone', async (t) => {
  const { receiver, origin } = await startEmpty(t)
  const { page, seen } = await openPage(t, origin)

  await page.getByRole('heading', { name: 'Set up this hub' }).waitFor()
  await signUpFirst(page)
  await walkToLastStep(page, receiver.url)
  await page.getByRole('link', { name: 'Open the simulated phone' }).last().click()
  await talk(page)

  const delivery = page.getByRole('button', { name: /Delivery message\.received .*succeeded/ }).first()
  await delivery.click()
  await page.getByText('From phone to your code').waitFor()
  const outlined = page.getByRole('log').getByRole('button', { pressed: true })
  assert.equal(await outlined.count(), 1)
  assert.ok(receiver.received.some(({ body }) => readQuestion(body) === QUESTION))
  await assertNoBarriers(page, 'the simulator')

  await page.getByRole('button', { name: 'Phone offline' }).click()
  await page.getByText('The phone is offline.').waitFor()
  await page.getByRole('button', { name: 'Back to normal' }).click()
  await page.getByText('The phone is offline.').waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page.getByText('All five steps are done.').waitFor()
  assertNoProblems({ origin }, seen)

  const { cookies } = await page.context().storageState()
  await seeInPortuguese(t, origin, cookies)
  await seeAsAnother(t, origin)
})
