import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { computePercentile } from '../../statistics/counts/latency-bounds.ts'
import { startWebhooks } from '../../webhooks/test/fixture.ts'
import { startLostWorker } from '../../webhooks/test/lost-worker.ts'

async function readWebhooks(person: Client) {
  return (await person.get('/console/statistics')).body.data.webhooks
}

async function readEndpoints(person: Client) {
  return (await person.get('/console/endpoint-statistics')).body.data.endpoints
}

test('attempts count for their endpoint and for the organization, with what waits in the queue', {
  rules: ['statistics.count-attempts', 'statistics.p95-comes-from-a-histogram'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publishMany } = await startWebhooks(t)
  const [ana, bob] = [await hub.person({ organizationId: acme.organizationId, role: 'viewer' }), await hub.person()]
  const [good, bad] = [await endpoint(), await endpoint()]
  receiver.answer(({ path }) => (path === bad.path ? { status: 503, headers: { 'retry-after': '60' } } : 200))
  await hub.clock.advanceToNext('hour')

  await publishMany(3)
  await hub.deliver()
  await hub.clock.advance('30 seconds')

  for (const fold of [async () => undefined, () => hub.context.counts.fold()]) {
    await fold()
    const webhooks = await readWebhooks(ana)
    assert.deepEqual([webhooks.succeeded, webhooks.failed, webhooks.success_rate], [3, 3, 0.5])
    assert.deepEqual([webhooks.series.at(-1), webhooks.failed_series.at(-1), webhooks.series.length], [3, 3, 48])
    assert.ok(webhooks.p95_ms > 0)
    assert.deepEqual([webhooks.queued, webhooks.oldest_seconds], [3, 0])
    const endpoints = await readEndpoints(ana)
    const byId = new Map(endpoints.map((one: { endpoint_id: string }) => [one.endpoint_id, one]))
    const [first, second] = [byId.get(good.id), byId.get(bad.id)] as { success_rate: number; series: number[] }[]
    assert.deepEqual([endpoints.length, first?.success_rate, second?.success_rate], [2, 1, 0])
    assert.equal(first?.series.at(-1), 3)
    assert.deepEqual(await readEndpoints(bob), [])
    assert.deepEqual(await readWebhooks(bob), {
      succeeded: 0,
      failed: 0,
      success_rate: null,
      p95_ms: null,
      queued: 0,
      oldest_seconds: 0,
      series: Array(48).fill(0),
      failed_series: Array(48).fill(0),
    })
  }
})

test('the oldest delivery is the one that has been due longest, of active endpoints', {
  rules: ['statistics.p95-comes-from-a-histogram'],
}, async (t) => {
  const { hub, acme, endpoint, publish, patch } = await startWebhooks(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const paused = await endpoint()
  await publish({})
  await patch(paused, { status: 'paused' })
  await hub.clock.advance('1 hour')
  await endpoint()
  await publish({})

  await hub.clock.advance('90 seconds')

  const { queued, oldest_seconds } = await readWebhooks(ana)
  assert.equal(queued, 2)
  assert.ok(oldest_seconds >= 90 && oldest_seconds < 600, String(oldest_seconds))
})

test('the attempt of a killed worker, and attempts of a deleted endpoint, do not count', {
  rules: ['statistics.count-attempts'],
}, async (t) => {
  const { hub, acme, endpoint, publish, remove } = await startWebhooks(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const [crm, gone] = [await endpoint(), await endpoint()]
  await publish({})
  await remove(gone)
  const lost = startLostWorker(hub)
  await lost.claim(crm)
  await hub.clock.advance('10 minutes')
  await hub.context.expiredClaims.finishInterrupted()

  assert.deepEqual(await readEndpoints(ana), [])
})

test('a percentile is interpolated between the bounds of its column', {
  rules: ['statistics.p95-comes-from-a-histogram'],
}, () => {
  const columns = (...counts: number[]) => [...counts, ...Array(9 - counts.length).fill(0)]

  assert.equal(computePercentile(columns(), 0.95), null)
  assert.equal(computePercentile(columns(100), 0.95), 48)
  assert.equal(computePercentile(columns(0, 100), 0.5), 75)
  assert.equal(computePercentile(columns(90, 0, 10), 0.95), 150)
  assert.equal(computePercentile([0, 0, 0, 0, 0, 0, 0, 0, 5], 0.95), 6400)
})
