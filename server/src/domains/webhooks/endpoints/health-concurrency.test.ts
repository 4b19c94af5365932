import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { startSecondHub, startWebhooks } from '../test/fixture.ts'
import { startLostWorker } from '../test/lost-worker.ts'
import { readRow } from './test/webhooks.ts'

test('failures on several hubs all count, and pause an endpoint once', {
  rules: ['pause.after-20-failures', 'spacing.only-its-turn-reaches-twenty', 'event.pause-becomes-endpoint-paused'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publishMany, show } = await startWebhooks(t)
  const hubs = [hub, await startSecondHub(t, receiver), await startSecondHub(t, receiver)]
  const crm = await endpoint()
  receiver.answer(500)
  await publishMany(120)

  await Promise.all(hubs.map((one) => one.deliver()))
  const first = await show(crm)
  const burst = receiver.received.length
  for (let rounds = 0; rounds < 20; rounds++) {
    await hub.clock.advance('20 seconds')
    await Promise.all(hubs.map((one) => one.deliver()))
  }

  assert.deepEqual([first.status, first.consecutive_failures], ['active', Math.min(19, burst)])
  const { status, consecutive_failures } = await show(crm)
  assert.deepEqual([status, consecutive_failures], ['paused', 20])
  assert.equal(receiver.received.length, burst + 20 - first.consecutive_failures)
  const actions = (await listAuditEntries(acme, crm.id)).map(({ action }) => action)
  assert.equal(actions.filter((action) => action === 'webhook.paused').length, 1)
  assert.equal(actions.filter((action) => action === 'webhook.failing').length, 2)
  const [events] = await hub.sql`
    select count(*)::int from events where organization_id = ${acme.organizationId} and kind = 'endpoint.paused'`
  assert.equal(events?.count, 1)
  assert.equal((await readRow(hub, crm.id)).generation, 2)
})

test('forty concurrent writes of failures in flight before the spacing count nineteen, and do not pause', {
  rules: ['spacing.only-its-turn-reaches-twenty'],
}, async (t) => {
  const { hub, acme, endpoint, publishMany, show, statuses } = await startWebhooks(t)
  const crm = await endpoint()
  await publishMany(40)
  const worker = startLostWorker(hub)
  const claimed = await worker.claim(crm, 40)

  await Promise.all(claimed.map((one) => worker.record([one], false)))

  const { status, consecutive_failures } = await show(crm)
  assert.deepEqual([status, consecutive_failures], ['active', 19])
  const failing = (await listAuditEntries(acme, crm.id)).filter(({ action }) => action === 'webhook.failing')
  assert.deepEqual(
    failing.map(({ details }) => details.consecutive_failures),
    [10, 15],
  )
  assert.deepEqual(await statuses(crm), Array(40).fill('retry'))
})

test('concurrent batches with the same endpoints in opposite orders are all written', async (t) => {
  const { hub, endpoint, publishMany, show } = await startWebhooks(t)
  const [crm, erp] = [await endpoint(), await endpoint()]
  await publishMany(16)
  const worker = startLostWorker(hub)
  const ours = { crm: await worker.claim(crm, 16), erp: await worker.claim(erp, 16) }
  const batches = ours.crm.map((one, index) => (index % 2 === 0 ? [one, ours.erp[index]!] : [ours.erp[index]!, one]))

  await Promise.all(batches.map((batch) => worker.record(batch, false)))

  assert.deepEqual([(await show(crm)).consecutive_failures, (await show(erp)).consecutive_failures], [16, 16])
})

// One batch resets an endpoint and counts failures of another, and the next does the opposite.
test('concurrent batches in which the same endpoints fail and succeed do not deadlock', async (t) => {
  const { hub, endpoint, publishMany, statuses } = await startWebhooks(t)
  const [crm, erp] = [await endpoint(), await endpoint()]
  await publishMany(41)
  const worker = startLostWorker(hub)
  const ours = { crm: await worker.claim(crm, 41), erp: await worker.claim(erp, 41) }
  await worker.record([ours.crm.pop()!, ours.erp.pop()!], false)
  const batches = ours.crm.map((one, index) => [one, ours.erp[index]!])

  await Promise.all(
    batches.map((batch, index) =>
      worker.record(batch, ({ endpoint_id }) => endpoint_id === (index % 2 === 0 ? crm.id : erp.id)),
    ),
  )

  for (const one of [crm, erp])
    assert.equal((await statuses(one)).filter((status) => status === 'succeeded').length, 20)
})

test('a result that is written twice counts once', async (t) => {
  const { hub, endpoint, publish, only, show, listAttempts } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  const worker = startLostWorker(hub)
  const claimed = await worker.claim(crm)

  await Promise.all(Array.from({ length: 5 }, () => worker.record(claimed, false)))

  const delivery = await only(crm)
  assert.deepEqual([delivery.status, delivery.attempts], ['retry', 1])
  assert.equal((await listAttempts(crm, delivery)).length, 1)
  assert.equal((await show(crm)).consecutive_failures, 1)
})

test('a reactivation during failures resets the count to the failures that follow it', async (t) => {
  const { hub, endpoint, publishMany, patch, show } = await startWebhooks(t)
  const crm = await endpoint()
  await publishMany(40)
  const worker = startLostWorker(hub)
  const claimed = await worker.claim(crm, 40)
  await worker.record(claimed.splice(0, 20), false)

  await Promise.all([
    patch(crm, { status: 'active' }),
    ...claimed.map((one) => worker.record([one], false)),
    ...claimed.slice(0, 2).map(() => patch(crm, { status: 'active' })),
  ])

  const { status, consecutive_failures } = await show(crm)
  assert.ok(consecutive_failures <= 19)
  assert.equal(status, 'active')
})
