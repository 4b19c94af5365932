import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../../server/test/receiver.ts'
import { createForwarder, type Outcome } from './forwarder.ts'

const DELIVERY = { id: 'd-1', event: 'phone.quality', headers: { 'x-hub-delivery-id': 'd-1' }, body: '{}' }

test('once the secret is not new any more, a 401 and a 403 acknowledge like any answer', {
  rules: ['cli.listen-shows-a-refused-signature'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const outcomes: Outcome[] = []
  const forwarder = createForwarder({
    url: receiver.url,
    timeoutMs: 10_000,
    secret: () => 'whsec_x',
    isSecretNew: () => false,
    signal: new AbortController().signal,
    report: (_delivery, outcome) => outcomes.push(outcome),
  })

  for (const status of [401, 403]) {
    receiver.answer(() => status)
    assert.equal(await forwarder.forward(DELIVERY), true)
  }

  assert.equal(receiver.received.length, 2)
  assert.deepEqual(
    outcomes.map(({ waitMs }) => waitMs),
    [0, 0],
  )
})
