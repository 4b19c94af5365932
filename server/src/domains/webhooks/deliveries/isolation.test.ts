import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { DELIVERY_LIMITS } from './lanes.ts'
import { reaching, verbs } from './test/scene.ts'

// A receiver that accepts and stays silent is the common way for one customer's server to stall everybody's webhooks.
test('a receiver that never answers has a bounded share, and all of another receiver gets through meanwhile', {
  rules: ['D10-34'],
}, async (t) => {
  const [healthy, silent] = [await startReceiver(t), await startReceiver(t)]
  const destinations = `${healthy.destination},${silent.destination}`
  const env = reaching(healthy, { WEBHOOK_ALLOWED_DESTINATIONS: destinations })
  const hub = await startHub(t, { env, isDelivering: true })
  const acme = await hub.organization()
  const { publishMany, endpoint } = verbs(hub, healthy, acme)
  silent.hold()
  t.after(() => silent.letGo())
  await acme.post('/api/v1/webhooks', { name: 'silent', url: silent.url })
  await publishMany(300)
  await silent.until(DELIVERY_LIMITS.width.start)
  await endpoint()

  await publishMany(200)
  await healthy.until(200)

  assert.equal(silent.received.length, DELIVERY_LIMITS.width.start)
})
