import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startReceiver } from '../receiver.ts'
import { assertNoProblems, untilCount, untilTrue } from './browser.ts'
import { BRUNO, startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the page, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
const NODES_MAX = 1500
const PEOPLE = 60
const MESSAGES = 240
const OTHERS = 20

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` })
}

function countNodes(page: Page): Promise<number> {
  return page.evaluate<number>('document.querySelectorAll("*").length')
}

/** A channel to which many people have written, one of them very much. */
async function startBusy(t: TestContext) {
  const receiver = await startReceiver(t)
  const fixture = await startConnected(t, { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination })
  const { acme, hub, up, id } = fixture
  await acme.post('/api/v1/webhooks', { name: 'crm', url: `${receiver.url}/hook` })
  const { phone_number_id } = (await acme.get(`/api/v1/channels/${id}`)).body.data.channel
  async function write(phone: string, name: string, body: string): Promise<void> {
    const path = `/numbers/${phone_number_id}/customers/${phone}`
    await up.simulator.control('PUT', path, { name })
    await up.simulator.control('POST', `${path}/messages`, { type: 'text', text: { body } })
  }
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    phone: String(5_511_955_510_000 + n),
    name: `Pessoa ${n}`,
  }))
  for (const { phone, name } of people) await write(phone, name, 'Oi')
  for (let n = 1; n <= MESSAGES; n += 1) await write(BRUNO.phone, BRUNO.name, `Mensagem ${n}`)
  // So many messages at a time are the throughput of a number.
  await up.simulator.control('POST', '/clock', { advance_ms: 5000 })
  for (const body of ['um', 'dois', 'fim']) await fixture.send(body)
  await hub.deliver()
  return { ...fixture, people, write }
}

test('the simulator shows one conversation of many, and reads no more than what is new', {
  rules: ['dashboard.simulator-shows-one-conversation', 'dashboard.simulator-reads-what-is-new'],
}, async (t) => {
  const fixture = await startBusy(t)
  const { hub, people, write } = fixture
  const viewport = { width: 1440, height: 900 }
  const { page, seen } = await visitAs(fixture, fixture.ana, '/simulator', { viewport })
  const phone = page.getByRole('region', { name: 'Phone of Bruno Lima' })
  const chat = phone.getByRole('log')
  const stream = page.getByRole('region', { name: 'Event stream' })
  await chat.getByText('fim', { exact: true }).waitFor()
  await stream.getByText('message.received').first().waitFor()
  await picture(page, 'simulator-many')
  const nodes = [await countNodes(page)]

  for (const text of ['Mensagem 221', 'Mensagem 201', 'Mensagem 181', 'Mensagem 161']) {
    await chat.getByRole('button', { name: 'Earlier messages' }).click()
    await chat.getByText(text, { exact: true }).waitFor()
  }
  nodes.push(await countNodes(page))
  await stream.getByRole('button', { name: 'Earlier events' }).click()
  await stream.getByRole('button', { name: 'Later events' }).click()
  while (await chat.getByRole('button', { name: 'Later messages' }).count())
    await chat.getByRole('button', { name: 'Later messages' }).click()
  await chat.getByText('fim', { exact: true }).waitFor()
  await page.getByTitle('Choose the customer').click()
  await page.getByRole('menuitemradio', { name: 'Bruno Lima', checked: true }).waitFor()
  nodes.push(await countNodes(page))
  await picture(page, 'simulator-menu')
  await page.keyboard.press('Escape')
  assert.ok(Math.max(...nodes) < NODES_MAX, `The page has ${nodes.join(', ')} nodes.`)

  const asked: string[] = []
  page.on('request', (request) => asked.push(decodeURIComponent(request.url().slice(fixture.origin.length))))
  for (const { phone, name } of people.slice(0, OTHERS)) await write(phone, name, 'Tem alguém aí?')
  await hub.deliver()
  await page.getByTitle('Choose the customer').getByText(`${OTHERS} new chats`).waitFor()
  await write(BRUNO.phone, BRUNO.name, 'Por último')
  await chat.getByText('Por último').waitFor()
  await hub.deliver()
  await stream.locator('[data-row]').first().getByText('message.received').waitFor()

  assert.equal(await chat.getByText('Tem alguém aí?').count(), 0)
  const logs = asked.filter((path) => path.startsWith('/api/v1/channels/'))
  assert.ok(logs.length <= OTHERS, logs.join('\n'))
  // On a busy machine more may have changed at once than the newest rows hold: then the list is read, and never all of it.
  for (const path of logs) assert.match(path, /person=5511955500199&limit=[13]0$|limit=[13]0&person=5511955500199$/)
  for (const path of asked.filter((path) => path.includes('/conversation'))) assert.match(path, /limit=20/)
  for (const path of asked.filter((path) => path.includes('/deliveries'))) assert.match(path, /limit=[25]0$/)
  assert.ok(!asked.some((path) => /\/webhooks$|\/faults$|\/templates/.test(path)), asked.join('\n'))
  // Each of the messages of others is looked at by nobody.
  assert.ok(asked.filter((path) => path.startsWith('/console/messages/')).length <= 2, asked.join('\n'))
  await assertNoBarriers(page, 'the simulator with many conversations')
  assertNoProblems(fixture, seen)
})

test('what could not be sent stays on the phone and below the reply, until it is sent or dismissed', {
  rules: ['dashboard.simulator-keeps-failures'],
}, async (t) => {
  const fixture = await startConnected(t)
  await fixture.receive('Vocês abrem hoje?')
  const { page, seen } = await visitAs(fixture, fixture.ana, '/simulator')
  const phone = page.getByRole('region', { name: 'Phone of Bruno Lima' })
  const answer = page.getByRole('region', { name: 'Reply', exact: true })
  await phone.getByText('Vocês abrem hoje?').waitFor()
  let isDown = true
  await page.route('**/messages', (route) => {
    return isDown && route.request().method() === 'POST' ? route.abort() : route.continue()
  })

  for (const body of ['Primeira', 'Segunda']) {
    await phone.getByLabel('Write as the customer').fill(body)
    await phone.getByRole('button', { name: 'Send', exact: true }).click()
    await phone.getByRole('alert').getByText(body).waitFor()
  }
  await answer.getByLabel('Reply to Bruno Lima').fill('Abrimos sim')
  await answer.getByRole('button', { name: 'Send by API' }).click()
  await answer.getByRole('alert').getByText('Abrimos sim').waitFor()
  await assertNoBarriers(page, 'the simulator with what could not be sent')
  await picture(page, 'simulator-unsent-light-1280')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'simulator-unsent-dark-1280')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('link', { name: 'Channels', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor()
  await page.goBack()
  await untilCount(phone.getByRole('alert'), 2)
  await phone.getByRole('alert').filter({ hasText: 'Primeira' }).getByRole('button', { name: 'Dismiss' }).click()
  await untilCount(phone.getByRole('alert'), 1)
  isDown = false
  await phone.getByRole('button', { name: 'Try again' }).click()
  await phone.getByRole('listitem').filter({ hasText: 'Segunda' }).getByText('delivered').waitFor()
  await untilCount(phone.getByRole('alert'), 0)
  await answer.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('POST /channels/{id}/messages').waitFor()
  await untilCount(answer.getByRole('alert'), 0)

  assert.equal(await phone.getByText('Primeira').count(), 0)
  const { messages } = (await fixture.acme.get(`/api/v1/channels/${fixture.id}/messages`)).body.data
  assert.deepEqual(
    messages.map(({ content }: { content: { body: string } }) => content.body),
    ['Abrimos sim', 'Segunda', 'Vocês abrem hoje?'],
  )
  assertNoProblems(fixture, { ...seen, problems: seen.problems.filter((text) => !text.includes('ERR_FAILED')) })
})

test('a token is revoked only when that is confirmed', {
  rules: ['dashboard.simulator-confirms-revocation'],
}, async (t) => {
  const fixture = await startConnected(t)
  await fixture.receive('Oi')
  const { page, seen } = await visitAs(fixture, fixture.ana, '/simulator')
  let revocations = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/revoke-token')) revocations += 1
  })
  const problems = page.getByRole('region', { name: 'Simulate problems' })
  const dialog = page.getByRole('dialog', { name: 'Revoke the token of' })

  await problems.getByRole('button', { name: 'Revoke token' }).click()
  await dialog.getByText('The channel can no longer send').waitFor()
  await assertNoBarriers(page, 'the confirmation')
  await picture(page, 'simulator-revoke')
  await page.keyboard.press('Escape')
  await untilCount(dialog, 0)
  assert.equal(revocations, 0)
  await problems.getByRole('button', { name: 'Revoke token' }).click()
  await dialog.getByRole('button', { name: 'Revoke token' }).click()
  await problems.getByText('Token revoked: connect again').waitFor()
  await untilCount(dialog, 0)

  assert.equal(revocations, 1)
  assertNoProblems(fixture, seen)
})

test('the simulator says what it could not load, and works with the keyboard on a phone', async (t) => {
  const fixture = await startConnected(t)
  await fixture.receive('Vocês abrem hoje?')
  await fixture.receive('Oi', { phone: '5511955500177', name: 'Carla Dias' })
  const { page } = await visitAs(fixture, fixture.ana, '/', { viewport: { width: 390, height: 844 } })
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.route('**/api/v1/channels/*/messages?*', (route) => {
    return route.fulfill({ status: 400, json: { error: { code: 'INVALID_REQUEST', message: 'No.', details: {} } } })
  })
  await page.goto(`${fixture.origin}/simulator?customer=5511955500177`)

  await page.getByRole('alert').getByText('The events could not be loaded').waitFor()
  await picture(page, 'simulator-error-390')
  await page.unroute('**/api/v1/channels/*/messages?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('[data-row]').first().waitFor()
  await page.getByTitle('Choose the customer').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Bruno Lima' }).waitFor()
  await untilTrue(page, 'document.activeElement.textContent.startsWith("New customer")')
  await page.keyboard.press('ArrowDown')
  await untilTrue(page, 'document.activeElement.textContent.startsWith("Carla Dias")')
  await page.keyboard.press('ArrowDown')
  await untilTrue(page, 'document.activeElement.textContent.startsWith("Bruno Lima")')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Phone of Bruno Lima' }).getByText('Vocês abrem hoje?').waitFor()
  await picture(page, 'simulator-390')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await page.getByLabel('Write as the customer').fill('Obrigado')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('Obrigado').waitFor()
  await untilTrue(page, 'document.activeElement.getAttribute("aria-label") === "Write as the customer"')
  await assertNoBarriers(page, 'the simulator on a phone')
})
