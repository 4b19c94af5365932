import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../hub.ts'
import { readLink, startMailServer } from '../mail-server.ts'
import { assertNoProblems, findUnreadable, startBrowserFixture } from './browser.ts'

const NEW_PASSWORD = 'another horse, another battery'

async function startPeople(...[t]: Parameters<typeof startBrowserFixture>) {
  const server = await startMailServer(t)
  const fixture = await startBrowserFixture(t, server.env)
  /** The path of the page of an invitation. */
  async function invite(email: string): Promise<string> {
    const { invitations } = fixture.hub.context
    const { acme, hub } = fixture
    const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
    const initiator = { actor: { type: 'user' as const, id: ana.userId, name: 'Ana' }, ip: null, requestId: null }
    const invitation = { email, role: 'developer' as const }
    const { invitation_url } = await invitations.create(acme.organizationId, invitation, initiator)
    return new URL(invitation_url).pathname
  }
  return { ...fixture, server, invite }
}

test('a person sets a new password with the link in the mail', async (t) => {
  const fixture = await startPeople(t)
  const { hub, server } = fixture
  const { email } = await hub.person()
  const { page, seen } = await fixture.visit('/forgot-password')
  await page.getByLabel('E-mail').and(page.locator(':focus')).waitFor()

  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
  await page.goto(readLink(await server.receive(1)))
  assert.equal(await page.getByLabel('E-mail').inputValue(), email)

  await page.getByLabel('New password At least').fill(NEW_PASSWORD)
  await page.getByLabel('New password again').fill('something else')
  await page.getByRole('button').click()
  assert.match(await page.getByRole('alert').innerText(), /The two passwords differ/)
  assert.equal(await page.evaluate('document.activeElement.name'), 'repeat')

  await page.getByLabel('New password At least').fill(NEW_PASSWORD)
  await page.getByLabel('New password again').fill(NEW_PASSWORD)
  await page.getByRole('button').click()
  await page.getByRole('heading', { name: 'Your password was changed' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL(`${fixture.origin}/sign-in`)
  await page.goto(readLink(await server.receive(1)))
  await page.getByRole('heading', { name: 'This link was used already' }).waitFor()

  const signedIn = await hub.anonymous.post('/console/sign-in', { email, password: NEW_PASSWORD })
  assert.equal(signedIn.status, 200)
  assertNoProblems(fixture, seen)
})

test('a person joins in Portuguese with only the keyboard and without scripts, and is signed in', async (t) => {
  const fixture = await startPeople(t)
  const path = await fixture.invite('bob@example.com')
  const { page, seen } = await fixture.visit(path, { locale: 'pt-BR', javaScriptEnabled: false })

  await page.getByLabel('Seu nome').focus()
  await page.keyboard.type('Bob')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Você agora participa de Acme' }).waitFor()
  const [cookie] = await page.context().cookies()

  assert.equal(cookie?.name, 'hub_session')
  const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
  const session = await fixture.hub.anonymous.get('/console/session', { headers })
  assert.equal(session.body.data.user.email, 'bob@example.com')
  assertNoProblems(fixture, seen)
})

test('a person who has joined opens the dashboard from the page', {
  rules: ['invitation.page-reveals-no-account'],
}, async (t) => {
  const fixture = await startPeople(t)
  const { page, seen } = await fixture.visit(await fixture.invite('bob@example.com'))

  await page.getByLabel('Your name').fill('Bob')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'You have joined Acme' }).waitFor()
  const unreadable = await findUnreadable(page, ['h1 ~ p a'])
  await page.getByRole('link', { name: 'Open the dashboard' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Channels' }).waitFor()

  assert.deepEqual(unreadable, [])
  assertNoProblems(fixture, seen)
})

test('the pages are readable in both languages, in light and dark, on a small screen', async (t) => {
  const fixture = await startPeople(t)
  const { email } = await fixture.hub.person()
  await fixture.hub.anonymous.post('/console/password-reset', { email })
  const reset = new URL(readLink(await fixture.server.receive(1))).pathname
  const paths = { forgot: '/forgot-password', reset, join: await fixture.invite('bob@example.com'), ended: '/join/x' }

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, path] of Object.entries(paths)) {
      for (const locale of ['en-US', 'pt-BR']) {
        const viewport = { width: 320, height: 640 }
        const { page, seen } = await fixture.visit(path, { colorScheme, locale, viewport })
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
        const ground = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
        const places = ['h1', '#brand', 'nav a', ...(name === 'ended' ? ['p'] : ['label', 'input', 'button'])]

        assert.deepEqual(await findUnreadable(page, places), [], path)
        assert.ok(Number(overflow) <= 0, path)
        assert.equal(/rgb\(2\d\d/.test(ground), colorScheme === 'light')
        assertNoProblems(fixture, seen)
      }
    }
  }
})

test('a problem in a form is readable and announced, in light and dark', async (t) => {
  const fixture = await startPeople(t)

  for (const colorScheme of ['light', 'dark'] as const) {
    const path = await fixture.invite(`${colorScheme}@example.com`)
    const { page, seen } = await fixture.visit(path, { colorScheme, locale: 'pt-BR' })
    await page.getByLabel('Seu nome').fill('Bob')
    await page.getByLabel('Senha').fill('curta')
    await page.getByRole('button', { name: 'Participar' }).click()
    await page.getByRole('alert').waitFor()

    assert.deepEqual(await findUnreadable(page, ['#problem', 'label', '.quiet']), [])
    assert.equal(await page.evaluate('document.activeElement.name'), 'password')
    assertNoProblems(fixture, seen)
  }
})
