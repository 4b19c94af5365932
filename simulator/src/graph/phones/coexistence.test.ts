import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listStatuses, listValues, type SeededAccount, startFixture } from '../../test/harness.ts'

const DAY_MS = 86_400_000

async function addAppNumber(fixture: Fixture, extra: Record<string, boolean> = {}): Promise<string> {
  const path = `/accounts/${fixture.wabaId}/numbers`
  return (await fixture.control<SeededAccount['numbers'][0]>('POST', path, { coexistence: true, ...extra }))
    .phone_number_id
}

function sync(fixture: Fixture, phoneId: string, sync_type: string) {
  return fixture.graph('POST', `/v25.0/${phoneId}/smb_app_data`, { messaging_product: 'whatsapp', sync_type })
}

test('contacts and history are synced once each, by webhook', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addAppNumber(fixture)

  const contacts = await sync(fixture, phoneId, 'smb_app_state_sync')
  const history = await sync(fixture, phoneId, 'history')
  await fixture.advance(1_000)

  assert.equal(contacts.body.messaging_product, 'whatsapp')
  assert.ok(contacts.body.request_id && history.body.request_id)
  assert.equal((await sync(fixture, phoneId, 'history')).body.error.code, 2593107)
  const [state] = listValues(fixture.receiver, 'smb_app_state_sync') as [{ state_sync: { action: string }[] }]
  assert.equal(state.state_sync[0]?.action, 'add')
  const chunks = listValues(fixture.receiver, 'history') as {
    history: [{ metadata: { phase: number; progress: number } }]
  }[]
  assert.deepEqual(
    chunks.map(({ history: [{ metadata }] }) => [metadata.phase, metadata.progress]),
    [
      [0, 33],
      [1, 67],
      [2, 100],
    ],
  )
})

test('a sync later than a day after onboarding is 2593108', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addAppNumber(fixture)

  await fixture.advance(DAY_MS + 1)

  assert.equal((await sync(fixture, phoneId, 'history')).body.error.code, 2593108)
})

test('the history webhook has an error if the business does not share its history', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addAppNumber(fixture, { shares_history: false })

  await sync(fixture, phoneId, 'history')
  await fixture.advance(1_000)

  const [value] = listValues(fixture.receiver, 'history') as [{ history: [{ errors: [{ code: number }] }] }]
  assert.equal(value.history[0].errors[0].code, 2593109)
})

test('a sync of a number that is not on the business app, and an unknown sync, are refused', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addAppNumber(fixture)

  assert.equal((await sync(fixture, fixture.phoneId, 'history')).body.error.code, 100)
  assert.equal((await sync(fixture, phoneId, 'everything')).body.error.code, 100)
  const unnamed = await fixture.graph('POST', `/${phoneId}/smb_app_data`, { sync_type: 'history' })
  assert.match(unnamed.body.error.message, /messaging_product is required/)
})

test('a message of the owner in the business app is echoed and opens no window', async (t) => {
  const fixture = await startFixture(t)
  const phoneId = await addAppNumber(fixture)

  await fixture.control('POST', `/numbers/${phoneId}/echoes`, {
    to: '5511999990000',
    type: 'text',
    text: { body: 'Já vai' },
  })
  await fixture.graph('POST', `/${phoneId}/messages`, {
    messaging_product: 'whatsapp',
    to: '5511999990000',
    text: { body: 'x' },
  })
  await fixture.advance(10_000)

  const [value] = listValues(fixture.receiver, 'smb_message_echoes') as [
    { message_echoes: [{ to: string; text: { body: string } }] },
  ]
  assert.deepEqual([value.message_echoes[0].to, value.message_echoes[0].text.body], ['5511999990000', 'Já vai'])
  assert.equal(listStatuses(fixture.receiver)[0]?.errors?.[0]?.code, 131047)
})

test('only a coexistence number sends echoes', async (t) => {
  const fixture = await startFixture(t)

  const echo = fixture.control('POST', `/numbers/${fixture.phoneId}/echoes`, { to: '5511999990000' })

  await assert.rejects(echo, /Only a coexistence number/)
})
