import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../receiver.ts'
import { assertNoProblems, untilCount } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES

test('a pause stands among the deliveries, beside its messages, and leads to the log of its time', async (t) => {
  const receiver = await startReceiver(t)
  const fixture = await startConnected(t, { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' })
  const { hub, acme, ana, origin, receive } = fixture
  const console = ana.with({ origin })
  const create = async (name: string) =>
    (await acme.post('/api/v1/webhooks', { name, url: `${receiver.url}/${name}` })).body.data.webhook.id
  const [crm, erp] = [await create('crm'), await create('erp-pedidos')]
  await receive('antes')
  await hub.deliver()
  await hub.clock.advance('1 minute')
  assert.equal((await console.patch(`/api/v1/webhooks/${erp}`, { status: 'paused' })).status, 200)
  await receive('durante a pausa')
  await receive('ainda durante')
  await hub.deliver()

  const { page, seen } = await visitAs(fixture, ana, `/webhooks/${erp}`, { viewport: { width: 1440, height: 900 } })
  await page.clock.setSystemTime(hub.clock.now())
  const row = page.getByRole('row').filter({ hasText: /Paused since/ })
  await row.getByText('2 events not sent so far').waitFor()
  await page.getByRole('complementary', { name: 'Pauses' }).getByText('These events stay in the message log.').waitFor()
  await assertNoBarriers(page, 'an endpoint that is paused')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/pause-open.png` })
  await hub.clock.advance('1 minute')
  await row.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('2 events not sent', { exact: true }).waitFor()
  await page.getByText('Resumed by Ana').first().waitFor()
  await hub.clock.advance('1 minute')
  await receive('depois')
  await hub.deliver()
  await page
    .getByRole('row', { name: /message\.received/ })
    .nth(1)
    .waitFor()
  const places = await page.locator('tbody tr').allInnerTexts()
  assert.deepEqual(
    places.map((text) => (text.includes('Paused') ? 'pause' : 'delivery')),
    ['delivery', 'pause', 'delivery'],
  )
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/pause-over.png` })

  await page
    .getByRole('row')
    .filter({ hasText: /Paused/ })
    .getByRole('link', { name: 'Message log' })
    .click()
  await page.waitForURL(/messages\?date=/)
  const messages = page.getByRole('row', { name: /Bruno Lima|95550/ })
  await untilCount(messages, 2)
  await messages.first().click()
  const drawer = page.getByRole('complementary')
  await drawer.getByText('Delivered to 1 endpoint, 1 endpoint was paused').waitFor()
  await drawer.getByRole('link', { name: 'erp-pedidos' }).waitFor()
  await assertNoBarriers(page, 'a message of a pause')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/pause-message.png` })

  const look = { locale: 'es', colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const
  const spanish = await visitAs(fixture, ana, `/webhooks/${erp}`, look)
  await spanish.page.getByText('2 eventos sin enviar', { exact: true }).waitFor()
  await assertNoBarriers(spanish.page, 'a pause in Spanish, dark, on a phone')
  if (PICTURES) await spanish.page.screenshot({ path: `${PICTURES}/pause-phone.png` })
  const untouched = await visitAs(fixture, ana, `/webhooks/${crm}`)
  await untouched.page
    .getByRole('row', { name: /message\.received/ })
    .nth(3)
    .waitFor()
  assert.equal(await untouched.page.getByText(/events? not sent/).count(), 0)
  for (const one of [seen, spanish.seen, untouched.seen]) assertNoProblems(fixture, one)
})
