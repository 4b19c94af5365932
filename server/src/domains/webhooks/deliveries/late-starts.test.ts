import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdTransaction, untilBlocked } from '../../../../test/connecting.ts'
import { startOwnWorker } from './test/own-worker.ts'
import { startScene } from './test/scene.ts'
import { isSignedWith } from './test/signature.ts'

/** Bodies that are asked for in vain, which takes so long each time. */
function slowBodies(waits: { ms: number }) {
  let clockMs = 0
  const now = () => clockMs
  const bodies = {
    get() {
      clockMs += waits.ms
      return undefined
    },
    put: () => undefined,
  }
  return { now, bodies }
}

// By then the endpoint may have another address or another secret, or may be paused.
test('a claim that cannot begin within 200 ms is given back: nothing is sent, and the attempt does not count', {
  rules: ['D10-28'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publish, only, attemptsOf } = await startScene(t)
  const crm = await endpoint()
  await publish({})
  const before = await only(crm)
  const waits = { ms: 201 }
  const { now, bodies } = slowBodies(waits)
  t.mock.method(performance, 'now', now)
  const { step } = startOwnWorker(hub, { bodies })
  const key = { organizationId: acme.organizationId, endpointId: crm.id }

  const late = await step(key)
  const released = await only(crm)
  const sent = receiver.received.length
  waits.ms = 200
  const inTime = await step(key)

  assert.deepEqual([late, sent], [0, 0])
  assert.deepEqual(released, before)
  assert.equal(inTime, 1)
  const { status, attempts } = await only(crm)
  assert.deepEqual([status, attempts], ['succeeded', 1])
  assert.equal((await attemptsOf(crm, before)).length, 1)
})

test('an attempt goes to the address, and is signed with the secret, that its endpoint had when it was claimed', {
  rules: ['D10-28'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publish, patch, only, arrived } = await startScene(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  t.mock.method(performance, 'now', () => 0)
  const { step, deliver } = startOwnWorker(hub)
  const held = await holdTransaction(hub.sql, (tx) => tx`lock table events in access exclusive mode`)

  // Claimed, and now it waits for its body.
  const attempting = step({ organizationId: acme.organizationId, endpointId: crm.id })
  await untilBlocked(hub.sql, 1)
  await patch(crm, { url: `${receiver.url}/moved` })
  const { secret } = (await acme.post(`/api/v1/webhooks/${crm.id}/rotate-secret`)).body.data
  await held.release()
  await attempting
  await hub.clock.advance('6 seconds')
  await deliver()

  const [first, second] = [arrived(crm), arrived({ path: '/moved' })]
  assert.deepEqual([first.length, second.length, (await only(crm)).attempts], [1, 1, 2])
  assert.ok(isSignedWith(first[0]!, crm.secret))
  assert.ok(isSignedWith(second[0]!, secret))
})
