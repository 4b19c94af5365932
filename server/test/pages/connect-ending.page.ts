import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLink } from '../hub-with-upstream.ts'
import { assertNoProblems, signUp, startBrowserFixture } from './browser.ts'

const OPTIONS = {
  success_url: 'https://panel.example.com/done?customer=42',
  failure_url: 'https://help.example.com/numbers',
}

test('the page names the host before the sign-up, and its end leads there', {
  rules: ['connect.page-names-the-return-host', 'connect.link-takes-return-addresses'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  const link = await createLink(fixture.acme, fixture.id, OPTIONS)
  const { page, seen } = await fixture.visit(`/connect/${link}`)
  await page.getByText('When you finish, you return to panel.example.com').waitFor()

  await signUp(page, { outcome: 'coexistence' })
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  const back = page.getByRole('link', { name: 'Return to panel.example.com' })

  assert.equal(await back.getAttribute('href'), OPTIONS.success_url)
  await page.locator('#return a:focus').waitFor()
  assert.ok(await page.getByText('You can close this page').isHidden())
  assertNoProblems(fixture, seen)
})

test('a person who does not connect has a way back that names its host', {
  rules: ['connect.page-names-the-return-host'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  const link = await createLink(fixture.acme, fixture.id, OPTIONS)
  const { page } = await fixture.visit(`/connect/${link}`)

  await signUp(page, { outcome: 'cancel' })
  await page.getByRole('alert').waitFor()
  const back = page.getByRole('link', { name: 'Go back to help.example.com without connecting' })

  assert.equal(await back.getAttribute('href'), OPTIONS.failure_url)
})

test('the page of a link without addresses has no way back, and says that it can be closed', {
  rules: ['connect.page-names-the-return-host'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page } = await fixture.visit()

  await signUp(page, { outcome: 'coexistence' })
  await page.getByText('You can close this page').waitFor()

  assert.equal(await page.locator('a:visible').count(), 0)
})

test('the page opens in the language of its link, unless its address has another, and the person can choose', {
  rules: ['connect.link-has-a-language'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  const link = await createLink(fixture.acme, fixture.id, { language: 'es' })

  const spanish = await fixture.visit(`/connect/${link}`, { locale: 'pt-BR' })
  await spanish.page.getByRole('button', { name: 'Continuar con Facebook' }).waitFor()
  const english = await fixture.visit(`/connect/${link}?lang=en`, { locale: 'pt-BR' })
  await english.page.getByRole('button', { name: 'Continue with Facebook' }).waitFor()
  await spanish.page.getByLabel('Idioma').selectOption('Português')

  await spanish.page.getByRole('button', { name: 'Continuar com o Facebook' }).waitFor()
})
