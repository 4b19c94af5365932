import assert from 'node:assert/strict'
import { test } from 'node:test'
import { es } from '@hubline/locales/dashboard/listeners/es.ts'
import { fillText } from '../../src/kernel/pages/fill-text.ts'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES

test('a terminal that listens is on Webhooks, Overview and the Simulator until it is over', {
  rules: ['listener.dashboard-lists-live-ones'],
}, async (t) => {
  const fixture = await startConnected(t, { BILLING: 'off' })
  const { acme, ana, origin, receive } = fixture
  const { data } = (await acme.post('/api/v1/listeners', { event_types: ['message.received'] })).body
  await receive()

  const { page, seen } = await visitAs(fixture, ana, '/webhooks')
  const card = page.getByRole('list', { name: 'Listeners' })
  await card.getByText('hubline listen').waitFor()
  await card.getByText('message.received').waitFor()
  await card.getByText('1 not received yet').waitFor()
  await assertNoBarriers(page, 'a listener')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/listeners.png` })
  await page.goto(`${origin}/`)
  await page.getByText('terminal listening').waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/listeners-overview.png` })
  const look = { locale: 'es', colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const
  const other = await visitAs(fixture, ana, '/simulator', look)
  await other.page.getByText(fillText(es.alsoListening_one, { count: 1 })).waitFor()
  await assertNoBarriers(other.page, 'a listener in the simulator')
  if (PICTURES) await other.page.screenshot({ path: `${PICTURES}/listeners-simulator.png`, fullPage: true })
  await other.page.goto(`${origin}/webhooks`)
  await other.page.getByRole('list', { name: es.title }).waitFor()
  if (PICTURES) await other.page.screenshot({ path: `${PICTURES}/listeners-phone.png` })

  await page.goto(`${origin}/webhooks`)
  await card.waitFor()
  const headers = { 'x-hub-listener-secret': data.secret }
  assert.equal((await acme.delete(`/api/v1/listeners/${data.listener.id}`, { headers })).status, 200)
  await card.waitFor({ state: 'detached' })
  for (const one of [seen, other.seen]) assertNoProblems(fixture, one)
})
