import { test } from 'node:test'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
const VIEWS = [
  { name: 'wide', language: 'en', title: 'The hub is on hold.', width: 1440 },
  { name: 'narrow', language: 'pt-BR', title: 'O hub está em espera.', width: 390 },
  { name: 'dark', language: 'es', title: 'El hub está en espera.', width: 1440 },
] as const

test('a hub on hold says so on every page, in each language, and on the page of its state', {
  rules: ['hold.dashboard-says-so'],
}, async (t) => {
  const fixture = await startConnected(t)
  const { hub, ana } = fixture
  await hub.context.hold.set('restore')
  t.after(() => hub.context.hold.release())

  for (const { name, language, title, width } of VIEWS) {
    const options = {
      viewport: { width, height: 900 },
      locale: language,
      colorScheme: name === 'dark' ? 'dark' : 'light',
    } as const
    const { page, seen } = await visitAs(fixture, ana, '/', options)
    await page.getByText(title).waitFor()
    await page.locator('main:not(:has([data-loading]))').waitFor()
    await assertNoBarriers(page, `a hub on hold, ${name}`)
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/held-${name}.png` })
    assertNoProblems(fixture, seen)
  }
  const { page } = await visitAs(fixture, ana, '/developers?tab=status')
  await page.getByText('on hold: it sends and delivers nothing').waitFor()
})
