import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdTransaction, listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import type { NewEvent } from '../../events/catalog.ts'
import { startWebhooks, type WebhookFixture } from '../test/fixture.ts'

const RAW = { kind: 'upstream.raw', raw: Buffer.from('{"object":"whatsapp_business_account"}') } as const
const ACCOUNT = { kind: 'account.update', data: { change: { field: 'account_update' } } } as const
const CHANNEL = { kind: 'channel.created', data: { channel: {}, reason: null } } as const
const CHANGES = [
  { before: 'normalized', after: 'upstream_raw', excluded: ACCOUNT },
  { before: 'upstream_raw', after: 'normalized', excluded: RAW },
] as const
type ModeChange = (typeof CHANGES)[number]

/** An endpoint with three open deliveries: one that the new mode excludes, and two of kinds that both modes get. */
async function queueDeliveries({ endpoint, publish, sendTest }: WebhookFixture, change: ModeChange) {
  const crm = await endpoint({ payload_mode: change.before })
  await publish(change.excluded as Partial<NewEvent>, CHANNEL as Partial<NewEvent>)
  await sendTest(crm)
  return crm
}

for (const change of CHANGES) {
  const { before, after, excluded } = change

  test(`a change to ${after} cancels open deliveries that it excludes, and a change back does not reopen them`, {
    rules: [
      'endpoint.payload-mode-change-cancels',
      'event.raw-goes-to-raw-endpoints-only',
      'event.raw-endpoint-gets-no-normalized-kinds',
    ],
  }, async (t) => {
    const fixture = await startWebhooks(t)
    const { hub, acme, receiver, log, patch, arrived } = fixture
    const crm = await queueDeliveries(fixture, change)
    const list = async () => (await log(crm)).map(({ event, status }) => `${event} ${status}`).toSorted()
    receiver.answer(500)
    await hub.deliver()

    await patch(crm, { payload_mode: after })
    const changed = await list()
    await patch(crm, { payload_mode: before })
    const changedBack = await list()
    await hub.clock.advance('1 minute')
    await hub.deliver()
    await hub.runJobs()

    const expected = ['channel.created retry', `${excluded.kind} canceled`, 'webhook.test retry'].toSorted()
    assert.deepEqual(changed, expected)
    assert.deepEqual(changedBack, expected)
    assert.deepEqual(await list(), expected)
    assert.equal(arrived(crm).length, 5)
    const entries = (await listAuditEntries(acme, crm.id)).filter(({ action }) => action === 'webhook.updated')
    assert.equal(entries.length, 2)
  })

  test(`an attempt under way during a change to ${after} that excludes it ends, and is not retried`, {
    rules: [
      'endpoint.payload-mode-change-cancels',
      'event.raw-goes-to-raw-endpoints-only',
      'event.raw-endpoint-gets-no-normalized-kinds',
    ],
  }, async (t) => {
    const { hub, receiver, endpoint, publish, patch, only } = await startWebhooks(t)
    const crm = await endpoint({ payload_mode: before })
    await publish(excluded as Partial<NewEvent>)
    receiver.answer(500)
    receiver.hold()
    const delivering = hub.deliver()
    await receiver.until(1)

    await patch(crm, { payload_mode: after })
    const { status } = await only(crm)
    receiver.letGo()
    await delivering
    const left = await hub.sql`select id from delivery_queue where endpoint_id = ${crm.id}`

    assert.equal(status, 'processing')
    assert.equal((await only(crm)).status, 'canceled')
    assert.equal(left.length, 0)
  })

  test(`a fan-out that runs during a change to ${after} delivers nothing that it excludes`, {
    rules: [
      'endpoint.payload-mode-change-cancels',
      'event.raw-goes-to-raw-endpoints-only',
      'event.raw-endpoint-gets-no-normalized-kinds',
    ],
  }, async (t) => {
    const { hub, acme, endpoint, patch, log, arrived } = await startWebhooks(t)
    const crm = await endpoint({ payload_mode: before })
    const event = { organizationId: acme.organizationId, channelId: null, ...excluded } as NewEvent
    const publishing = await holdTransaction(hub.sql, (tx) => hub.context.publish(tx, [event]))

    await patch(crm, { payload_mode: after })
    await publishing.release()
    await hub.deliver()
    const queued = await log(crm)
    await hub.runJobs()
    const left = await hub.sql`select id from delivery_queue where endpoint_id = ${crm.id}`

    assert.deepEqual(
      queued.map(({ status }) => status),
      ['canceled'],
    )
    assert.deepEqual(await log(crm), queued)
    assert.equal(left.length, 0)
    assert.deepEqual(arrived(crm), [])
  })

  test(`a delivery that ${after} excludes cannot be replayed, and a recovery skips it`, {
    rules: [
      'replay.excluded-kind-is-404',
      'event.raw-goes-to-raw-endpoints-only',
      'event.raw-endpoint-gets-no-normalized-kinds',
    ],
  }, async (t) => {
    const fixture = await startWebhooks(t)
    const { hub, log, patch, replay, recover } = fixture
    const crm = await queueDeliveries(fixture, change)
    await patch(crm, { status: 'disabled' })
    await patch(crm, { status: 'active', payload_mode: after })
    const period = { since: '2026-01-01T00:00:00.000Z' }

    const recovered = await recover(crm, period)
    await hub.runJobs()
    const originals = (await log(crm)).filter(({ status }) => status === 'canceled')
    const replays: Record<string, number> = {}
    for (const delivery of originals) replays[delivery.event] = (await replay(crm, delivery)).status
    await patch(crm, { payload_mode: before })
    await hub.clock.advance('1 minute')
    const recoveredLater = await recover(crm, period)

    assert.deepEqual(recovered.body.data, { queued: 1 })
    assert.deepEqual(replays, { [excluded.kind]: 404, 'channel.created': 202, 'webhook.test': 202 })
    assert.deepEqual(recoveredLater.body.data, { queued: 1 })
  })
}
