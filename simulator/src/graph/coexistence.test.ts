import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bench, type SeededAccount, startBench, statusesIn, valuesOf } from '../test/harness.ts'

const DAY_MS = 86_400_000

async function addAppNumber(bench: Bench, extra: Record<string, boolean> = {}): Promise<string> {
  const path = `/accounts/${bench.wabaId}/numbers`
  return (await bench.control<SeededAccount['numbers'][0]>('POST', path, { coexistence: true, ...extra }))
    .phone_number_id
}

function sync(bench: Bench, phoneId: string, sync_type: string) {
  return bench.graph('POST', `/v25.0/${phoneId}/smb_app_data`, { messaging_product: 'whatsapp', sync_type })
}

test('contacts and history are handed over once each, by webhook', async (t) => {
  const bench = await startBench(t)
  const phoneId = await addAppNumber(bench)

  const contacts = await sync(bench, phoneId, 'smb_app_state_sync')
  const history = await sync(bench, phoneId, 'history')
  await bench.advance(1_000)

  assert.equal(contacts.body.messaging_product, 'whatsapp')
  assert.ok(contacts.body.request_id && history.body.request_id)
  assert.equal((await sync(bench, phoneId, 'history')).body.error.code, 2593107)
  const [state] = valuesOf(bench.receiver, 'smb_app_state_sync') as [{ state_sync: { action: string }[] }]
  assert.equal(state.state_sync[0]?.action, 'add')
  const chunks = valuesOf(bench.receiver, 'history') as {
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
  const bench = await startBench(t)
  const phoneId = await addAppNumber(bench)

  await bench.advance(DAY_MS + 1)

  assert.equal((await sync(bench, phoneId, 'history')).body.error.code, 2593108)
})

test('a business that keeps its history to itself is told of by an error in the webhook', async (t) => {
  const bench = await startBench(t)
  const phoneId = await addAppNumber(bench, { shares_history: false })

  await sync(bench, phoneId, 'history')
  await bench.advance(1_000)

  const [value] = valuesOf(bench.receiver, 'history') as [{ history: [{ errors: [{ code: number }] }] }]
  assert.equal(value.history[0].errors[0].code, 2593109)
})

test('an ordinary number has nothing to sync, and unknown syncs are refused', async (t) => {
  const bench = await startBench(t)
  const phoneId = await addAppNumber(bench)

  assert.equal((await sync(bench, bench.phoneId, 'history')).body.error.code, 100)
  assert.equal((await sync(bench, phoneId, 'everything')).body.error.code, 100)
  const unnamed = await bench.graph('POST', `/${phoneId}/smb_app_data`, { sync_type: 'history' })
  assert.match(unnamed.body.error.message, /messaging_product is required/)
})

test('what the owner writes in the app is echoed and opens no window', async (t) => {
  const bench = await startBench(t)
  const phoneId = await addAppNumber(bench)

  await bench.control('POST', `/numbers/${phoneId}/echoes`, {
    to: '5511999990000',
    type: 'text',
    text: { body: 'Já vai' },
  })
  await bench.graph('POST', `/${phoneId}/messages`, {
    messaging_product: 'whatsapp',
    to: '5511999990000',
    text: { body: 'x' },
  })
  await bench.advance(10_000)

  const [value] = valuesOf(bench.receiver, 'smb_message_echoes') as [
    { message_echoes: [{ to: string; text: { body: string } }] },
  ]
  assert.deepEqual([value.message_echoes[0].to, value.message_echoes[0].text.body], ['5511999990000', 'Já vai'])
  assert.equal(statusesIn(bench.receiver)[0]?.errors?.[0]?.code, 131047)
})

test('only a number on the app echoes', async (t) => {
  const bench = await startBench(t)

  const echo = bench.control('POST', `/numbers/${bench.phoneId}/echoes`, { to: '5511999990000' })

  await assert.rejects(echo, /Only a coexistence number/)
})
