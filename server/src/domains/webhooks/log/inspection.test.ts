import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newId, toFirstId } from '../../../kernel/ids.ts'
import { startWebhooks } from '../test/fixture.ts'

async function startInspection(t: TestContext) {
  const fixture = await startWebhooks(t)
  const { hub, acme } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  /** The body of a delivery as a person sees it. */
  async function reveal(crm: { id: string }, delivery: { id: string }): Promise<Buffer | null> {
    const path = `/console/webhooks/${crm.id}/deliveries/${delivery.id}/reveal`
    const { status, body } = await ana.post(path)
    assert.equal(status, 200)
    return body.data.body_base64 && Buffer.from(body.data.body_base64, 'base64')
  }
  return { ...fixture, ana, reveal }
}

test('a person sees what a delivery is about without its body, and its body only by an audited look', {
  rules: ['delivery.console-shows-no-body', 'delivery.reveal-shows-the-sent-bytes', 'delivery.session-reveals-bodies'],
}, async (t) => {
  const { hub, acme, ana, receiver, endpoint, publish, only, replay, log, reveal } = await startInspection(t)
  const crm = await endpoint()
  const message = { id: newId(), content: { body: 'a secret text' } }
  await publish({ kind: 'message.received', data: { message } })
  const delivery = await only(crm)

  const shown = await ana.get(`/console/webhooks/${crm.id}/deliveries/${delivery.id}/payload`)
  const queued = await reveal(crm, delivery)
  await hub.deliver()
  const delivered = await reveal(crm, delivery)
  await replay(crm, delivery)
  const [again] = await log(crm)
  const replayed = await ana.get(`/console/webhooks/${crm.id}/deliveries/${again!.id}/payload`)

  const sent = receiver.received[0]!.body
  const event_id = JSON.parse(sent.toString()).id
  assert.deepEqual(shown.body.data, {
    event_id,
    replay_of_delivery_id: null,
    channel_id: null,
    message_id: message.id,
    bytes: sent.length,
    gone: null,
    deliveries_being_queued: 0,
  })
  assert.deepEqual(replayed.body.data, { ...shown.body.data, replay_of_delivery_id: delivery.id })
  for (const body of [queued, delivered]) assert.deepEqual(body, sent)
  const entries = (await acme.get('/api/v1/audit-log?action=delivery.revealed')).body.data.entries
  assert.deepEqual(
    entries.map(({ actor, target, details }: Record<string, unknown>) => [
      (actor as { id: string }).id,
      target,
      details,
    ]),
    Array(2).fill([
      ana.userId,
      { type: 'delivery', id: delivery.id },
      { webhook_id: crm.id, event: 'message.received', message_id: message.id },
    ]),
  )
})

test('the body of a delivery of a compat endpoint is in its own format', {
  rules: ['delivery.reveal-shows-the-sent-bytes'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, only, reveal } = await startInspection(t)
  const crm = await endpoint({ delivery_format: 'compat', payload_mode: 'upstream_raw' })
  const channel = { id: newId(), external_id: 'padaria', phone_number_id: '1', waba_id: '2' }
  await publish({ kind: 'channel.connected', data: { channel, reason: null } })
  const delivery = await only(crm)
  await hub.deliver()

  const body = await reveal(crm, delivery)

  assert.deepEqual(body, receiver.received[0]?.body)
  assert.equal(JSON.parse(String(body)).event_type, 'channel_connected')
})

test('the body of an event that is gone is null, and its age tells an erasure from the retention', {
  rules: ['delivery.body-ends-with-its-event', 'delivery.missing-body-says-why'],
}, async (t) => {
  const { hub, ana, endpoint, publish, only, replay, reveal } = await startInspection(t)
  const crm = await endpoint()
  await publish({})
  const delivery = await only(crm)
  await hub.deliver()
  await hub.sql`delete from events`
  const show = () => ana.get(`/console/webhooks/${crm.id}/deliveries/${delivery.id}/payload`)

  const erased = await show()
  const refused = await replay(crm, delivery)
  const eventId = toFirstId(new Date(Date.now() - 60 * 86_400_000))
  await hub.sql`update deliveries set event_id = ${eventId} where id = ${delivery.id}`
  const old = await show()
  const refusedLater = await replay(crm, delivery)

  assert.deepEqual([erased.status, erased.body.data.bytes, await reveal(crm, delivery)], [200, null, null])
  assert.deepEqual([erased.body.data.gone, old.body.data.gone], ['erased', 'past_retention'])
  for (const answer of [refused, refusedLater]) assert.equal(answer.status, 404)
  assert.match(refused.body.error.message, /was erased with its person/)
  assert.match(refusedLater.body.error.message, /is past its retention/)
})

test('a delivery is found by its id and by the id of its event, while it is queued and after it', {
  rules: ['delivery.is-found-by-either-id'],
}, async (t) => {
  const { hub, ana, receiver, endpoint, publish, only, replay, log } = await startInspection(t)
  const [crm] = [await endpoint(), await endpoint({ event_types: ['phone.quality'] })]
  await publish({ kind: 'account.update' })
  const delivery = await only(crm)
  const find = (id: string) => ana.get(`/console/deliveries/${id}`)

  const queued = await find(delivery.id)
  await hub.deliver()
  const delivered = await find(delivery.id)
  const byEvent = await find(JSON.parse(String(receiver.received[0]?.body)).id)
  await replay(crm, delivery)
  const [again] = await log(crm)
  const replayed = await find(again!.id)
  const unknown = [newId(), '00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'x']
  const others = await Promise.all(unknown.map(find))

  const found = { id: delivery.id, event: 'account.update', endpoint: { id: crm.id, name: crm.name } }
  for (const answer of [queued, delivered, byEvent]) assert.deepEqual(answer.body.data, { delivery: found })
  assert.deepEqual(replayed.body.data, { delivery: { ...found, id: again!.id } })
  assert.deepEqual(
    others.map(({ status }) => status),
    [404, 404, 404, 400],
  )
})

test('a payload is found only under its own endpoint, and not with a key', async (t) => {
  const { acme, ana, endpoint, publish, only } = await startInspection(t)
  const [crm, erp] = [await endpoint(), await endpoint({ event_types: ['phone.quality'] })]
  await publish({})
  const delivery = await only(crm)

  const answers = await Promise.all([
    ana.get(`/console/webhooks/${erp.id}/deliveries/${delivery.id}/payload`),
    ana.get(`/console/webhooks/${crm.id}/deliveries/${newId()}/payload`),
    acme.get(`/console/webhooks/${crm.id}/deliveries/${delivery.id}/payload`),
  ])

  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 401],
  )
})

test('the count before a recovery is what the recovery queues', {
  rules: ['recover.preview-counts-and-changes-nothing'],
}, async (t) => {
  const { hub, ana, endpoint, publishMany, patch, recover, statuses } = await startInspection(t)
  const crm = await endpoint()
  await publishMany(2)
  await hub.deliver()
  await publishMany(3)
  await patch(crm, { status: 'disabled' })
  await patch(crm, { status: 'active' })
  const path = `/console/webhooks/${crm.id}/recoverable`
  const since = new Date(hub.clock.now().getTime() - 3_600_000).toISOString()

  const whole = await ana.get(path)
  const hour = await ana.get(`${path}?since=${since}`)
  const before = await ana.get(`${path}?until=${since}`)
  const untouched = await statuses(crm)
  const recovered = await recover(crm, { since })
  const after = await ana.get(path)

  assert.deepEqual(
    [whole, hour, before, after].map(({ body }) => body.data.count),
    [3, 3, 0, 0],
  )
  assert.deepEqual(untouched, [...Array(3).fill('canceled'), ...Array(2).fill('succeeded')])
  assert.equal(recovered.body.data.queued, 3)
})

test('the allowance counts the tests of the hour, and is whole again after it', {
  rules: ['test.allowance-is-shown'],
}, async (t) => {
  const { hub, ana, endpoint, sendTest } = await startInspection(t)
  const crm = await endpoint()
  const path = `/console/webhooks/${crm.id}/test-allowance`

  const whole = await ana.get(path)
  for (let count = 0; count < 11; count++) await sendTest(crm)
  const used = await ana.get(path)
  await hub.clock.advance('1 hour')
  const later = await ana.get(path)

  assert.deepEqual(whole.body.data, { limit: 10, remaining: 10, resets_at: null })
  assert.equal(used.body.data.remaining, 0)
  assert.ok(Date.parse(used.body.data.resets_at) <= hub.clock.now().getTime())
  assert.deepEqual(later.body.data, whole.body.data)
})
