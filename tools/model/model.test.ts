import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDeliveryModel, DELIVERY_FAULTS } from './deliveries.ts'
import { explore } from './explore.ts'
import { createSendModel, SEND_FAULTS } from './sends.ts'

test('no key sends twice in any state that two processes and two keys reach', () => {
  const { violation, states } = explore(createSendModel())

  assert.deepEqual(violation, undefined)
  assert.ok(states > 10_000, `only ${states} states`)
})

test('a delivery makes at most ten attempts in every state that two workers reach', () => {
  const { violation, states } = explore(createDeliveryModel({ deliveries: 1, attemptsMax: 10 }))

  assert.deepEqual(violation, undefined)
  assert.ok(states > 10_000, `only ${states} states`)
})

test('two deliveries end once each in every state that two workers reach', () => {
  assert.deepEqual(explore(createDeliveryModel({ attemptsMax: 2 })).violation, undefined)
})

const BROKEN_BY = {
  'the upstream is called before the reservation is committed': 'a key sent twice',
  'the answer is given before the outcome is committed': 'an acknowledged send is not accepted in the log',
  'a lease that expires frees the key': 'a key sent twice',
  'an unknown outcome frees the key': 'the status of a message fell',
  'an outcome is recorded without the lock of the unsettled send': 'the status of a message fell',
  'deliveries are inserted after their event is committed': 'an accepted event has no delivery',
  'a result is written without a match of the claim': 'a delivery had too many attempts',
  'a claim is released after its request': 'an attempt was not counted',
  'an interrupted attempt is not counted': 'an attempt was not counted',
  'a cancellation ends deliveries that are claimed': 'a delivery ended twice',
} as const

for (const fault of SEND_FAULTS) {
  test(`the model of sends finds the fault: ${fault}`, () => {
    const { violation } = explore(createSendModel({ keys: 1, fault }))

    assert.equal(violation?.broken, BROKEN_BY[fault])
    assert.notEqual(violation?.trace.length, 0)
  })
}

for (const fault of DELIVERY_FAULTS) {
  test(`the model of deliveries finds the fault: ${fault}`, () => {
    const { violation } = explore(createDeliveryModel({ deliveries: 1, fault }))

    assert.equal(violation?.broken, BROKEN_BY[fault])
    assert.notEqual(violation?.trace.length, 0)
  })
}
