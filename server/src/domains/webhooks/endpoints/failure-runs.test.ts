import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdTransaction } from '../../../../test/hub-with-upstream.ts'
import { countRowsRead, explainStatement, openRecordingPool } from '../../../../test/query-plans.ts'
import { createExpiredClaims } from '../results/expired-claims.ts'
import {
  type Endpoint,
  eventually,
  failTimes,
  startSecondHub,
  startWebhooks,
  type WebhookFixture,
} from '../test/fixture.ts'
import { startLostWorker } from '../test/lost-worker.ts'
import { createWebhook, setFailures } from './test/webhooks.ts'

type Run = { consecutive_failures: number; started: number; next: number | null }

/** The run of an endpoint; `next` is the time of its next attempt, in seconds after the start of the run. */
async function readRun({ hub }: Pick<WebhookFixture, 'hub'>, { id }: { id: string }): Promise<Run | undefined> {
  const [row] = await hub.sql<Run[]>`
    select consecutive_failures, extract(epoch from run_started_at)::float8 as started,
      extract(epoch from next_attempt_at - run_started_at)::float8 as next
    from webhook_endpoint_health
    where endpoint_id = ${id}`
  return row
}

/** An endpoint whose attempts are spaced, with `waiting` deliveries that wait for their turn, which has come. */
async function startSpaced(fixture: WebhookFixture, waiting: number, failures = 7): Promise<Endpoint> {
  const { hub, acme, receiver, endpoint, publishMany } = fixture
  const crm = await endpoint()
  receiver.answer(500)
  await publishMany(waiting)
  await setFailures(hub, acme.organizationId, crm.id, failures)
  return crm
}

/** More than are attempted at once before the first failures are written, also on a busy machine. */
const BURST = 400

test('a burst of failures does not pause an endpoint, and its deliveries stay as they are until their turn', {
  rules: [
    'spacing.twentieth-is-20-seconds-later',
    'spacing.only-its-turn-reaches-twenty',
    'spacing.waiting-delivery-is-unchanged',
  ],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, endpoint, publishMany, show, log } = fixture
  const crm = await endpoint()
  receiver.answer(500)
  await publishMany(BURST)
  await hub.clock.stop()
  await hub.deliver()
  const attempted = receiver.received.length
  const before = await log(crm)

  await hub.deliver()
  await hub.deliver()

  assert.ok(attempted >= 5 && attempted < BURST)
  assert.equal((await show(crm)).status, 'active')
  assert.equal((await show(crm)).consecutive_failures, Math.min(19, attempted))
  assert.equal(receiver.received.length, attempted)
  assert.deepEqual(await log(crm), before)
  const waiting = before.filter(({ status }) => status === 'pending')
  assert.ok(waiting.length >= before.length - attempted)
  assert.deepEqual(new Set(waiting.map(({ attempts }) => attempts)), new Set([0]))
})

test('the time that is left of twenty seconds is shared out evenly among the failures that are left', {
  rules: ['spacing.twentieth-is-20-seconds-later'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, publishMany } = fixture
  const crm = await endpoint()
  await publishMany(20)
  const worker = startLostWorker(hub)
  const claimed = await worker.claim(crm, 20)
  const runs: (Run | undefined)[] = []

  for (const one of claimed) {
    await worker.record([one], false)
    runs.push(await readRun(fixture, crm))
  }

  assert.equal(new Set(runs.map((run) => run?.started)).size, 1)
  for (const run of runs.slice(0, 4)) assert.equal(run?.next, null)
  for (const run of runs.slice(4)) assert.ok(run!.next! >= 20 / (20 - run!.consecutive_failures), JSON.stringify(run))
  assert.deepEqual(
    runs.slice(18).map((run) => [run?.consecutive_failures, run?.next]),
    [
      [19, 20],
      [19, 20],
    ],
  )
})

test('one attempt at a time is made over all processes', {
  rules: ['spacing.one-attempt-from-the-fifth-failure'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver } = fixture
  const hubs = [hub, await startSecondHub(t, receiver), await startSecondHub(t, receiver)]
  const crm = await startSpaced(fixture, 30)
  receiver.hold()

  const delivering = [...hubs, ...hubs].map((one) => one.deliver())
  await receiver.until(1)
  const others = await Promise.all(hubs.map((one) => startLostWorker(one).claim(crm, 4)))
  const attempted = receiver.received.length
  receiver.letGo()
  await Promise.all(delivering)

  assert.deepEqual([attempted, others.flat()], [1, []])
  // The next turn may have come by now.
  assert.equal((await fixture.show(crm)).consecutive_failures, 7 + receiver.received.length)
})

test('exactly one of many concurrent claims gets the turn', {
  rules: ['spacing.one-attempt-from-the-fifth-failure'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await startSpaced(fixture, 30)
  const worker = startLostWorker(fixture.hub)

  for (let rounds = 0; rounds < 5; rounds++) {
    const claimed = (await Promise.all(Array.from({ length: 12 }, () => worker.claim(crm, 4)))).flat()
    const later = await worker.claim(crm, 4)

    assert.deepEqual([claimed.length, later.length], [1, 0])
    await worker.record(claimed, false)
    await fixture.hub.clock.advance('20 seconds')
  }
})

test('a claim that waits for no lock yields nothing while the result of the turn is being written', async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await startSpaced(fixture, 5)
  const { hub } = fixture
  const held = await holdTransaction(hub.sql, async (tx) => {
    await tx`update webhook_endpoint_health set next_attempt_at = next_attempt_at where endpoint_id = ${crm.id}`
  })

  const claimed = await startLostWorker(hub).claim(crm, 4)

  await held.release()
  assert.deepEqual(claimed, [])
})

test('the turn of a worker that dies comes back with its claim, and the receiver is not blamed', {
  rules: ['spacing.turn-returns-with-its-claim'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, show } = fixture
  const crm = await startSpaced(fixture, 3)
  const lost = await startLostWorker(hub, () => 0x7fffffff).claim(crm)
  const { sql, liveUpdates } = hub.context
  let elapsedMs = 0
  const start = hub.clock.now().getTime()
  const now = () => new Date(start + elapsedMs)
  const expiredClaims = createExpiredClaims({ sql, now, results: { listDeliveryIds: () => [] }, liveUpdates })

  const sent: number[] = []
  for (elapsedMs of [0, 2999, 3000]) {
    await expiredClaims.finishOfLostWorkers()
    await hub.deliver()
    sent.push(receiver.received.length)
  }

  assert.equal(lost.length, 1)
  assert.deepEqual(sent, [0, 0, 1])
  assert.equal((await show(crm)).consecutive_failures, 8)
})

test('the turn of a worker is its own until the lease of its claim expires', {
  rules: ['spacing.turn-returns-with-its-claim'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver } = fixture
  const crm = await startSpaced(fixture, 3)
  await startLostWorker(hub).claim(crm)

  await hub.clock.advance('10 seconds')
  await hub.runJobs()
  await hub.deliver()
  const meanwhile = receiver.received.length
  await hub.clock.advance('21 seconds')
  await hub.runJobs()
  await hub.deliver()

  assert.deepEqual([meanwhile, receiver.received.length], [0, 1])
})

test('a released claim gives the turn back', { rules: ['spacing.turn-returns-with-its-claim'] }, async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await startSpaced(fixture, 3)
  const worker = startLostWorker(fixture.hub)

  await worker.release(await worker.claim(crm))

  assert.equal((await worker.claim(crm)).length, 1)
})

test('an attempt that starts within twenty seconds of the first failure is never the twentieth', {
  rules: ['spacing.only-its-turn-reaches-twenty'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, endpoint, publishMany, show } = fixture
  const crm = await endpoint()
  await publishMany(21)
  const worker = startLostWorker(hub)
  const inFlight = await worker.claim(crm, 19)
  await worker.record(inFlight.splice(0, 5), false)
  await hub.clock.advance('15 seconds')
  const early = await worker.claim(crm)
  await worker.record(inFlight, false)

  await worker.record(early, false)
  const capped = await show(crm)
  await hub.clock.advance('20 seconds')
  await worker.record(await worker.claim(crm), false)

  assert.equal(early.length, 1)
  assert.deepEqual([capped.status, capped.consecutive_failures], ['active', 19])
  assert.deepEqual([(await show(crm)).status, (await show(crm)).consecutive_failures], ['paused', 20])
})

test('a success ends the run and the spacing in every process', {
  rules: ['spacing.success-ends-it-everywhere'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, statuses } = fixture
  const beside = await startSecondHub(t, receiver)
  const crm = await startSpaced(fixture, 12)
  receiver.answer(200)

  await hub.deliver()
  const run = await readRun(fixture, crm)
  const afterFirst = receiver.received.length
  await beside.deliver()

  assert.equal(run, undefined)
  assert.equal(afterFirst, 1)
  assert.deepEqual(await statuses(crm), Array(12).fill('succeeded'))
})

test('a reactivated endpoint has neither a run nor spaced attempts', {
  rules: ['spacing.success-ends-it-everywhere'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, endpoint, patch, publishMany, statuses } = fixture
  const crm = await endpoint()
  await failTimes(fixture, 20)
  await hub.clock.advance('10 minutes')

  await patch(crm, { status: 'active' })
  const run = await readRun(fixture, crm)
  receiver.answer(200)
  await publishMany(10)
  await hub.deliver()

  assert.equal(run, undefined)
  assert.deepEqual(await statuses(crm), Array(30).fill('succeeded'))
})

test('the run of one endpoint delays no other', {
  rules: ['spacing.one-attempt-from-the-fifth-failure', 'delivery.slow-receiver-delays-no-other'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver, endpoint, publishMany, statuses } = fixture
  const crm = await startSpaced(fixture, 0)
  const erp = await endpoint()
  receiver.answer(({ path }) => (path === crm.path ? 500 : 200))

  await publishMany(30)
  await hub.deliver()

  assert.deepEqual(await statuses(erp), Array(30).fill('succeeded'))
})

test('tests, replays and retries that a person asks for take the next turns', {
  rules: ['spacing.requested-attempts-come-next'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, acme, receiver, endpoint, publish, publishMany, only, sendTest, replay, retry, log } = fixture
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  const settled = await only(crm)
  receiver.answer(500)
  await publish({})
  await hub.deliver()
  const [retried] = await log(crm)
  await publishMany(10)
  await setFailures(hub, acme.organizationId, crm.id, 7)
  const wanted = [
    (await sendTest(crm)).body.data.delivery_id,
    (await replay(crm, settled)).body.data.delivery_id,
    (await retry(crm, retried!)).body.data.delivery_id,
  ]

  for (let turns = 0; turns < 3; turns++) {
    await hub.deliver()
    await hub.clock.advance('1 second')
  }

  assert.deepEqual(
    receiver.received.slice(2).map(({ headers }) => headers['x-hub-delivery-id']),
    wanted,
  )
})

test('an event is not claimed with its insertion while the attempts of its endpoint are spaced', {
  rules: ['spacing.one-attempt-from-the-fifth-failure'],
}, async (t) => {
  const fixture = await startWebhooks(t, { isDelivering: true, isOwn: true })
  const { hub, acme, endpoint, publish, statuses } = fixture
  const crm = await endpoint()
  await publish({})
  await eventually(async () => (await statuses(crm)).join() === 'succeeded')
  await setFailures(hub, acme.organizationId, crm.id, 7, '1 hour')

  await hub.sql.begin(async (tx) => {
    const event = { organizationId: acme.organizationId, kind: 'account.update', channelId: null } as const
    await hub.context.publish(tx, [{ ...event, data: { change: { field: 'account_update' } } }])
    const inserted = await tx`select claim, attempts from delivery_queue where endpoint_id = ${crm.id}`
    assert.deepEqual([...inserted], [{ claim: null, attempts: 0 }])
  })
})

test('a healthy endpoint costs a poll, a claim and a write of results, and has no health row', {
  rules: ['spacing.healthy-endpoint-costs-nothing'],
}, async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const fixture = await startWebhooks(t, { installation: { sql } })
  const { hub, endpoint, publish, statuses } = fixture
  const crm = await endpoint()
  await publish({})
  await hub.deliver()
  await publish({})
  statements.length = 0

  await hub.deliver()

  const sent = statements.map(({ text }) => text).filter((text) => /delivery_queue|webhook_endpoint/.test(text))
  assert.equal(sent.length, 3, sent.join('\n\n'))
  assert.deepEqual(await statuses(crm), ['succeeded', 'succeeded'])
  assert.equal(await readRun(fixture, crm), undefined)
})

test('a claim of a spaced endpoint reads a few rows, however many wait', {
  rules: ['spacing.healthy-endpoint-costs-nothing'],
}, async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const fixture = await startWebhooks(t, { installation: { sql } })
  const { hub, acme } = fixture
  const crm = await startSpaced(fixture, 1)
  await hub.sql`
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
    select ${acme.organizationId}, ${crm.id}, hub_id(), hub_id(), 'account.update', 1
    from generate_series(1, 20000)`
  const worker = startLostWorker(hub)

  await worker.claim(crm, 4)
  const taken = statements.findLast(({ text }) => /turn_claim/.test(text))!
  const plan = await explainStatement(hub.sql, taken)
  await worker.claim(crm, 4)

  assert.ok(countRowsRead(plan) < 50, String(countRowsRead(plan)))
  await hub.sql`delete from delivery_queue`
})

test('the fifth failure of a run is logged and measured, without a tenant in a label', {
  rules: ['spacing.is-logged-and-counted'],
}, async (t) => {
  const fixture = await startWebhooks(t, { isOwn: true })
  const { hub, acme, endpoint } = fixture
  const crm = await endpoint()
  const isWarning = (line: string) => line.includes('its attempts are spaced')

  await failTimes(fixture, 4)
  const early = hub.logs.filter(isWarning)
  await failTimes(fixture, 3)
  const { text } = await hub.anonymous.get('/metrics')

  assert.deepEqual(early, [])
  const warnings = hub.logs.filter(isWarning)
  assert.equal(warnings.length, 1)
  assert.match(warnings[0]!, new RegExp(crm.id))
  assert.match(text, /^hubline_spaced_endpoints [1-9]/m)
  assert.ok(!text.includes(acme.organizationId) && !text.includes(crm.id))
})

test("another organization's run changes nothing here", async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, receiver } = fixture
  const other = await hub.organization()
  const theirs = await createWebhook(other, { url: `${receiver.url}/theirs` })
  await setFailures(hub, other.organizationId, theirs.id, 7, '1 hour')
  const crm = await fixture.endpoint()

  await fixture.publishMany(5)
  await hub.deliver()

  assert.deepEqual(await fixture.statuses(crm), Array(5).fill('succeeded'))
})
