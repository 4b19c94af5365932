import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { breakableDatabase } from '../../../../test/breakable-database.ts'
import { testDatabase } from '../../../../test/database.ts'
import type { TestHub } from '../../../../test/hub.ts'
import { startHub } from '../../../../test/hub.ts'
import { holdTransaction } from '../../../../test/hub-with-upstream.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { openPool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import { createLogger } from '../../../kernel/logger.ts'
import { openSender } from '../attempts/test/receivers.ts'
import { createEndpointHealth } from '../endpoints/health.ts'
import { createDeferredFanOuts } from '../publishing/deferred-fan-outs.ts'
import { createPayloadCache } from '../publishing/payload-cache.ts'
import { createResultBuffer } from '../results/result-buffer.ts'
import { createResultWriter } from '../results/result-writer.ts'
import { buildEnv, createRequests, eventually, startWebhooks } from '../test/fixture.ts'
import { startOwnWorker } from '../test/own-worker.ts'
import { createWakeUps, type EndpointKey, type WakeUps } from '../wake-ups.ts'
import { DELIVERY_LIMITS } from './attempt-slots.ts'
import { createDirectClaims } from './direct-claims.ts'
import { createEngine } from './engine.ts'
import { createLanes } from './lanes.ts'
import { createNotifications } from './notifications.ts'
import { createWorker } from './worker.ts'

/** A lost wake-up would make a test wait forever. */
const IN_TIME = { timeout: 120_000 }

const logger = createLogger('silent', { write: () => undefined })

/** An engine whose polls never end, because their only connection is busy: it delivers on wake-ups alone. */
async function startWithoutPolling(t: TestContext, { context }: TestHub): Promise<void> {
  const {
    sql,
    now,
    sealing,
    sender,
    audit,
    wakeUps,
    fanOutWakeUps,
    batchSplits,
    liveUpdates,
    outages,
    processLock: lock,
  } = context
  const { target } = await testDatabase()
  const busy = openPool(target, { max: 1, name: 'a poll that does not end' })
  const held = await holdTransaction(busy, async () => undefined)
  const lanes = createLanes(DELIVERY_LIMITS)
  const payloads = createPayloadCache({ bytesMax: 0, now: () => new Date() })
  const { writeResults } = createResultWriter({
    sql,
    health: createEndpointHealth({ audit, logger, publish: context.publish }),
    liveUpdates,
  })
  const results = createResultBuffer({ write: writeResults, logger, outages, batchSplits })
  const graphUrl = 'https://hub.example/graph'
  const worker = createWorker({ sql, now, logger, sealing, sender, payloads, lanes, results, lock, graphUrl })
  const directClaims = createDirectClaims({ lanes, worker, results, lock, isHeld: () => false })
  const fanOuts = createDeferredFanOuts({ sql, wakeUps, liveUpdates })
  const engine = createEngine({
    isHeld: () => false,
    sql: busy,
    logger,
    outages,
    lanes,
    worker,
    directClaims,
    results,
    wakeUps,
    fanOutWakeUps,
    fanOuts,
  })
  engine.start()
  t.after(async () => {
    await held.release()
    await engine.stop()
    await busy.end()
  })
}

test('a committed event is delivered at once, without polling', IN_TIME, async (t) => {
  const { hub, receiver, endpoint, publish } = await startWebhooks(t, { isOwn: true })
  await startWithoutPolling(t, hub)
  await endpoint()

  await publish({})
  await receiver.until(1)

  assert.equal(receiver.received.length, 1)
})

test(
  'tests, replays, recoveries and held deliveries of a reactivated endpoint are delivered at once, without polling',
  IN_TIME,
  async (t) => {
    const { hub, receiver, endpoint, publish, patch, sendTest, replay, recover, log } = await startWebhooks(t, {
      isOwn: true,
    })
    const crm = await endpoint()
    await publish({})
    for (const status of ['disabled', 'active']) await patch(crm, { status })
    const [canceled] = await log(crm)
    await publish({})
    await patch(crm, { status: 'paused' })
    await startWithoutPolling(t, hub)

    await patch(crm, { status: 'active' })
    await receiver.until(1)
    await recover(crm, { since: '2026-01-01T00:00:00.000Z' })
    await receiver.until(2)
    await replay(crm, canceled!)
    await receiver.until(3)
    await sendTest(crm)
    await receiver.until(4)

    assert.equal(receiver.received.length, 4)
  },
)

test('one wake-up delivers more than fits into one claim', IN_TIME, async (t) => {
  const { hub, receiver, endpoint, publishMany } = await startWebhooks(t, { isOwn: true })
  await startWithoutPolling(t, hub)
  await endpoint()

  await publishMany(300)
  await receiver.until(300)

  assert.equal(receiver.received.length, 300)
})

test('polling finds due deliveries without a wake-up', IN_TIME, async (t) => {
  const { hub, receiver, endpoint, publish, only } = await startWebhooks(t, { isDelivering: true })
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await eventually(async () => (await only(crm)).status === 'retry')

  await hub.clock.advance('10 seconds')
  await receiver.until(2)

  const [first, second] = receiver.received.map(({ headers }) => headers['x-hub-delivery-id'])
  assert.equal(first, second)
})

/** Resolves with the endpoints of the first wake-up. */
function waitForWakeUp(wakeUps: WakeUps): Promise<EndpointKey[]> {
  return new Promise((resolve) => wakeUps.listen(resolve))
}

test('an api process notifies workers once for wake-ups that come together', IN_TIME, async (t) => {
  const { sql } = await testDatabase()
  const [api, worker]: [WakeUps, WakeUps] = [createWakeUps(), createWakeUps()]
  createNotifications({ sql, wakeUps: api, fanOutWakeUps: createWakeUps(), logger }).notifyWorkers()
  const listening = await createNotifications({ sql, wakeUps: worker, fanOutWakeUps: createWakeUps(), logger }).listen()
  t.after(() => listening.stop())
  const endpoints = Array.from({ length: 3 }, () => ({ organizationId: newId(), endpointId: newId() }))

  const woken = waitForWakeUp(worker)
  for (const endpoint of endpoints) api.wake([endpoint])

  assert.deepEqual(await woken, endpoints)
})

test('a notification names up to 100 endpoints, and a malformed one wakes none', IN_TIME, async (t) => {
  const { sql } = await testDatabase()
  const [api, worker]: [WakeUps, WakeUps] = [createWakeUps(), createWakeUps()]
  createNotifications({ sql, wakeUps: api, fanOutWakeUps: createWakeUps(), logger }).notifyWorkers()
  const listening = await createNotifications({ sql, wakeUps: worker, fanOutWakeUps: createWakeUps(), logger }).listen()
  t.after(() => listening.stop())
  const endpoints = Array.from({ length: 500 }, () => ({ organizationId: newId(), endpointId: newId() }))
  const all: EndpointKey[][] = []
  worker.listen((keys) => void all.push(keys))

  await sql.notify('hubline_due', 'nonsense')
  const woken = new Promise<void>((resolve) => worker.listen((keys) => keys.length > 0 && resolve()))
  api.wake(endpoints)
  await woken

  assert.deepEqual(all, [[], endpoints.slice(0, 100)])
})

// A receiver that accepts requests and never responds must not stall the webhooks of other customers.
test('a receiver that never responds leaves another receiver all its deliveries', {
  rules: ['delivery.slow-receiver-delays-no-other'],
}, async (t) => {
  const [healthy, silent] = [await startReceiver(t), await startReceiver(t)]
  const destinations = `${healthy.destination},${silent.destination}`
  const env = buildEnv(healthy, { WEBHOOK_ALLOWED_DESTINATIONS: destinations })
  const hub = await startHub(t, { env, isDelivering: true })
  const acme = await hub.organization()
  const { publishMany, endpoint } = createRequests(hub, healthy, acme)
  silent.hold()
  t.after(() => silent.letGo())
  await acme.post('/api/v1/webhooks', { name: 'silent', url: silent.url })
  await publishMany(300)
  await silent.until(DELIVERY_LIMITS.concurrency.start)
  await endpoint()

  await publishMany(200)
  await healthy.until(200)

  assert.equal(silent.countHeldMax(), DELIVERY_LIMITS.concurrency.start)
})

for (const { what, limits, text, held } of [
  { what: 'many endpoints', limits: { inFlightMax: 8 }, text: '', held: 4 },
  { what: 'large payloads', limits: { inFlightBytesMax: 50_000 }, text: 'x'.repeat(10_000), held: 2 },
]) {
  test(`an organization with ${what} whose receivers never respond does not delay another organization`, {
    ...IN_TIME,
    rules: ['delivery.slow-receiver-delays-no-other'],
  }, async (t) => {
    const { hub, receiver, endpoint, publish } = await startWebhooks(t, { isOwn: true })
    const globex = createRequests(hub, receiver, await hub.organization())
    const healthy = await globex.endpoint()
    for (let i = 0; i < 12; i++) await endpoint()
    receiver.hold(({ path }) => path !== healthy.path)
    const { sender } = openSender(t, { port: Number(receiver.destination.split(':')[1]), deadlineMs: 600_000 })
    const worker = startOwnWorker(hub, { sender, limits })
    const data = { change: { field: 'account_update', text } }
    await publish(...Array.from({ length: 6 }, () => ({ data })))
    await globex.publish({})

    worker.start()
    t.after(async () => {
      receiver.letGo()
      await worker.stop()
    })
    for (let count = 1; count < 20; count++) {
      await receiver.until(held + count)
      await globex.publish({})
    }
    await receiver.until(held + 20)

    assert.deepEqual([globex.arrived(healthy).length, receiver.countHeldMax()], [20, held])
  })
}

test('the queue metrics are current at every request, the first included', async (t) => {
  const { hub, endpoint, publish } = await startWebhooks(t, { isOwn: true })
  await hub.sql`delete from delivery_queue`
  await endpoint()
  await publish({}, {}, {})
  const depth = async () =>
    /^hubline_delivery_queue_depth (\d+)$/m.exec((await hub.anonymous.get('/metrics')).text)?.[1]

  const before = await depth()
  await hub.deliver()
  const after = await depth()

  assert.deepEqual([before, after], ['3', '0'])
})

test('deliveries and the request log that wait for the database add no line to the one of its outage', {
  ...IN_TIME,
  rules: ['database.outage-is-two-log-lines'],
}, async (t) => {
  const database = await breakableDatabase(t)
  const { context, logs, organization } = await startHub(t, {
    installation: { sql: database.sql },
    hasTimers: false,
    isOwn: true,
  })
  const acme = await organization()
  await acme.get('/api/v1/channels')
  const readMessages = () =>
    logs.map((line): string => JSON.parse(line).msg).filter((message) => /the database|not logged/.test(message))

  database.disrupt('hang up')
  context.engine.start()
  await context.requestLog.flush()
  await database.restore()
  while (!t.signal.aborted && readMessages().length < 2) await setImmediate()
  await context.engine.stop()

  assert.deepEqual(readMessages(), [
    'the database is unavailable, and requests that need it are refused',
    'the database is available again',
  ])
})
