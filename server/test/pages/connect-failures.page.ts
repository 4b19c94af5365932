import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLink } from '../hub-with-upstream.ts'
import { connectWithToken } from '../relay.ts'
import { assertNoProblems, signUp, startBrowserFixture } from './browser.ts'

test('a person who closes the sign-up sees a message and can start again', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page, seen } = await fixture.visit()

  await signUp(page, { outcome: 'cancel' })
  await page.getByRole('alert').waitFor()
  const said = await page.getByRole('alert').innerText()
  await signUp(page, { outcome: 'coexistence' })
  await page.getByRole('heading', { name: 'Connected' }).waitFor()

  assert.match(said, /not finished. You can start again/)
  assert.ok(await page.getByRole('alert').isHidden())
  assertNoProblems(fixture, seen)
})

test('a failed sign-up shows its reason', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page } = await fixture.visit()

  await signUp(page, { outcome: 'error' })
  await page.getByRole('alert').waitFor()

  assert.equal(await page.getByRole('alert').innerText(), 'The phone number could not be verified.')
  assert.ok(await page.locator('#start').isVisible())
})

test('a wrong PIN can be corrected without another sign-up', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { phoneNumberId } = await fixture.up.number({ registered: false, pin: '111222' })
  const { page, seen } = await fixture.visit()
  await signUp(page, { number: phoneNumberId })

  await page.locator('#pin-input').fill('12345')
  await page.keyboard.press('Enter')
  const short = await page.getByRole('alert').innerText()
  await page.locator('#pin-input').fill('999999')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('PIN').waitFor()
  const wrong = await page.getByRole('alert').innerText()
  await page.locator('#pin-input').fill('111222')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Connected' }).waitFor()

  assert.equal(short, 'Enter six digits.')
  assert.match(wrong, /Check the PIN\. \(Reference: [0-9a-f-]{36}\)/)
  assert.equal((await fixture.channel()).status, 'active')
  assertNoProblems(fixture, seen)
})

test('a message changes with the language', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page } = await fixture.visit()
  await signUp(page, { outcome: 'cancel' })
  await page.getByRole('alert').waitFor()

  await page.getByLabel('Language').selectOption('pt-BR')

  assert.match(await page.getByRole('alert').innerText(), /não foi concluído/)
})

test('a number that is connected elsewhere is an error, and another can be chosen', async (t) => {
  const fixture = await startBrowserFixture(t)
  const number = await fixture.up.number()
  const rival = await fixture.hub.organization()
  const created = await rival.post('/api/v1/channels', { name: 'Rival' })
  assert.equal((await connectWithToken(rival, created.body.data.channel.id, number)).status, 200)
  const { page } = await fixture.visit()

  await signUp(page, { number: number.phoneNumberId })
  await page.getByRole('alert').waitFor()

  assert.match(await page.getByRole('alert').innerText(), /connected elsewhere already/)
  assert.ok(!(await page.content()).includes('Rival'))
  assert.ok(await page.locator('#start').isVisible())
})

test('an account without a number is an error', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page } = await fixture.visit()

  await signUp(page, { outcome: 'only_account' })
  await page.getByRole('alert').waitFor()

  assert.match(await page.getByRole('alert').innerText(), /no number that can be connected/)
})

test('a used link shows that it was used, in the language of the person', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { phoneNumberId } = await fixture.up.number()
  const first = await fixture.visit()
  await signUp(first.page, { number: phoneNumberId })
  await first.page.getByRole('heading', { name: 'Connected' }).waitFor()

  const { page, seen } = await fixture.visit(undefined, { locale: 'pt-BR' })
  await page.getByRole('heading', { name: 'Já utilizado' }).waitFor()
  const portuguese = await page.locator('#over').innerText()
  await page.getByLabel('Idioma').selectOption('en')

  assert.match(portuguese, /Este link já foi usado/)
  assert.match(await page.locator('#over').innerText(), /Already used\s+This link was used already/)
  assert.equal(page.url(), `${fixture.origin}/connect`)
  assertNoProblems(fixture, seen)
})

test('an expired or replaced link asks the person to request a new one', async (t) => {
  const fixture = await startBrowserFixture(t, { CONNECT_LINK_SECONDS: '3600' })
  const newer = await createLink(fixture.acme, fixture.id)

  const ended = await fixture.visit()
  await ended.page.getByRole('heading', { name: 'Expired' }).waitFor()
  await fixture.hub.clock.advance('61 minutes')
  const expired = await fixture.visit(`/connect/${newer}`)
  await expired.page.getByRole('heading', { name: 'Expired' }).waitFor()

  for (const { page, seen } of [ended, expired]) {
    assert.match(await page.locator('#over').innerText(), /Ask the sender for a new one/)
    assert.ok(await page.getByRole('button').isHidden())
    assertNoProblems(fixture, seen)
  }
})

for (const path of ['/connect/nonsense', '/connect/hub_ch_0123456789', `/connect/${'x'.repeat(90)}`]) {
  test(`there is nothing at ${path.slice(0, 24)}`, async (t) => {
    const fixture = await startBrowserFixture(t)

    const { page, seen } = await fixture.visit(path)
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()

    assert.equal(page.url(), `${fixture.origin}/connect`)
    assertNoProblems(fixture, seen)
  })
}

test('a reloaded page asks for the link again', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page, seen } = await fixture.visit()
  await page.locator('#start').waitFor()

  await page.reload()
  await page.getByRole('heading', { name: 'Open your link again' }).waitFor()

  assertNoProblems(fixture, seen)
})

test('a person can try again after a network failure', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page } = await fixture.visit('/connect')
  await page.context().route('**/api/v1/connect/*', (route) => route.abort(), { times: 1 })

  await page.goto(`${fixture.origin}/connect/${fixture.token}`)
  await page.getByRole('heading', { name: 'That did not work' }).waitFor()
  const said = await page.locator('#over').innerText()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('#start').waitFor()

  assert.match(said, /cannot be reached/)
})

test('a browser that blocks pop-ups is asked to allow them', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page } = await fixture.visit()
  await page.locator('#start').waitFor()
  await page.evaluate('window.open = () => null')

  await page.locator('#start').click()

  assert.match(await page.getByRole('alert').innerText(), /Allow pop-ups/)
})

test('a message from another origin is ignored', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page } = await fixture.visit()
  await page.locator('#start').waitFor()

  for (const message of [
    { type: 'WA_EMBEDDED_SIGNUP', event: 'FINISH', data: { waba_id: '1', phone_number_id: '2' } },
    { type: 'SIMULATED_LOGIN_RESPONSE', authResponse: { code: 'stolen' } },
  ]) {
    const event = JSON.stringify({ origin: 'https://evil.example', data: JSON.stringify(message) })
    await page.evaluate(`window.dispatchEvent(new MessageEvent('message', ${event}))`)
  }

  assert.ok(await page.locator('#open').isVisible())
  assert.equal((await fixture.channel()).status, 'pending')
})
