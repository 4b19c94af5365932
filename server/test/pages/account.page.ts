import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { PASSWORD } from '../hub.ts'
import { startMailServer } from '../mail-server.ts'
import { assertNoProblems, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
const NEW_PASSWORD = 'another horse, another battery'

test('with the keyboard alone a person signs in, turns on codes, and signs in with a code and a recovery code', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const { page, seen } = await fixture.visit('/account')

  async function typePassword(): Promise<void> {
    await page.getByLabel('E-mail').focus()
    await page.keyboard.type(ana.email)
    await page.getByLabel('Password', { exact: true }).focus()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
  }
  async function typeCode(code: string): Promise<void> {
    await page.getByLabel('Code from your app, or a recovery code').waitFor()
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  }
  async function signOut(): Promise<void> {
    await page.getByRole('button', { name: 'Sign out' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`${fixture.origin}/account`)
  }
  const codeNow = (secret: string) => new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })

  // A page that needs a session leads to the sign-in, and back afterwards.
  await assertNoBarriers(page, 'the sign-in')
  await typePassword()
  await page.getByRole('heading', { name: 'Account' }).waitFor()

  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Two-factor sign-in' }) })
  await card.getByLabel('Current password').focus()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await card.getByRole('img').waitFor()
  const secret = (await card.locator('.font-mono span').first().innerText()).trim()
  await card.getByLabel('Code from your app').focus()
  await page.keyboard.type(codeNow(secret))
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Recovery codes' })
  const [recoveryCode = ''] = (await sheet.locator('code').innerText()).split(/\s+/)
  await page.keyboard.press('Escape')
  assert.ok(await sheet.isVisible())
  await sheet.getByLabel('I stored it').focus()
  await page.keyboard.press('Space')
  await sheet.getByRole('button', { name: 'Done' }).focus()
  await page.keyboard.press('Enter')
  await card.getByText('On. Each sign-in asks').waitFor()

  await signOut()
  await typePassword()
  await typeCode('000000')
  await page.getByText('This code is incorrect').waitFor()
  await hub.clock.advance('30 seconds')
  await page.getByLabel('Code from your app, or a recovery code').fill('')
  await page.getByLabel('Code from your app, or a recovery code').focus()
  await typeCode(codeNow(secret))
  await page.getByRole('heading', { name: 'Account' }).waitFor()

  await signOut()
  await typePassword()
  await typeCode(recoveryCode)
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  assertNoProblems(fixture, seen)
})

test('a person ends another session, and a new password ends the rest', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const signIn = () => hub.anonymous.post('/console/sign-in', { email: ana.email, password: PASSWORD })
  await signIn()
  await signIn()
  const { page, seen } = await visitAs(fixture, ana, '/account')
  const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('row')

  await page
    .getByRole('button', { name: /^End the session/ })
    .first()
    .click()
  await sessions.nth(3).waitFor({ state: 'detached' })
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Password', exact: true }) })
  await card.getByLabel('Current password').fill(PASSWORD)
  await card.getByLabel('New password').fill(NEW_PASSWORD)
  await card.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Password changed').waitFor()
  await sessions.nth(2).waitFor({ state: 'detached' })

  assert.match(await sessions.last().innerText(), /This browser/)
  assert.equal((await signIn()).status, 401)
  assertNoProblems(fixture, seen)
})

test('a page whose session ended elsewhere leads to the sign-in, and back afterwards', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const { page, seen } = await visitAs(fixture, ana, '/channels?status=pending')
  await page.getByRole('heading', { name: 'Channels' }).waitFor()

  const other = await visitAs(fixture, ana, '/account')
  await other.page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(ana.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Channels' }).waitFor()

  assert.match(page.url(), /\/channels\?status=pending$/)
  assertNoProblems(fixture, seen)
})

test('a person changes the own name with the keyboard, and the hub says in Portuguese why it refuses another', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, ana, '/account', { locale: 'pt-BR' })
  const save = page.getByRole('button', { name: 'Salvar o nome' })
  const field = page.getByLabel('Seu nome')
  await field.waitFor()
  assert.ok(await save.isDisabled())

  await field.fill('Ana\u202Egpj')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Escreva em uma linha, sem caracteres invisíveis.').waitFor()
  await assertNoBarriers(page, 'a refused name')
  await field.fill(' Ana Maria ')
  await page.keyboard.press('Enter')
  await page.getByText('O nome foi mudado').waitFor()
  await page.getByRole('button', { name: /Ana Maria/ }).waitFor()

  assert.equal((await ana.get('/console/session')).body.data.user.name, 'Ana Maria')
  assert.ok(await save.isDisabled())
  assertNoProblems(fixture, seen)
})

test('an error of the hub is in the language of the page, with its code', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const { page } = await visitAs(fixture, ana, '/account', { locale: 'pt-BR' })

  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Senha', exact: true }) })
  await card.getByLabel('Senha atual').fill('a wrong password')
  await card.getByLabel('Senha nova').fill(NEW_PASSWORD)
  await card.getByRole('button', { name: 'Trocar a senha' }).click()
  const alert = card.getByRole('alert')
  await alert.waitFor()

  assert.match(await alert.innerText(), /^O e-mail ou a senha não confere\.\s+UNAUTHORIZED/)
})

test('a switch of the organization that fails says why, and can be repeated', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const other = await hub.person()
  const { organizationId } = other
  const { name } = (await other.get('/console/session')).body.data.organization
  const join = () =>
    hub.sql`insert into memberships (organization_id, user_id, role) values (${organizationId}, ${ana.userId}, 'viewer')`
  await join()
  const { page } = await visitAs(fixture, ana, '/members')
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()

  await page.getByTitle('Switch organization').first().click()
  await hub.sql`delete from memberships where organization_id = ${organizationId} and user_id = ${ana.userId}`
  await page.getByRole('menuitemradio', { name }).click()
  const dialog = page.getByRole('dialog', { name: 'The organization could not be switched' })
  await dialog.getByText('NOT_FOUND').waitFor()
  await assertNoBarriers(page, 'a failed switch')
  await join()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.waitForURL(`${fixture.origin}/`)

  assert.equal((await ana.get('/console/session')).body.data.organization.id, organizationId)
})

test('a person turns the alerts of an organization off and on', { rules: ['alert.each-person-decides'] }, async (t) => {
  const server = await startMailServer(t)
  const fixture = await startBrowserFixture(t, server.env)
  const { hub, acme } = fixture
  const membership = { organizationId: acme.organizationId, role: 'developer' as const }
  const ana = await hub.person(membership)
  const { page, seen } = await visitAs(fixture, ana, '/account')
  const box = page.getByLabel('Mail me when an endpoint of Acme is paused or a channel drops')

  await box.waitFor()
  assert.ok(await box.isChecked())
  await assertNoBarriers(page, 'alerts')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/alerts.png` })
  await box.press('Space')
  await page.getByText('You get no alerts by e-mail.').waitFor()
  await page.reload()
  await box.waitFor()
  assert.ok(!(await box.isChecked()))

  const bob = await hub.person(membership, { isEmailVerified: false })
  const unverified = await visitAs(fixture, bob, '/account', { locale: 'pt-BR', colorScheme: 'dark' })
  await unverified.page.getByText('Os alertas só vão para e-mails confirmados.').waitFor()
  if (PICTURES) await unverified.page.screenshot({ path: `${PICTURES}/alerts-pt.png` })
  for (const one of [seen, unverified.seen]) assertNoProblems(fixture, one)
})
