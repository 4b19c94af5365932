import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLink } from '../hub-with-upstream.ts'
import { buildPng } from '../images.ts'
import { assertNoProblems, findUnreadable, signUp, startBrowserFixture, untilTrue } from './browser.ts'

const COLOR = '#7a2e5d'
const COLOR_RGB = 'rgb(122, 46, 93)'

async function startBranded(t: Parameters<typeof startBrowserFixture>[0], color: string | null, logo?: Buffer) {
  const fixture = await startBrowserFixture(t)
  const { sql } = fixture.hub
  await sql`
    update organizations
    set name = 'Cobalto Lima', color = ${color}, logo = ${logo ?? null},
        logo_type = ${logo ? 'image/png' : null}, logo_set_at = ${logo ? new Date() : null}
    where id = ${fixture.acme.organizationId}`
  return fixture
}

const readColor = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector('${selector}')).${property}`

test('buttons, stops and the choice have the color of the organization, and who asks and the host show', {
  rules: ['connect.page-has-logo-and-color'],
}, async (t) => {
  const fixture = await startBranded(t, COLOR, buildPng(64, 32))
  const options = { success_url: 'https://panel.cobalto.pe/x' }
  const link = await createLink(fixture.acme, fixture.id, options)
  const { page, seen } = await fixture.visit(`/connect/${link}`, { locale: 'es' })
  await page.getByRole('button', { name: 'Continuar' }).waitFor()
  await untilTrue(page, 'document.querySelector("#brand img")?.naturalWidth === 64')

  for (const [selector, property] of [
    ['#start', 'backgroundColor'],
    ['input[type=radio]', 'accentColor'],
    ['label:has([type=radio]:checked)', 'borderTopColor'],
  ] as const) {
    assert.equal(await page.evaluate(readColor(selector, property)), COLOR_RGB, selector)
  }
  const text = await page.locator('#asked').innerText()
  assert.match(text, /Lo pide Cobalto Lima, .* Estás en 127\.0\.0\.1:\d+/)
  await signUp(page, { outcome: 'coexistence' })
  await page.getByText(/^Cobalto Lima ya /).waitFor()
  await page.getByRole('link', { name: 'Volver a panel.cobalto.pe' }).waitFor()
  assertNoProblems(fixture, seen)
})

test('an organization without a logo has its initials, and one whose color is too light has the color of the hub', {
  rules: ['connect.page-has-a-readable-color'],
}, async (t) => {
  const fixture = await startBranded(t, '#ffcc00')
  const { page } = await fixture.visit()
  await page.locator('#start').waitFor()

  assert.equal(await page.evaluate(readColor('#start', 'backgroundColor')), 'rgb(11, 107, 79)')
  assert.equal(await page.locator('#brand').getAttribute('data-initials'), 'CL')
  assert.equal(await page.locator('#brand img').count(), 0)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`all text is readable with a color in the ${colorScheme} scheme`, {
    rules: ['connect.page-has-a-readable-color'],
  }, async (t) => {
    const fixture = await startBranded(t, COLOR)
    const { page } = await fixture.visit(undefined, { colorScheme, viewport: { width: 320, height: 640 } })
    await page.locator('#start').waitFor()

    assert.deepEqual(await findUnreadable(page, ['h1', '#brand', '#start', '#asked', '#expires']), [])
  })
}
