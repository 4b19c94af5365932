import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { parseRateCards } from '../../src/domains/costs/rates/rate-card.ts'
import { createChannel } from '../hub-with-upstream.ts'
import { assertNoProblems, startBrowserFixture, untilCount } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES

const CARD = [
  {
    currency: 'BRL',
    valid_from: '2020-01-01',
    rates: [
      { country: '*', category: 'marketing', amount: '0.3' },
      { country: '*', category: 'utility', amount: '0.04' },
      { country: 'BR', category: 'authentication', amount: '0.05' },
    ],
  },
]

/** An organization with messages on each day of this month and of the last one, of two channels. */
async function startPriced(t: TestContext, rateCards?: unknown) {
  const installation = rateCards === undefined ? {} : { rateCards: parseRateCards(JSON.stringify(rateCards)) }
  const fixture = await startBrowserFixture(t, {}, { installation })
  const { hub, acme, id } = fixture
  const other = await createChannel(acme, { name: 'Óptica Miraflores' })
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })

  async function insert(): Promise<void> {
    await hub.sql`
      insert into cost_deltas (organization_id, channel_id, day, category, type, country, volume)
      select ${acme.organizationId}, c.id, d::date, k.category, k.type, k.country, k.volume + extract(day from d)::int * 7 % 40
      from unnest(${[id, other.id]}::uuid[]) c (id),
        generate_series(date_trunc('month', hub_now() at time zone 'UTC') - interval '1 month',
          date_trunc('day', hub_now() at time zone 'UTC'), '1 day') d,
        (values ('marketing', 'regular', 'BR', 300), ('utility', 'regular', 'BR', 200), ('utility', 'regular', 'PE', 30),
          ('authentication', 'regular', 'BR', 60), ('service', 'free_customer_service', 'unknown', 20)) k (category, type, country, volume)`
    await hub.context.costVolumes.fold()
  }
  return { ...fixture, ana, other, insert }
}

const LOOKS = [
  { locale: 'en-US', colorScheme: 'light', width: 1440 },
  { locale: 'en-US', colorScheme: 'dark', width: 390 },
  { locale: 'pt-BR', colorScheme: 'light', width: 390 },
  { locale: 'pt-BR', colorScheme: 'dark', width: 1440 },
] as const

async function assertFits(page: Page, what: string): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  assert.equal(excess, 0, `${what} scrolls sideways`)
}

for (const { width, ...look } of LOOKS) {
  test(`the page of costs is whole and without barriers: ${look.locale}, ${look.colorScheme}, ${width} pixels wide`, {
    rules: ['cost.dashboard-shows-a-month'],
  }, async (t) => {
    const fixture = await startPriced(t, CARD)
    const { acme, ana, id, other, insert } = fixture
    await insert()
    await acme.patch(`/api/v1/channels/${id}`, { monthly_budget: 300_000 })
    await acme.patch(`/api/v1/channels/${other.id}`, { monthly_budget: 150_000 })
    const { page, seen } = await visitAs(fixture, ana, '/usage/costs', { ...look, viewport: { width, height: 900 } })

    await page.getByRole('table', { name: look.locale === 'pt-BR' ? 'Por país' : 'By country' }).waitFor()
    await assertNoBarriers(page, 'the page of costs')
    await assertFits(page, 'the page of costs')
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `costs-${look.locale}-${width}.png`), fullPage: true })
    assertNoProblems(fixture, seen)
  })
}

test('a person reads the month, one channel and the last month, and sets a budget', {
  rules: ['cost.dashboard-shows-a-month'],
}, async (t) => {
  const fixture = await startPriced(t, CARD)
  const { acme, ana, other, insert } = fixture
  await insert()
  const { page, seen } = await visitAs(fixture, ana, '/usage', { locale: 'en-US' })

  await page.getByRole('link', { name: 'What messages cost' }).click()
  await page.getByRole('heading', { name: 'Costs' }).waitFor()
  await page.getByRole('button', { name: 'Set budget of Óptica Miraflores' }).click()
  await page.getByLabel('Amount in BRL').fill('much')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter an amount such as 1250.50.').waitFor()
  await page.getByLabel('Amount in BRL').fill('19.90')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/% of R\$19\.90/).waitFor()
  const { channel } = (await acme.get(`/api/v1/channels/${other.id}`)).body.data
  assert.equal(channel.monthly_budget, 1990)

  await page.getByRole('button', { name: 'View as table' }).click()
  await page.getByRole('table', { name: 'Costs by day and category' }).waitFor()
  await page.getByRole('button', { name: 'Last month' }).click()
  await page.waitForURL(/month=20\d\d-\d\d/)
  await page.getByRole('button', { name: 'All channels' }).click()
  await page.getByRole('menuitemradio', { name: 'Óptica Miraflores' }).click()
  await page.waitForURL(/channel_id=/)
  const rows = page.getByRole('table', { name: 'By channel' }).locator('tbody tr')
  await untilCount(rows, 1)
  assert.match(await rows.first().innerText(), /Óptica Miraflores/)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  assert.match((await download).suggestedFilename(), /^costs-20\d\d-\d\d-01\.csv$/)
  assertNoProblems(fixture, seen)
})

test('without a rate card the page has messages, without messages it says so, and a failure can be tried again', {
  rules: ['cost.dashboard-shows-a-month'],
}, async (t) => {
  const fixture = await startPriced(t)
  const { ana, insert } = fixture
  const { page } = await visitAs(fixture, ana, '/usage/costs', { locale: 'en-US' })

  await page.getByText('No priced messages this month').waitFor()
  await assertNoBarriers(page, 'the page of costs without messages')
  await insert()
  let isFailing = true
  await page.route('**/api/v1/usage/costs?**', (route) =>
    isFailing ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await page.reload()
  await page.getByText('The costs could not be loaded').waitFor()
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This hub has no rate card.').waitFor()
  await assertNoBarriers(page, 'the page of costs without a rate card')
  assert.equal(await page.getByRole('columnheader', { name: 'Monthly budget' }).count(), 0)
})
