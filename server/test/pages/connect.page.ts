import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoProblems, findUnreadable, signUp, startBrowserFixture } from './browser.ts'

test('a person sees in English which organization asks to connect which channel', {
  rules: ['connect.link-shows-organization-and-channel'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)

  const { page, seen } = await fixture.visit()
  await page.getByRole('button', { name: 'Continue' }).waitFor()

  assert.equal(await page.locator('html').getAttribute('lang'), 'en')
  const text = await page.locator('#open').innerText()
  assert.match(text, /^Connect the WhatsApp of Padaria São João <Centro>\s+It takes about five minutes/)
  assert.match(text, /Requested by Acme, which will be able to send .* You are on 127\.0\.0\.1:\d+\./)
  assert.match(await page.title(), /^Connect your WhatsApp number/)
  assert.equal(page.url(), `${fixture.origin}/connect`)
  assert.ok(!(await page.content()).includes(fixture.token))
  assert.equal(await page.evaluate('history.length'), 2)
  assert.deepEqual(seen.problems, [])
  assertNoProblems(fixture, seen)
})

test('the page is in Portuguese for a Portuguese browser', {
  rules: ['connect.link-shows-organization-and-channel'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)

  const { page, seen } = await fixture.visit(undefined, { locale: 'pt-BR' })
  await page.getByRole('button', { name: 'Continuar' }).waitFor()

  assert.equal(await page.locator('html').getAttribute('lang'), 'pt-BR')
  const text = await page.locator('#open').innerText()
  assert.match(text, /^Conecte o WhatsApp de Padaria São João <Centro>\s+Leva/)
  assert.match(text, /Quem pede é Acme, que vai poder enviar/)
  assert.deepEqual(seen.problems, [])
})

test('the page is in the language of its address, and so is the sign-up of the simulator', async (t) => {
  const fixture = await startBrowserFixture(t)

  const { page } = await fixture.visit(`/connect/${fixture.token}?lang=es`)
  await page.getByRole('button', { name: 'Continuar' }).waitFor()
  const opening = page.waitForEvent('popup')
  await page.locator('#start').click()
  const popup = await opening

  await popup.getByRole('heading', { name: 'Conecta un número' }).waitFor()
  assert.equal(page.url(), `${fixture.origin}/connect`)
  assert.equal(await page.locator('html').getAttribute('lang'), 'es')
})

test('the name of an organization is shown as text, and a long one breaks on a small screen', async (t) => {
  const fixture = await startBrowserFixture(t)
  const name = `<img src=x onerror=alert(1)>${'x'.repeat(72)}`
  await fixture.hub.sql`update organizations set name = ${name} where id = ${fixture.acme.organizationId}`

  const { page, seen } = await fixture.visit(undefined, { viewport: { width: 320, height: 640 } })
  await page.locator('#start').waitFor()
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')

  assert.equal(await page.locator('#brand').innerText(), name)
  assert.equal(await page.locator('#asked strong').first().innerText(), name)
  assert.equal(await page.locator('img').count(), 0)
  assert.ok(Number(overflow) <= 0)
  assertNoProblems(fixture, seen)
})

test('names that are written from right to left, or turn the direction, leave the sentence around them as it is', {
  rules: ['page.names-cannot-reorder-words'],
}, async (t) => {
  const fixture = await startBrowserFixture(t)
  await fixture.hub.sql`update organizations set name = ${'Acme\u202E'} where id = ${fixture.acme.organizationId}`
  await fixture.hub.sql`update channels set name = ${'מאפייה 7'} where id = ${fixture.id}`

  const { page } = await fixture.visit()
  await page.locator('#start').waitFor()
  const places = await page.evaluate(`[...document.querySelectorAll('#title, #asked')]
    .flatMap(({ childNodes }) => [...childNodes].filter((node) => node.textContent !== ''))
    .map((node) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return range.getClientRects()[0]
    })
    .map(({ left, top }) => [top, left])`)

  const read = (places as [number, number][]).map(([top, left]) => top * 10_000 + left)
  assert.deepEqual(
    read,
    read.toSorted((a, b) => a - b),
  )
})

test('the language switch changes all text of the page, and back', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page } = await fixture.visit()
  await page.locator('#start').waitFor()
  const english = await page.locator('main').innerText()

  await page.getByLabel('Language').selectOption('Português')
  const portuguese = await page.locator('main').innerText()
  await page.getByLabel('Idioma').selectOption('English')

  assert.match(portuguese, /Conecte o WhatsApp de/)
  const left = english.split('\n').filter((line) => line.length > 12 && portuguese.includes(line))
  assert.deepEqual(left, [])
  assert.equal(await page.locator('main').innerText(), english)
})

for (const [languages, spoken] of [
  [['en-GB', 'pt-BR'], 'en'],
  [['fr-FR', 'pt-PT', 'en'], 'pt-BR'],
  [['ja'], 'en'],
] as const) {
  test(`the page is in ${spoken} for the languages ${languages.join(', ')}`, async (t) => {
    const fixture = await startBrowserFixture(t)
    const { page } = await fixture.visit('/connect')

    const chosen = await page.evaluate(
      `import('/connect/assets/languages.js').then((languages) => languages.findPreferredLanguage(${JSON.stringify(languages)}))`,
    )

    assert.equal(chosen, spoken)
  })
}

test('a person with a number for this system alone completes the sign-up and the PIN', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page, seen } = await fixture.visit()

  await page.getByLabel('Only for this system').check()
  await signUp(page)
  await page.getByLabel(/Six digits/).fill('246810')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()

  const { status, display_phone_number, verified_name, quality_rating, coexistence } = await fixture.channel()
  assert.deepEqual([status, quality_rating, coexistence], ['active', 'GREEN', false])
  const text = await page.locator('#done').innerText()
  assert.ok(text.includes(display_phone_number) && text.includes(verified_name), text)
  assert.equal(page.url(), `${fixture.origin}/connect`)
  assertNoProblems(fixture, seen)
})

test('a registered number needs no PIN, and the console has no errors', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { phoneNumberId, display } = await fixture.up.number()
  const { page, seen } = await fixture.visit(undefined, { locale: 'pt-BR' })

  await signUp(page, { number: phoneNumberId })
  await page.getByRole('heading', { name: 'Conectado' }).waitFor()

  assert.ok((await page.locator('#done').innerText()).includes(display))
  assert.equal((await fixture.channel()).status, 'active')
  assert.deepEqual(seen.problems, [])
  assertNoProblems(fixture, seen)
})

test('a person whose number is in the business app, which the page assumes, connects it with coexistence', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page, seen } = await fixture.visit()

  await signUp(page)
  await page.getByRole('heading', { name: 'Connected' }).waitFor()

  const { status, coexistence } = await fixture.channel()
  assert.deepEqual([status, coexistence], ['active', true])
  assertNoProblems(fixture, seen)
})

test('a person chooses one of several numbers', async (t) => {
  const fixture = await startBrowserFixture(t)
  const account = await fixture.up.simulator.control<{
    numbers: { phone_number_id: string; display_phone_number: string }[]
  }>('POST', '/accounts', {
    numbers: [{ registered: true }, { registered: true }, { registered: true }],
  })
  const wanted = account.numbers[1]!
  const { page, seen } = await fixture.visit()

  await signUp(page, { number: wanted.phone_number_id, outcome: 'only_account' })
  const choices = page.getByRole('group', { name: 'Which number?' }).getByRole('radio')
  await choices.first().waitFor()
  const offered = await choices.count()
  await page.getByLabel(wanted.display_phone_number).check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()

  assert.equal(offered, 3)
  assert.equal((await fixture.channel()).display_phone_number, wanted.display_phone_number)
  assertNoProblems(fixture, seen)
})

test('the whole sign-up works with only the keyboard', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page, seen } = await fixture.visit()
  await page.locator('#start:focus').waitFor()
  for (const key of ['Shift+Tab', 'ArrowDown', 'Tab']) await page.keyboard.press(key)

  const opening = page.waitForEvent('popup')
  await page.keyboard.press('Enter')
  const popup = await opening
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Continue' }).focus()
  // The key submits when it goes down, and the window may have closed itself before the key is up.
  await popup.keyboard.down('Enter')
  await closed
  await page.locator('#pin-input:focus').waitFor()
  await page.keyboard.type('135790')
  await page.keyboard.press('Enter')
  await page.locator('#done h1:focus').waitFor()

  assert.equal((await fixture.channel()).status, 'active')
  assertNoProblems(fixture, seen)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`all text is readable in the ${colorScheme} scheme on a small screen without horizontal scrolling`, async (t) => {
    const fixture = await startBrowserFixture(t)
    const { page } = await fixture.visit(undefined, { colorScheme, viewport: { width: 320, height: 640 } })
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
