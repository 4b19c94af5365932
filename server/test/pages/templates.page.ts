import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { FILES } from '../../src/domains/media/test/files.ts'
import { assertNoProblems, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const PICTURE = { name: 'a.png', mimeType: 'image/png', buffer: FILES.png!.bytes }

/** A developer whose channel has a number, and thereby an account with templates. */
async function startTemplates(t: TestContext) {
  const fixture = await startBrowserFixture(t)
  const { acme, hub, up, id } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'developer' })
  const number = await up.number()
  await acme.post(`/api/v1/channels/${id}/connection`, {
    access_token: number.accessToken,
    waba_id: number.wabaId,
    phone_number_id: number.phoneNumberId,
  })
  /** The end of Meta's review. */
  async function review(template: string, result: Record<string, string>): Promise<void> {
    await up.simulator.control('POST', `/numbers/${number.phoneNumberId}/templates/${template}/review`, result)
  }
  return { ...fixture, ana, review }
}

test('a person writes a template with a picture, is shown what is missing, submits it and deletes it', async (t) => {
  const fixture = await startTemplates(t)
  const { acme, id } = fixture
  const { page, seen } = await visitAs(fixture, fixture.ana, '/templates')
  const list = async () => (await acme.get(`/api/v1/channels/${id}/templates`)).body.data.templates

  await page.getByRole('link', { name: 'New template' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Order Ready')
  await page.getByLabel('Text of the body').fill('Your order ')
  await page.getByRole('button', { name: 'Variable' }).click()
  await page.locator('textarea:focus').waitFor()
  await page.keyboard.type(' is ready.')
  assert.ok(await page.getByRole('button', { name: 'Submit to Meta' }).isDisabled())
  await page.getByText('Every variable has a sample').waitFor()
  await page.getByLabel('Sample of {{1}}').fill('4821')
  await page.getByRole('button', { name: 'Image' }).click()
  await page.locator('input[type=file]').setInputFiles(PICTURE)
  await page.getByText('image/png, detected from its bytes').waitFor()
  await page.getByText('Your order 4821 is ready.').waitFor()
  await assertNoBarriers(page, 'the editor')
  await page.getByRole('button', { name: 'Submit to Meta' }).click()

  await page.getByRole('complementary', { name: 'order_ready' }).waitFor()
  const [created] = await list()
  assert.deepEqual([created.name, created.components[1].example], ['order_ready', { body_text: [['4821']] }])
  await page.getByRole('button', { name: 'Delete pt_BR' }).click()
  await page.getByLabel('Type order_ready to confirm').fill('order_ready')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No templates in this account yet').waitFor()
  assert.deepEqual(await list(), [])
  assertNoProblems(fixture, seen)
})

test('a picture that arrives after the header was removed changes nothing of the text', async (t) => {
  const fixture = await startTemplates(t)
  const { page } = await visitAs(fixture, fixture.ana, `/templates/new?channel=${fixture.id}`)
  const wait = Promise.withResolvers<void>()
  await page.route('**/template-examples', async (route) => {
    await wait.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Image' }).click()
  const uploaded = page.waitForResponse('**/template-examples')
  await page.locator('input[type=file]').setInputFiles(PICTURE)

  await page.getByRole('group', { name: 'Header' }).getByRole('button', { name: 'None' }).click()
  await page.getByLabel('Text of the body').fill('Your order is ready.')
  wait.resolve()
  await uploaded
  await page.getByLabel('Text of the footer').fill('Thank you')

  assert.equal(await page.getByLabel('Text of the body').inputValue(), 'Your order is ready.')
  await page.getByRole('button', { name: 'None', pressed: true }).waitFor()
})

test('a draft survives a look at another page, until it is discarded', async (t) => {
  const fixture = await startTemplates(t)
  const { page, seen } = await visitAs(fixture, fixture.ana, `/templates/new?channel=${fixture.id}`)

  await page.getByLabel('Name', { exact: true }).fill('order_ready')
  await page.getByLabel('Text of the body').fill('Your order is ready.')
  await page.getByRole('link', { name: 'Channels' }).first().click()
  await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()
  await page.goBack()
  await page.getByLabel('Text of the body').waitFor()
  assert.equal(await page.getByLabel('Text of the body').inputValue(), 'Your order is ready.')
  await page.getByRole('button', { name: 'Start over' }).click()

  assert.equal(await page.getByLabel('Text of the body').inputValue(), '')
  assertNoProblems(fixture, seen)
})

test('a rejected template says why in words, and is edited and submitted again', async (t) => {
  const fixture = await startTemplates(t)
  const { acme, id } = fixture
  const components = [{ type: 'BODY', text: 'Buy now.' }]
  const draft = { name: 'offer', language: 'es_AR', category: 'UTILITY', components }
  const created = await acme.post(`/api/v1/channels/${id}/templates`, draft)
  const template = created.body.data.template.id
  await fixture.review(template, { result: 'REJECTED', reason: 'PROMOTIONAL' })
  const { page, seen } = await visitAs(fixture, fixture.ana, `/templates?channel=${id}&open=offer`)

  await page.getByText('The text advertises something').waitFor()
  await page.getByRole('link', { name: 'Edit and resubmit' }).click()
  await page.getByText('The text advertises something').waitFor()
  assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled())
  assert.equal(await page.getByLabel('Language', { exact: true }).inputValue(), 'es_AR')
  await page.getByLabel('Text of the body').fill('Your order is ready.')
  await assertNoBarriers(page, 'an edited template')
  await page.getByRole('button', { name: 'Resubmit to Meta' }).click()
  await page.getByRole('complementary', { name: 'offer' }).waitFor()

  const [edited] = (await acme.get(`/api/v1/channels/${id}/templates`)).body.data.templates
  assert.deepEqual([edited.id, edited.status, edited.components[0].text], [template, 'PENDING', 'Your order is ready.'])
  assertNoProblems(fixture, seen)
})

test('a code is written in the form of Meta, its call is copied, and a test is sent from it', async (t) => {
  const fixture = await startTemplates(t)
  const { acme, id } = fixture
  const { page, seen } = await visitAs(fixture, fixture.ana, `/templates/new?channel=${id}`)

  await page.getByLabel('Name', { exact: true }).fill('login_code')
  await page.getByRole('button', { name: 'AUTHENTICATION' }).click()
  await page.getByLabel('The code expires after').fill('5')
  await page.getByText('This code expires in 5 minutes.').waitFor()
  await assertNoBarriers(page, 'the form of a code')
  await page.getByRole('button', { name: 'Submit to Meta' }).click()
  await page.getByRole('complementary', { name: 'login_code' }).waitFor()
  const [created] = (await acme.get(`/api/v1/channels/${id}/templates`)).body.data.templates
  assert.equal(created.category, 'AUTHENTICATION')
  await fixture.review(created.id, { result: 'APPROVED' })
  await page.reload()
  await page.getByText('"sub_type":"url"').waitFor()
  await page.getByRole('link', { name: 'Send a test' }).click()
  await page.getByLabel('Recipient').fill('+55 11 95550-0199')
  await page.getByLabel('Body {{1}}').fill('123456')
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByText('Write another').waitFor()

  assertNoProblems(fixture, seen)
})
