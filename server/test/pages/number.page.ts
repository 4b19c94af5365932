import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connectWithToken } from '../relay.ts'
import { assertNoProblems, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const CUSTOMER = '5511987654321'

async function startNumber(t: TestContext, role: 'owner' | 'viewer' = 'owner') {
  const fixture = await startBrowserFixture(t)
  const { hub, up, acme } = fixture
  const url = `${hub.url}/hooks/upstream`
  await up.simulator.control('PUT', '/callback', { url, verify_token: up.simulator.verifyToken })
  const person = await hub.person({ organizationId: acme.organizationId, role })
  const number = await up.number()
  assert.equal((await connectWithToken(acme, fixture.id, number)).status, 200)
  await up.simulator.control('POST', `/numbers/${number.phoneNumberId}/customers/${CUSTOMER}/messages`, {
    type: 'text',
  })
  return { ...fixture, person, number, path: `/channels/${fixture.id}?tab=number` }
}

test('a person sets a username, makes a QR code and blocks someone, all by the keyboard and the mouse', async (t) => {
  const fixture = await startNumber(t)
  const { page, seen } = await visitAs(fixture, fixture.person, fixture.path)

  await page.getByText('The number has no username.').waitFor()
  await page.getByLabel('Username of the number').fill('padaria.central')
  await page.keyboard.press('Enter')
  await page.getByText('Status at Meta: approved.').waitFor()

  await page.getByText('No QR codes yet').waitFor()
  await page.getByLabel('Text in the chat').fill('Quero fazer um pedido')
  await page.getByRole('button', { name: 'Create QR code' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'https://wa.me/message/' })
  await line.getByText('Quero fazer um pedido').waitFor()
  await assertNoBarriers(page, 'the number of a channel')
  await line.getByRole('button', { name: /^Change the text/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text in the chat').fill('Quero uma mesa')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await line.getByText('Quero uma mesa').waitFor()
  await line.getByRole('button', { name: /^Delete/ }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No QR codes yet').waitFor()

  await page.getByText('No blocked people').waitFor()
  const field = page.getByLabel('Phone number or user id')
  await field.fill('ana')
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('alert').getByText('Enter a phone number').waitFor()
  await field.fill('+55 11 98765-0000')
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('alert').getByText('24 hours').waitFor()
  await field.fill('+55 11 98765-4321')
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('button', { name: /^Unblock \+55/ }).click()
  await page.getByText('No blocked people').waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('textbox').fill('padaria.central')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('The number has no username.').waitFor()
  assertNoProblems(fixture, seen)
})

test('a viewer sees what belongs to the number and can change none of it', async (t) => {
  const fixture = await startNumber(t, 'viewer')
  await fixture.acme.post(`/api/v1/channels/${fixture.id}/qr-codes`, { prefilled_message: 'Quero fazer um pedido' })
  const { page, seen } = await visitAs(fixture, fixture.person, fixture.path)

  await page.getByText('Quero fazer um pedido').waitFor()

  for (const label of ['Username of the number', 'Text in the chat', 'Phone number or user id']) {
    assert.ok(await page.getByLabel(label).isDisabled(), label)
  }
  assert.equal(await page.getByRole('button', { name: /^(Change the text|Delete)/ }).count(), 0)
  assertNoProblems(fixture, seen)
})

test('a card whose upstream does not answer shows an error with a way to try again, and the other cards stay', async (t) => {
  const fixture = await startNumber(t)
  const fault = { kind: 'error', path: '/message_qrdls', code: 131000, times: null }
  await fixture.up.simulator.control('POST', '/faults', fault)
  const { page } = await visitAs(fixture, fixture.person, fixture.path)

  const alert = page.getByRole('alert').filter({ hasText: 'The QR codes could not be read' })
  await alert.waitFor()
  await page.getByText('The number has no username.').waitFor()
  await fixture.up.simulator.control('DELETE', '/faults')
  await alert.getByRole('button').last().click()

  await page.getByText('No QR codes yet').waitFor()
})
