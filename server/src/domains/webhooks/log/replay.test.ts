import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { createRequests, type Endpoint, parseEnvelope, startWebhooks, type WebhookFixture } from '../test/fixture.ts'
import type { Delivery } from './schemas.ts'

type State = Delivery['status']

/** An endpoint with one delivery in each state; the receiver holds the one in progress. */
async function createInEveryState(fixture: WebhookFixture): Promise<{ crm: Endpoint; deliveries: Delivery[] }> {
  const { hub, receiver, endpoint, publish, patch, log } = fixture
  const crm = await endpoint()
  await publish({})
  for (const status of ['disabled', 'active']) await patch(crm, { status })
  await publish({})
  await hub.deliver()
  receiver.answer(500)
  for (let attempt = 0; attempt < 10; attempt++) {
    if (attempt === 0) await publish({})
    await hub.deliver()
    await hub.clock.advance('3 days')
  }
  await publish({})
  await hub.deliver()
  await hub.clock.advance('6 seconds')
  await hub.deliver()
  receiver.answer(200)
  receiver.hold()
  await publish({})
  const delivering = hub.deliver()
  await receiver.until(14)
  await publish({})
  const deliveries = await log(crm)
  letGoLater.set(fixture, async () => {
    receiver.letGo()
    await delivering
  })
  return { crm, deliveries }
}

const letGoLater = new WeakMap<WebhookFixture, () => Promise<void>>()

const STATES: [State, boolean][] = [
  ['pending', false],
  ['processing', false],
  ['retry', false],
  ['dead', true],
  ['succeeded', true],
  ['canceled', true],
]

for (const status of ['active', 'paused', 'disabled']) {
  const which = status === 'active' ? 'that is over, and no other,' : 'in no state'
  test(`a delivery ${which} can be replayed while its endpoint is ${status}`, {
    rules: ['replay.is-a-new-delivery', 'replay.inactive-endpoint-is-404', 'replay.open-delivery-is-404'],
  }, async (t) => {
    const fixture = await startWebhooks(t)
    const { crm, deliveries } = await createInEveryState(fixture)
    assert.deepEqual(
      deliveries.map((delivery) => delivery.status),
      STATES.map(([state]) => state),
    )
    if (status !== 'active') await fixture.patch(crm, { status })
    const before = await fixture.log(crm)

    const answers = []
    for (const delivery of deliveries) answers.push(await fixture.replay(crm, delivery))

    assert.deepEqual(
      answers.map((answer) => answer.status),
      STATES.map(([, isFinal]) => (isFinal && status === 'active' ? 202 : 404)),
    )
    for (const { body } of answers) if (body.error) assert.equal(body.error.code, 'NOT_FOUND')
    if (status === 'active') {
      assert.deepEqual(
        answers.slice(0, 3).map((answer) => answer.body.error.message),
        ['pending', 'processing', 'retry'].map(
          (state) => `The delivery is in ${state}. It can be replayed once it is succeeded, dead or canceled.`,
        ),
      )
    }
    const after = await fixture.log(crm)
    const replays = status === 'active' ? 3 : 0
    assert.deepEqual(after.slice(replays), before)
    assert.deepEqual(
      after.slice(0, replays).map((delivery) => delivery.status),
      Array(replays).fill('pending'),
    )
    await letGoLater.get(fixture)?.()
  })
}

test('a replay creates a pending delivery of the same event and leaves the original unchanged', {
  rules: ['payload.event-id-repeats', 'replay.keeps-the-event-id', 'replay.leaves-its-source'],
}, async (t) => {
  const { hub, endpoint, publish, replay, log, arrived } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  const [original] = await log(crm)

  const { status, body } = await replay(crm, original!)
  const queued = await log(crm)
  await hub.deliver()

  const [first, second] = arrived(crm)
  assert.equal(status, 202)
  const { delivery_id } = body.data
  assert.deepEqual(body, {
    data: {
      delivery_id,
      event_id: parseEnvelope(first!).id,
      replay_of_delivery_id: original!.id,
      status: 'pending',
    },
  })
  assert.deepEqual([queued[0]?.id, queued[0]?.status, queued[0]?.attempts], [delivery_id, 'pending', 0])
  assert.deepEqual(queued[1], original)
  assert.deepEqual(second?.body, first?.body)
  const [replayed, same] = await log(crm)
  assert.deepEqual([replayed?.id, replayed?.status], [delivery_id, 'succeeded'])
  assert.deepEqual(same, original)
})

test('deliveries and replays can be replayed any number of times', async (t) => {
  const { hub, endpoint, publish, replay, only, statuses, arrived } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  const original = await only(crm)

  const first = (await replay(crm, original)).body.data
  const again = (await replay(crm, original)).body.data
  await hub.deliver()
  const ofReplay = (await replay(crm, { id: first.delivery_id })).body.data
  await hub.deliver()

  assert.equal(ofReplay.replay_of_delivery_id, first.delivery_id)
  assert.equal(new Set([original.id, first.delivery_id, again.delivery_id, ofReplay.delivery_id]).size, 4)
  assert.equal(new Set([first.event_id, again.event_id, ofReplay.event_id]).size, 1)
  assert.deepEqual(await statuses(crm), Array(4).fill('succeeded'))
  assert.equal(new Set(arrived(crm).map((one) => one.body.toString())).size, 1)
})

test('a canceled delivery can be replayed before and after it leaves the queue', async (t) => {
  const { hub, endpoint, publish, patch, replay, only } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await patch(crm, { status: 'disabled' })
  await patch(crm, { status: 'active' })
  const canceled = await only(crm)

  const before = await replay(crm, canceled)
  await hub.clock.advance('1 hour')
  await hub.runJobs()
  const after = await replay(crm, canceled)

  assert.deepEqual([before.status, after.status], [202, 202])
})

test('a replay is delivered even where the endpoint no longer subscribes to the event', async (t) => {
  const { hub, endpoint, publish, patch, replay, only, arrived } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  const original = await only(crm)
  await patch(crm, { event_types: ['message.received'] })

  const { status } = await replay(crm, original)
  await hub.deliver()

  assert.equal(status, 202)
  assert.equal(arrived(crm).length, 2)
})

test("a delivery of another endpoint, or of another organization's, cannot be replayed", {
  rules: ['pause.events-make-no-delivery'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, replay, only } = await startWebhooks(t)
  const theirs = createRequests(hub, receiver, await hub.organization())
  const [crm, erp] = [await endpoint(), await endpoint({ event_types: ['phone.quality'] })]
  const foreign = await theirs.endpoint()
  await publish({})
  await theirs.publish({})
  await hub.deliver()
  const [own, strange] = [await only(crm), await theirs.only(foreign)]

  const answers = [
    await replay(erp, own),
    await replay(crm, strange),
    await replay(foreign, strange),
    await theirs.replay(crm, own),
    await theirs.replay(foreign, own),
    await replay(crm, { id: newId() }),
    await replay({ id: newId() }, own),
  ]

  for (const answer of answers) assert.deepEqual([answer.status, answer.body.error.code], [404, 'NOT_FOUND'])
  assert.deepEqual(await only(crm), own)
  assert.deepEqual(await theirs.only(foreign), strange)
})

test('a delivery whose payload is past its retention cannot be replayed', async (t) => {
  const { hub, acme, endpoint, publish, replay, only } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  const original = await only(crm)
  await hub.sql`delete from events where organization_id = ${acme.organizationId}`

  const answer = await replay(crm, original)

  assert.deepEqual([answer.status, answer.body.error.code], [404, 'NOT_FOUND'])
  assert.deepEqual(await only(crm), original)
})

test('a replay is retried like any other delivery', { rules: ['replay.outcome-is-in-the-log'] }, async (t) => {
  const { hub, receiver, endpoint, publish, replay, only, log } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  const original = await only(crm)
  receiver.answer(500)

  await replay(crm, original)
  await hub.deliver()
  receiver.answer(200)
  await hub.clock.advance('6 seconds')
  await hub.deliver()

  const [replayed] = await log(crm)
  assert.deepEqual([replayed?.status, replayed?.attempts], ['succeeded', 2])
})

test('an accepted replay is in the audit log with both deliveries, a refused one is not', async (t) => {
  const { hub, acme, endpoint, publish, replay, only } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  const original = await only(crm)

  const { delivery_id } = (await replay(crm, original)).body.data
  await replay(crm, { id: newId() })

  const entries = (await listAuditEntries(acme, crm.id)).filter(({ action }) => action === 'webhook.replayed')
  assert.deepEqual(
    entries.map(({ actor, details }) => [actor.type, details]),
    [['api_key', { delivery_id, replay_of_delivery_id: original.id }]],
  )
})
