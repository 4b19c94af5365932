import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoProblems } from './browser.ts'
import { BRUNO, startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const READ_MS = 60_000

test('an endpoint is at the end of the path as soon as it is added', async (t) => {
  const fixture = await startConnected(t)
  await fixture.receive('Vocês abrem hoje?')
  const { page, seen } = await visitAs(fixture, fixture.ana, '/simulator')
  const path = page.getByRole('list', { name: 'Path of a message' })
  await path.getByText('no endpoint yet').waitFor()

  await fixture.acme.post('/api/v1/webhooks', { name: 'crm-bella', url: 'https://93.184.216.34/in' })

  await path.getByText('crm-bella').waitFor()
  assert.equal(await path.getByText('no endpoint yet').count(), 0)
  assertNoProblems(fixture, seen)
})

test('the phone has no message that failed, and the ticks of the others are those of the log', async (t) => {
  const fixture = await startConnected(t)
  const { up, acme, ana, id } = fixture
  await fixture.receive('Vocês abrem hoje?')
  const { page, seen } = await visitAs(fixture, ana, '/simulator')
  const chat = page.getByRole('log')
  const stream = page.locator('[data-row]')
  await chat.getByText('Vocês abrem hoje?').waitFor()

  await fixture.fail(131026)
  await fixture.send('Isto não chega')
  await stream.getByText('131026').waitFor()
  await fixture.fail(null)
  await fixture.send('Abrimos às 7')
  const bubble = chat.getByRole('listitem').filter({ hasText: 'Abrimos às 7' })
  await bubble.getByText('delivered', { exact: true }).waitFor()

  assert.equal(await chat.getByText('Isto não chega').count(), 0)
  await assertNoBarriers(page, 'the simulator with a failure')
  await up.simulator.control('POST', '/clock', { advance_ms: READ_MS })
  await bubble.getByText('read', { exact: true }).waitFor()
  const { messages } = (await acme.get(`/api/v1/channels/${id}/messages?direction=outbound`)).body.data
  assert.deepEqual(
    messages.map(({ status }: { status: string }) => status),
    ['read', 'failed'],
  )
  assertNoProblems(fixture, seen)
})

test('what is typed stays in its conversation while other pages and other customers are open', async (t) => {
  const fixture = await startConnected(t)
  await fixture.receive('Vocês abrem hoje?')
  const { page, seen } = await visitAs(fixture, fixture.ana, '/simulator')
  const asCustomer = page.getByLabel('Write as the customer')
  const asCode = page.getByRole('textbox', { name: /^Reply to/ })
  await asCustomer.fill('E amanhã?')
  await asCode.fill('Sim, até as 18h')

  await page.getByRole('link', { name: 'Messages', exact: true }).click()
  await page.getByRole('heading', { name: 'Messages' }).waitFor()
  await page.goBack()
  await asCustomer.waitFor()

  assert.deepEqual([await asCustomer.inputValue(), await asCode.inputValue()], ['E amanhã?', 'Sim, até as 18h'])
  await page.getByTitle('Choose the customer').click()
  await page.getByRole('menuitem', { name: 'New customer…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Carla Dias')
  await page.getByLabel('Phone number').fill('+55 11 95550-0177')
  await page.getByRole('button', { name: 'Use this phone' }).click()
  await page.getByRole('textbox', { name: 'Reply to Carla Dias' }).waitFor()
  assert.deepEqual([await asCustomer.inputValue(), await asCode.inputValue()], ['', ''])
  assertNoProblems(fixture, seen)
})

test('a customer with a username writes with a hidden number, and is answered by user id', async (t) => {
  const fixture = await startConnected(t)
  const { acme, ana, id, up } = fixture
  const { page, seen } = await visitAs(fixture, ana, '/simulator')

  await page.getByTitle('Choose the customer').click()
  await page.getByRole('menuitem', { name: 'New customer…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Carla Dias')
  await page.getByLabel('Phone number').fill('+55 11 95550-0177')
  await page.getByLabel('Username').fill('@carla.dias')
  await assertNoBarriers(page, 'the form of a new customer')
  await page.getByRole('button', { name: 'Use this phone' }).click()
  const phone = page.getByRole('region', { name: 'Phone of Carla Dias' })
  await phone.getByLabel('Write as the customer').fill('Vocês fazem entrega?')
  await phone.getByRole('button', { name: 'Send' }).click()
  await phone.getByRole('log').getByText('Vocês fazem entrega?').waitFor()
  const answer = page.getByRole('region', { name: 'Reply', exact: true })
  await answer.getByLabel('Reply to Carla Dias').fill('Fazemos sim')
  await answer.getByRole('button', { name: 'Show the request' }).click()
  await answer.getByRole('button', { name: 'Send by API' }).click()
  await page.getByText('POST …/{user_id}/messages').waitFor()
  await up.simulator.control('POST', '/clock', { advance_ms: 1000 })
  await phone.getByRole('log').getByText('Fazemos sim').waitFor()

  await page.getByTitle('Choose the customer').getByText('@carla.dias').waitFor()
  await assertNoBarriers(page, 'the simulator with a hidden number')
  const [sent, received] = (await acme.get(`/api/v1/channels/${id}/messages`)).body.data.messages
  assert.deepEqual([received.from, received.contact.username, sent.to], [null, 'carla.dias', null])
  assert.match(await answer.innerText(), new RegExp(`/contacts/${received.contact.user_id}/messages`))
  assertNoProblems(fixture, seen)
})

test('a test message goes to a user id', async (t) => {
  const fixture = await startConnected(t)
  const { acme, ana, id } = fixture
  await fixture.receive('Oi', { ...BRUNO, username: 'bruno.lima' })
  const [{ contact }] = (await acme.get(`/api/v1/channels/${id}/messages`)).body.data.messages
  const { page, seen } = await visitAs(fixture, ana, `/channels/${id}?tab=test`)

  await page.getByLabel('Recipient').fill('Bruno')
  await page.getByRole('alert').getByText('or a user id').waitFor()
  await page.getByLabel('Recipient').fill(contact.user_id)
  await page.getByLabel('Text', { exact: true }).fill('Olá!')
  await page.getByText('You can send free text until').waitFor()
  await page.getByText(`/contacts/${contact.user_id}/messages`).waitFor()
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('button', { name: 'Write another message' }).waitFor()

  const [sent] = (await acme.get(`/api/v1/channels/${id}/messages`)).body.data.messages
  assert.deepEqual([sent.to, sent.contact.user_id, sent.content.body], [null, contact.user_id, 'Olá!'])
  await assertNoBarriers(page, 'the test with a user id')
  assertNoProblems(fixture, seen)
})
