import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoProblems, findUnreadable, signUp, startBrowserFixture } from './browser.ts'

test('a person sees who asks, in English, and the link is gone from the address bar', async (t) => {
  const scene = await startBrowserFixture(t)

  const { page, seen } = await scene.visit()
  await page.getByRole('button', { name: 'Continue' }).waitFor()

  assert.equal(await page.locator('html').getAttribute('lang'), 'en')
  assert.match(await page.locator('#open').innerText(), /Padaria São João <Centro> asks you to connect/)
  assert.match(await page.title(), /^Connect your WhatsApp number/)
  assert.equal(page.url(), `${scene.origin}/connect`)
  assert.ok(!(await page.content()).includes(scene.token))
  assert.equal(await page.evaluate('history.length'), 2)
  assert.deepEqual(seen.problems, [])
  assertNoProblems(scene, seen)
})

test('a person whose browser speaks Portuguese is spoken to in Portuguese', async (t) => {
  const scene = await startBrowserFixture(t)

  const { page, seen } = await scene.visit(undefined, { locale: 'pt-BR' })
  await page.getByRole('button', { name: 'Continuar' }).waitFor()

  assert.equal(await page.locator('html').getAttribute('lang'), 'pt-BR')
  assert.match(await page.locator('#open').innerText(), /Padaria São João <Centro> pede que você conecte/)
  assert.deepEqual(seen.problems, [])
})

test('the switch changes every word of the page, and back', async (t) => {
  const scene = await startBrowserFixture(t)
  const { page } = await scene.visit()
  await page.locator('#start').waitFor()
  const english = await page.locator('main').innerText()

  await page.getByLabel('Language').selectOption('Português')
  const portuguese = await page.locator('main').innerText()
  await page.getByLabel('Idioma').selectOption('English')

  assert.match(portuguese, /Conecte seu número/)
  const left = english.split('\n').filter((line) => line.length > 12 && portuguese.includes(line))
  assert.deepEqual(left, [])
  assert.equal(await page.locator('main').innerText(), english)
})

for (const [languages, spoken] of [
  [['en-GB', 'pt-BR'], 'en'],
  [['fr-FR', 'pt-PT', 'en'], 'pt-BR'],
  [['ja'], 'en'],
] as const) {
  test(`of the languages ${languages.join(', ')} the page speaks ${spoken}`, async (t) => {
    const scene = await startBrowserFixture(t)
    const { page } = await scene.visit('/connect')

    const chosen = await page.evaluate(
      `import('/connect/assets/translations.js').then((translations) => translations.preferredLanguage(${JSON.stringify(languages)}))`,
    )

    assert.equal(chosen, spoken)
  })
}

test('through the sign-up and the PIN a person comes to Connected, with number and name', async (t) => {
  const scene = await startBrowserFixture(t)
  const { page, seen } = await scene.visit()

  await signUp(page)
  await page.getByLabel(/Six digits/).fill('246810')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()

  const { status, display_phone_number, verified_name, quality_rating } = await scene.channel()
  assert.deepEqual([status, quality_rating], ['active', 'GREEN'])
  const text = await page.locator('#done').innerText()
  assert.ok(text.includes(display_phone_number) && text.includes(verified_name), text)
  assert.equal(page.url(), `${scene.origin}/connect`)
  assertNoProblems(scene, seen)
})

test('a number that is registered already needs no PIN, and then not one complaint is in the console', async (t) => {
  const scene = await startBrowserFixture(t)
  const { phoneNumberId, display } = await scene.up.number()
  const { page, seen } = await scene.visit(undefined, { locale: 'pt-BR' })

  await signUp(page, { number: phoneNumberId })
  await page.getByRole('heading', { name: 'Conectado' }).waitFor()

  assert.ok((await page.locator('#done').innerText()).includes(display))
  assert.equal((await scene.channel()).status, 'active')
  assert.deepEqual(seen.problems, [])
  assertNoProblems(scene, seen)
})

test('a number that stays on the business app is connected as such', async (t) => {
  const scene = await startBrowserFixture(t)
  const { page, seen } = await scene.visit()

  await signUp(page, { outcome: 'coexistence' })
  await page.getByRole('heading', { name: 'Connected' }).waitFor()

  const { status, coexistence } = await scene.channel()
  assert.deepEqual([status, coexistence], ['active', true])
  assertNoProblems(scene, seen)
})

test('of several numbers a person chooses one', async (t) => {
  const scene = await startBrowserFixture(t)
  const account = await scene.up.simulator.control<{
    numbers: { phone_number_id: string; display_phone_number: string }[]
  }>('POST', '/accounts', {
    numbers: [{ registered: true }, { registered: true }, { registered: true }],
  })
  const wanted = account.numbers[1]!
  const { page, seen } = await scene.visit()

  await signUp(page, { number: wanted.phone_number_id, outcome: 'only_account' })
  const choices = page.getByRole('group', { name: 'Which number?' }).getByRole('radio')
  await choices.first().waitFor()
  const offered = await choices.count()
  await page.getByLabel(wanted.display_phone_number).check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()

  assert.equal(offered, 3)
  assert.equal((await scene.channel()).display_phone_number, wanted.display_phone_number)
  assertNoProblems(scene, seen)
})

test('the whole way can be gone with the keyboard alone', async (t) => {
  const scene = await startBrowserFixture(t)
  const { page, seen } = await scene.visit()
  await page.locator('#start:focus').waitFor()

  const opening = page.waitForEvent('popup')
  await page.keyboard.press('Enter')
  const popup = await opening
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Continue' }).focus()
  await popup.keyboard.press('Enter')
  await closed
  await page.locator('#pin-input:focus').waitFor()
  await page.keyboard.type('135790')
  await page.keyboard.press('Enter')
  await page.locator('#done h1:focus').waitFor()

  assert.equal((await scene.channel()).status, 'active')
  assertNoProblems(scene, seen)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every word can be read in the ${colorScheme} scheme, on a small screen without scrolling sideways`, async (t) => {
    const scene = await startBrowserFixture(t)
    const { page } = await scene.visit(undefined, { colorScheme, viewport: { width: 320, height: 640 } })
    await signUp(page, { outcome: 'cancel' })
    await page.getByRole('alert').waitFor()

    const unreadable = await findUnreadable(page, ['h1', '#brand', '.quiet', '#start', '#problem', '#language'])
    const ground = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')

    assert.deepEqual(unreadable, [])
    assert.equal(/rgb\(2\d\d/.test(ground), colorScheme === 'light')
    assert.ok(Number(overflow) <= 0)
  })
}
