import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const READ_MS = 60_000

test('an endpoint is at the end of the path as soon as it is added', async (t) => {
  const fixture = await startConnected(t)
  await fixture.receive('Vocês abrem hoje?')
  const { page, seen } = await visitAs(fixture, fixture.ana, '/simulator')
  const path = page.getByRole('list', { name: 'The way of a message' })
  await path.getByText('no endpoint yet').waitFor()

  await fixture.acme.post('/api/v1/webhooks', { name: 'crm-bella', url: 'https://93.184.216.34/in' })

  await path.getByText('crm-bella').waitFor()
  assert.equal(await path.getByText('no endpoint yet').count(), 0)
  assertNoProblems(fixture, seen)
})

test('the phone has no message that failed, and the ticks of the others are those of the log', async (t) => {
  const fixture = await startConnected(t)
  const { up, acme, ana, id } = fixture
  await fixture.receive('Vocês abrem hoje?')
  const { page, seen } = await visitAs(fixture, ana, '/simulator')
  const chat = page.getByRole('log')
  const stream = page.locator('[data-row]')
  await chat.getByText('Vocês abrem hoje?').waitFor()

  await fixture.fail(131026)
  await fixture.send('Isto não chega')
  await stream.getByText('131026').waitFor()
  await fixture.fail(null)
  await fixture.send('Abrimos às 7')
  const bubble = chat.getByRole('listitem').filter({ hasText: 'Abrimos às 7' })
  await bubble.getByText('delivered', { exact: true }).waitFor()

  assert.equal(await chat.getByText('Isto não chega').count(), 0)
  await assertNoBarriers(page, 'the simulator with a failure')
  await up.simulator.control('POST', '/clock', { advance_ms: READ_MS })
  await bubble.getByText('read', { exact: true }).waitFor()
  const { messages } = (await acme.get(`/api/v1/channels/${id}/messages?direction=outbound`)).body.data
  assert.deepEqual(
    messages.map(({ status }: { status: string }) => status),
    ['read', 'failed'],
  )
  assertNoProblems(fixture, seen)
})
