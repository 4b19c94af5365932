import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHubWithLinks } from '../../src/domains/organizations/sign-up/test/fixture.ts'
import { PASSWORD } from '../hub.ts'
import { freePort } from '../journeys/processes.ts'
import { readLink, startMailServer } from '../mail-server.ts'
import { assertNoProblems, openPage, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

test('a person signs up, asks for the mail again, and finishes with the link and the password', {
  rules: ['signup.link-and-password-finish-it'],
}, async (t) => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { server } = await startHubWithLinks(t, { PORT: String(port), PUBLIC_URL: origin })
  const { page, seen } = await openPage(t, `${origin}/sign-up`)

  await page.getByLabel('Name of your organization').fill('Acme')
  await page.getByLabel('Your name').fill('Ana')
  await page.getByLabel('E-mail').fill('ana-of-the-page@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: /Create the account/ }).click()
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
  await assertNoBarriers(page, 'the page after a sign-up')
  await page.getByRole('button', { name: 'Send the e-mail again' }).click()
  const again = await server.receive(2)
  await page.goto(readLink(again))
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Your account is ready' }).waitFor()
  await page.getByRole('link', { name: 'Open the dashboard' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Channels' }).waitFor()
  await page.goto(`${origin}/account`)
  await page.getByText('Verified', { exact: true }).waitFor()

  assertNoProblems({ origin }, seen)
})

test('a member whose e-mail is not verified lands on the verification page if a second factor is required', {
  rules: ['factor.own-account-stays-open'],
}, async (t) => {
  const server = await startMailServer(t)
  const fixture = await startBrowserFixture(t, server.env)
  const { hub, acme } = fixture
  const membership = { organizationId: acme.organizationId, role: 'developer' as const }
  const bob = await hub.person(membership, { isEmailVerified: false })
  await hub.sql`update organizations set two_factor_required = true where id = ${acme.organizationId}`
  const { page, seen } = await visitAs(fixture, bob, '/channels')

  await page.waitForURL(`${fixture.origin}/account/verify-email`)
  await page.getByText('requires two-factor sign-in, which needs a verified e-mail').waitFor()
  await page.getByRole('button', { name: 'Send the code' }).click()
  const { text } = await server.receive(1)
  await page.getByLabel('Code from the mail').fill('ABCD-EFGH')
  await page.getByRole('button', { name: 'Verify the e-mail' }).click()
  await page.getByRole('alert').first().waitFor()
  await assertNoBarriers(page, 'the verification page')
  await page.getByLabel('Code from the mail').fill(/^([A-Z]{4}-[A-Z]{4})$/m.exec(text)?.[1] ?? '')
  await page.getByRole('button', { name: 'Verify the e-mail' }).click()
  await page.waitForURL(`${fixture.origin}/account`)
  await page.getByText('Verified', { exact: true }).waitFor()
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Two-factor sign-in' }) })
  await card.getByLabel('Current password').waitFor()

  assertNoProblems(fixture, seen)
})

test('the account page says that an e-mail is not verified, and leads to its verification', async (t) => {
  const server = await startMailServer(t)
  const fixture = await startBrowserFixture(t, server.env)
  const membership = { organizationId: fixture.acme.organizationId, role: 'developer' as const }
  const bob = await fixture.hub.person(membership, { isEmailVerified: false })
  const { page, seen } = await visitAs(fixture, bob, '/account', { locale: 'pt-BR', colorScheme: 'dark' })

  await page.getByText('Não confirmado', { exact: true }).waitFor()
  await page.getByText('Confirme primeiro seu e-mail').waitFor()
  await page.getByRole('link', { name: 'Confirmar o e-mail' }).first().click()
  await page.getByRole('button', { name: 'Enviar o código' }).waitFor()

  assert.equal(new URL(page.url()).pathname, '/account/verify-email')
  assertNoProblems(fixture, seen)
})
