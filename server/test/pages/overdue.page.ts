import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../src/kernel/ids.ts'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
const FAILS_ON_RENEWAL = '4000000000000341'
const VISA = '4242424242424242'

type Listed = { id: string; status: string }

/** An organization that has paid for a plan, with functions that let its payment fail, and pay. */
async function startSubscribed(t: TestContext, card = FAILS_ON_RENEWAL) {
  const fixture = await startConnected(t, { BILLING: 'sandbox' })
  const { hub, acme, up } = fixture
  const { control } = up.simulator
  await control('PUT', '/payments/callback', { url: `${hub.url}/hooks/billing` })
  await control('PUT', '/payments/settings', { after_retries: 'unpaid' })
  const headers = { 'idempotency-key': newId() }
  assert.equal((await acme.post('/api/v1/subscription/checkout', { plan: 'starter' }, { headers })).status, 201)
  const list = async (kind: string) =>
    (await control<Record<string, Listed[]>>('GET', `/payments/objects/${kind}`))[kind] ?? []
  for (const { id } of await list('checkout_sessions')) await control('POST', `/payments/checkout/${id}`, { card })

  return {
    ...fixture,
    advanceDays: (days: number) => control('POST', '/payments/clock', { advance_days: days }),

    async pay(): Promise<void> {
      const open = (await list('invoices')).filter(({ status }) => status === 'open')
      for (const { id } of open) await control('POST', `/payments/invoices/${id}/pay`, { card: VISA })
    },
  }
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
}

test('an overdue payment is on every page, and what fails in a suspension says why', {
  rules: ['billing.overdue-is-on-every-page'],
}, async (t) => {
  const fixture = await startSubscribed(t)
  const { hub, ana, acme, id, advanceDays, pay, receive, send } = fixture
  await receive()
  const messageId = await send('Olá')
  await advanceDays(32)

  const { page, seen } = await visitAs(fixture, ana, '/webhooks')
  const banner = page.getByRole('region', { name: /R\$99\.00 is overdue since/ })
  await banner.getByText(/tries again on .* sending and new channels stop/).waitFor()
  const payLink = banner.getByRole('link', { name: 'Pay R$99.00' })
  assert.match(String(await payLink.getAttribute('href')), /\/i\/in_/)
  await banner.getByRole('button', { name: 'Change card' }).waitFor()
  await page.goto(`${fixture.origin}/usage`)
  await page.getByRole('heading', { name: 'Open invoice' }).waitFor()
  await page.getByText('Nothing more can be bought').waitFor()
  assert.equal(await page.getByText('Pay the open invoice first.').count(), 2)
  assert.ok(await page.getByRole('button', { name: 'Change to Pro' }).isDisabled())
  assert.ok(await page.getByRole('button', { name: 'Add one' }).isDisabled())
  await assertNoBarriers(page, 'an overdue payment')
  await picture(page, 'overdue')
  for (const [name, look] of [
    ['overdue-dark-phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'pt-BR' }],
    ['overdue-es', { viewport: { width: 1440, height: 900 }, locale: 'es' }],
  ] as const) {
    const other = await visitAs(fixture, ana, '/usage', look)
    await other.page
      .getByRole('link', { name: /^Pagar R\$|^Pagar BRL/ })
      .first()
      .waitFor()
    await assertNoBarriers(other.page, name)
    await picture(other.page, name)
    assertNoProblems(fixture, other.seen)
  }

  // The day of the next attempt is gone with the last one.
  await advanceDays(30)
  await page.getByText('Sending and new channels are stopped until it is paid.').waitFor()
  await page.goto(`${fixture.origin}/channels`)
  await page.getByText('suspended until the open invoice is paid').waitFor()
  assert.ok(await page.getByRole('button', { name: 'New channel' }).isDisabled())
  await picture(page, 'suspended')
  await page.goto(`${fixture.origin}/channels/${id}?tab=test`)
  await page.getByText('suspended until the open invoice is paid').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Send message' }).isDisabled())
  await page.goto(`${fixture.origin}/messages?open=${messageId}`)
  await page.getByText('suspended until the open invoice is paid').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Send again' }).isDisabled())

  const developer = await hub.person({ organizationId: acme.organizationId, role: 'developer' })
  const theirs = await visitAs(fixture, developer, '/channels')
  await theirs.page.getByText('suspended until the open invoice is paid').waitFor()
  assert.equal(await theirs.page.getByRole('link', { name: /^Pay/ }).count(), 0)

  await pay()
  await page.getByText('Paid. Everything works again.').waitFor()
  assert.equal(await page.getByRole('link', { name: /^Pay/ }).count(), 0)
  for (const one of [seen, theirs.seen]) assertNoProblems(fixture, one)
})

test('what is above the limits is said before a change and after it, and on Free the button says Upgrade', {
  rules: ['billing.what-is-above-a-limit-is-said'],
}, async (t) => {
  const fixture = await startSubscribed(t, VISA)
  const { hub, ana, acme, origin } = fixture
  for (const name of ['second', 'third', 'fourth']) {
    assert.equal((await acme.post('/api/v1/channels', { name })).status, 201)
  }

  const { page, seen } = await visitAs(fixture, ana, '/usage')
  await page.getByText('If you cancel, the Free plan applies: 2 channels and 5 endpoints.').waitFor()
  await page.getByText('2 channels above that limit keep working').waitFor()
  await page.getByRole('button', { name: 'Add one' }).click()
  await page.getByText('Charged now').waitFor()
  await page.getByText('R$118.00 per month').waitFor()
  await assertNoBarriers(page, 'a preview')
  await picture(page, 'preview')

  await hub.sql`
    update subscriptions
    set plan = 'free', status = 'canceled'
    where organization_id = ${acme.organizationId}`
  await page.goto(`${origin}/messages`)
  const banner = page.getByRole('region', { name: '4 channels in use, and the Free plan has room for 2.' })
  await banner.getByText('All keep working. No channel can be added until 3 are removed.').waitFor()
  await assertNoBarriers(page, 'above the limits')
  await picture(page, 'over-limit')
  await banner.getByRole('link', { name: 'Upgrade' }).click()
  await page.getByRole('button', { name: 'Upgrade to Starter' }).waitFor()
  await page.goto(`${origin}/channels`)
  await page.getByRole('main').getByRole('link', { name: 'Upgrade' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await assertNoBarriers(page, 'above the limits on a phone')
  await picture(page, 'over-limit-phone')
  assertNoProblems(fixture, seen)
})
