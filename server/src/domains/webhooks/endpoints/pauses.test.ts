import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { failTimes, startWebhooks, type WebhookFixture } from '../test/fixture.ts'

type Pause = {
  from: string
  to: string | null
  cause: string
  actor: { type: string; name: string } | null
  ended_by: { type: string } | null
  events_not_sent: number | null
  is_capped: boolean
}

async function listPauses({ acme }: WebhookFixture, { id }: { id: string }): Promise<Pause[]> {
  const answer = await acme.get(`/api/v1/webhooks/${id}/pauses`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.pauses
}

test('a pause by a person lists its times, who began and ended it, and the events that were not sent', {
  rules: ['pause.list-shows-the-newest-100', 'pause.counts-events-not-sent'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, patch, publishMany, log } = fixture
  const crm = await endpoint()
  await publishMany(2)

  await patch(crm, { status: 'paused' })
  await hub.clock.advance('1 minute')
  await publishMany(3)
  const during = await listPauses(fixture, crm)
  await publishMany(1)
  await hub.clock.advance('1 minute')
  await patch(crm, { status: 'active' })
  await hub.clock.advance('1 minute')
  await publishMany(5)
  const after = await listPauses(fixture, crm)

  const [open] = during
  assert.equal(during.length, 1)
  assert.deepEqual([open?.to, open?.cause, open?.ended_by, open?.events_not_sent], [null, 'person', null, 3])
  assert.equal(open?.actor?.type, 'api_key')
  const [ended] = after
  assert.equal(after.length, 1)
  assert.deepEqual([ended?.from, ended?.ended_by?.type, ended?.events_not_sent], [open?.from, 'api_key', 4])
  assert.equal(Date.parse(ended?.to ?? '') - Date.parse(ended?.from ?? '') >= 120_000, true)
  assert.equal(ended?.is_capped, false)
  // The events before and after it have deliveries.
  assert.equal((await log(crm)).length, 7)
})

test('a pause by the hub has the cause failures and no actor, and disabling the endpoint ends it', {
  rules: ['pause.list-shows-the-newest-100'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { endpoint, patch, show } = fixture
  const crm = await endpoint()

  await failTimes(fixture, 20)
  const [paused] = await listPauses(fixture, crm)
  assert.equal((await show(crm)).status, 'paused')
  await patch(crm, { status: 'disabled' })
  const [ended, ...others] = await listPauses(fixture, crm)

  assert.deepEqual([paused?.cause, paused?.actor, paused?.to], ['failures', null, null])
  assert.equal(others.length, 0)
  assert.equal(ended?.ended_by?.type, 'api_key')
  assert.notEqual(ended?.to, null)
})

test('only events that the endpoint subscribes to are counted: its kinds, its payload mode and its channels', {
  rules: ['pause.counts-events-not-sent'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { acme, endpoint, patch, publish, sendTest } = fixture
  const [own, other] = [await createChannel(acme), await createChannel(acme, { name: 'Other' })]
  const all = await endpoint()
  const narrow = await endpoint({ event_types: ['phone.quality'], all_channels: false, channel_ids: [own.id] })
  const raw = await endpoint({ payload_mode: 'upstream_raw' })
  const active = await endpoint()
  for (const one of [all, narrow, raw]) await patch(one, { status: 'paused' })

  await publish({ kind: 'phone.quality', channelId: own.id })
  await publish({ kind: 'phone.quality', channelId: other.id }, { kind: 'account.update', channelId: own.id })
  await publish({ kind: 'upstream.raw', channelId: own.id, raw: Buffer.from('{}') })
  await sendTest(active)
  const counts = await Promise.all([all, narrow, raw].map((one) => listPauses(fixture, one)))

  assert.deepEqual(
    counts.map(([pause]) => pause?.events_not_sent),
    [3, 1, 1],
  )
})

test('an endpoint that changes its state keeps at most one pause open, in several requests at once', {
  rules: ['pause.list-shows-the-newest-100'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { acme, endpoint } = fixture
  const crm = await endpoint()
  const states = ['paused', 'active', 'paused', 'disabled', 'paused', 'active', 'paused', 'paused']

  await Promise.all(states.map((status) => acme.patch(`/api/v1/webhooks/${crm.id}`, { status })))
  const open = (await listPauses(fixture, crm)).filter(({ to }) => to === null)

  const { status } = (await acme.get(`/api/v1/webhooks/${crm.id}`)).body.data.webhook
  assert.equal(open.length, status === 'paused' ? 1 : 0)
})

test('a pause that began before the oldest event that is kept has no count, and its endpoint takes its pauses with it', {
  rules: ['pause.counts-events-not-sent'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, patch, remove } = fixture
  const crm = await endpoint()
  await patch(crm, { status: 'paused' })

  await hub.clock.advance('31 days')
  const [old] = await listPauses(fixture, crm)
  await patch(crm, { status: 'active' })
  const [ended] = await listPauses(fixture, crm)
  await remove(crm)

  assert.equal(old?.events_not_sent, null)
  assert.equal(ended?.events_not_sent, null)
  const left = await hub.sql`select 1 from webhook_pauses where endpoint_id = ${crm.id}`
  assert.equal(left.length, 0)
})
