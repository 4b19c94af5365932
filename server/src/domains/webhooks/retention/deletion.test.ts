import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { setFailures } from '../endpoints/test/webhooks.ts'
import { startWebhooks, type WebhookFixture } from '../test/fixture.ts'

/** The number of an endpoint's rows in each table; attempts are those of the given deliveries. */
async function countRows({ hub }: WebhookFixture, { id }: { id: string }, deliveryIds: string[] = []) {
  const { sql } = hub
  const [row] = await sql`
    select
      (select count(*)::int from delivery_queue where endpoint_id = ${id}) as queue,
      (select count(*)::int from deliveries where endpoint_id = ${id}) as log,
      (select count(*)::int from delivery_attempts where delivery_id = any(${deliveryIds}::uuid[])) as attempts,
      (select count(*)::int from webhook_endpoint_health where endpoint_id = ${id}) as health`
  return { ...row }
}

const NOTHING = { queue: 0, log: 0, attempts: 0, health: 0 }

test('the deliveries of a deleted endpoint are unreachable at once', {
  rules: ['pause.deletion-hides-the-log'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publish, remove, replay, sendTest, recover, log } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  await publish({})
  const [, settled] = await log(crm)

  await remove(crm)

  const path = `/api/v1/webhooks/${crm.id}/deliveries`
  const answers = [
    await acme.get(path),
    await acme.get(`${path}/${settled!.id}`),
    await replay(crm, settled!),
    await sendTest(crm),
    await recover(crm, { since: '2026-01-01T00:00:00.000Z' }),
  ]
  for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  await hub.deliver()
  assert.equal(receiver.received.length, 1)
})

test('the next run deletes queue, log, attempts and failures of deleted endpoints only', {
  rules: ['pause.deletion-hides-the-log'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, endpoint, publish, remove, log } = fixture
  const [crm, erp] = [await endpoint(), await endpoint()]
  await publish({})
  await hub.deliver()
  receiver.answer(500)
  await publish({})
  await hub.deliver()
  await publish({})
  const [ours, theirs] = [await log(crm), await log(erp)]
  const ids = (deliveries: { id: string }[]) => deliveries.map(({ id }) => id)
  const before = await countRows(fixture, crm, ids(ours))

  await remove(crm)
  await hub.runJobs()

  assert.deepEqual(before, { queue: 2, log: 1, attempts: 2, health: 1 })
  assert.deepEqual(await countRows(fixture, crm, ids(ours)), NOTHING)
  assert.deepEqual(await countRows(fixture, erp, ids(theirs)), before)
  assert.deepEqual(await log(erp), theirs)
})

test('one run deletes thousands of deliveries', async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, publishMany, patch, remove } = fixture
  const crm = await endpoint()
  await publishMany(1300)
  await patch(crm, { status: 'disabled' })
  await hub.runJobs()
  await patch(crm, { status: 'active' })
  await publishMany(1300)

  await remove(crm)
  await hub.runJobs()

  assert.deepEqual(await countRows(fixture, crm), NOTHING)
})

for (const answer of [200, 500]) {
  for (const order of ['before', 'after']) {
    test(`a retry in progress at the deletion, ${answer} ${order} the next run, is deleted with its earlier attempts`, async (t) => {
      const fixture = await startWebhooks(t)
      const { hub, receiver, endpoint, publish, remove, only } = fixture
      const crm = await endpoint()
      receiver.answer(500)
      await publish({})
      await hub.deliver()
      const { id } = await only(crm)
      await hub.clock.advance('6 seconds')
      receiver.answer(answer)
      receiver.hold()
      const delivering = hub.deliver()
      await receiver.until(2)

      await remove(crm)
      if (order === 'after') await hub.runJobs()
      receiver.letGo()
      await delivering
      if (order === 'before') await hub.runJobs()
      await hub.clock.advance('1 hour')
      await hub.runJobs()
      await hub.deliver()

      assert.deepEqual(await countRows(fixture, crm, [id]), NOTHING)
      assert.equal(receiver.received.length, 2)
    })
  }
}

test('failures of a deleted endpoint are not counted and not in the audit log', async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, acme, receiver, endpoint, publishMany, remove } = fixture
  const crm = await endpoint()
  receiver.answer(500)
  receiver.hold()
  await setFailures(hub, acme.organizationId, crm.id, 19)
  await publishMany(3)
  const delivering = hub.deliver()
  await receiver.until(1)

  await remove(crm)
  receiver.letGo()
  await delivering

  const { health } = await countRows(fixture, crm)
  assert.equal(health, 0)
  const actions = (await listAuditEntries(acme, crm.id)).map(({ action }) => action)
  assert.deepEqual(actions, ['webhook.created', 'webhook.deleted'])
})

test('the record of a deletion is kept until the longest fan-out has ended', async (t) => {
  const { hub, endpoint, remove } = await startWebhooks(t)
  const crm = await endpoint()
  await remove(crm)
  const noted = async () => (await hub.sql`select 1 from deleted_endpoints where endpoint_id = ${crm.id}`).length

  await hub.clock.advance('4 minutes')
  await hub.runJobs()
  const before = await noted()
  await hub.clock.advance('2 minutes')
  await hub.runJobs()

  assert.deepEqual([before, await noted()], [1, 0])
})
