import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { type Endpoint, startSecondHub, startWebhooks, type WebhookFixture } from '../test/fixture.ts'
import { startLostWorker } from '../test/lost-worker.ts'
import type { Delivery } from './schemas.ts'

/** An endpoint with one delivery that has failed once and waits for its next attempt. */
async function startRetrying(fixture: WebhookFixture): Promise<{ crm: Endpoint; delivery: Delivery }> {
  const { hub, receiver, endpoint, publish, only } = fixture
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await hub.deliver()
  return { crm, delivery: await only(crm) }
}

test('a delivery in retry is attempted at once, as its next attempt', {
  rules: ['retry.makes-the-next-attempt-due', 'retry.concurrent-requests-make-one-attempt'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, acme, receiver, retry, only, listAttempts } = fixture
  const { crm, delivery } = await startRetrying(fixture)
  receiver.answer(200)
  await hub.deliver()
  const waiting = await only(crm)

  const retried = await retry(crm, delivery)
  const due = await only(crm)
  await hub.deliver()

  assert.deepEqual(waiting, delivery)
  assert.equal(retried.status, 202)
  const event_id = JSON.parse(String(receiver.received[0]?.body)).id
  assert.deepEqual(retried.body.data, { delivery_id: delivery.id, event_id, status: 'retry' })
  assert.deepEqual([due.status, due.attempts], ['retry', 1])
  assert.ok(due.next_attempt_at < delivery.next_attempt_at)
  const { status, attempts } = await only(crm)
  assert.deepEqual([status, attempts], ['succeeded', 2])
  assert.equal((await listAttempts(crm, delivery)).length, 2)
  const entry = (await listAuditEntries(acme, crm.id)).find(({ action }) => action === 'webhook.retried')
  assert.deepEqual(entry?.details, { delivery_id: delivery.id })
})

test('a retry that fails counts like any other attempt, and waits as long as its number says', {
  rules: ['retry.concurrent-requests-make-one-attempt'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, retry, only, show } = fixture
  const { crm, delivery } = await startRetrying(fixture)

  await retry(crm, delivery)
  await hub.deliver()

  const { status, attempts, next_attempt_at } = await only(crm)
  assert.deepEqual([status, attempts], ['retry', 2])
  assert.ok(Date.parse(next_attempt_at) - Date.parse(delivery.next_attempt_at) > 50_000)
  assert.equal((await show(crm)).consecutive_failures, 2)
})

test('a delivery in any other state is 404, and does not change', {
  rules: ['retry.other-states-are-404'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, publish, retry, log, patch } = fixture
  const { crm } = await startRetrying(fixture)
  receiver.answer(200)
  await publish({})
  await startLostWorker(hub).claim(crm)
  await publish({})
  await hub.clock.advance('6 seconds')
  await publish({})
  const byStatus = new Map((await log(crm)).map((delivery) => [delivery.status, delivery]))
  const before = await log(crm)

  const refused = []
  for (const status of ['pending', 'processing'] as const) refused.push(await retry(crm, byStatus.get(status)!))
  const unchanged = await log(crm)
  await hub.deliver()
  const succeeded = (await log(crm)).find(({ status }) => status === 'succeeded')!
  refused.push(await retry(crm, succeeded), await retry(crm, { id: newId() }))
  await patch(crm, { status: 'disabled' })
  refused.push(await retry(crm, byStatus.get('retry')!))

  assert.deepEqual(unchanged, before)
  for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  assert.match(refused[0]!.body.error.message, /is in pending\. Only a delivery in retry/)
})

test('the delivery of an endpoint that is not active is 404, and is attempted when it resumes', {
  rules: ['retry.other-states-are-404'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { retry, patch, only } = fixture
  const { crm, delivery } = await startRetrying(fixture)
  await patch(crm, { status: 'paused' })

  const refused = await retry(crm, delivery)

  assert.equal(refused.status, 404)
  assert.deepEqual(await only(crm), delivery)
})

test("another organization's delivery is 404", { rules: ['retry.other-states-are-404'] }, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, retry, only } = fixture
  const { crm, delivery } = await startRetrying(fixture)

  const refused = await retry(crm, delivery, await hub.organization())

  assert.equal(refused.status, 404)
  assert.deepEqual(await only(crm), delivery)
})

test('concurrent retries on two hubs make one attempt', {
  rules: ['retry.concurrent-requests-make-one-attempt'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, retry, only } = fixture
  const beside = await startSecondHub(t, receiver)
  const { crm, delivery } = await startRetrying(fixture)
  receiver.answer(200)

  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => retry(crm, delivery)),
    hub.deliver(),
    beside.deliver(),
  ])
  await Promise.all([hub.deliver(), beside.deliver()])

  const statuses = answers.slice(0, 5).map((answer) => answer?.status)
  assert.ok(statuses.includes(202) && statuses.every((status) => status === 202 || status === 404))
  assert.equal((await only(crm)).attempts, 2)
  assert.equal(receiver.received.length, 2)
})
