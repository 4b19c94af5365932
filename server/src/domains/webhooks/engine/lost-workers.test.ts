import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { KeyRing } from '../../../kernel/crypto/key-ring.ts'
import { createSessionLock, PROCESS_LOCKS } from '../../../kernel/db/session-lock.ts'
import { createExpiredClaims } from '../results/expired-claims.ts'
import { startSecondHub, startWebhooks } from '../test/fixture.ts'
import { startLostWorker } from '../test/lost-worker.ts'

test('the attempt of a lost worker is INTERRUPTED: it counts, is retried, and is no failure of the endpoint', {
  rules: ['delivery.attempt-counts-from-its-claim', 'delivery.dead-worker-leaves-interrupted'],
}, async (t) => {
  const { hub, receiver, endpoint, publish, only, show, listAttempts } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await startLostWorker(hub).claim(crm)
  const processing = await only(crm)

  await hub.clock.advance('31 seconds')
  await hub.runJobs()

  const interrupted = await only(crm)
  assert.deepEqual([processing.status, processing.attempts], ['processing', 1])
  assert.deepEqual(
    [interrupted.status, interrupted.attempts, interrupted.last_error_code, interrupted.last_http_status],
    ['retry', 1, 'INTERRUPTED', null],
  )
  const [attempt] = await listAttempts(crm, interrupted)
  assert.deepEqual([attempt?.number, attempt?.error_code, attempt?.http_status], [1, 'INTERRUPTED', null])
  const waitedMs = new Date(interrupted.next_attempt_at).getTime() - new Date(attempt!.ended_at).getTime()
  assert.ok(waitedMs >= 5000 && waitedMs <= 5500)
  assert.equal((await show(crm)).consecutive_failures, 0)
  await hub.clock.advance('6 seconds')
  await hub.deliver()
  const { status, attempts } = await only(crm)
  assert.deepEqual([status, attempts], ['succeeded', 2])
  assert.equal(receiver.received.length, 1)
})

test('a claim belongs to its worker until the lease expires', async (t) => {
  const { hub, receiver, endpoint, publish, only } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  const worker = startLostWorker(hub)
  const claimed = await worker.claim(crm)

  await hub.clock.advance('10 seconds')
  await hub.runJobs()
  await hub.deliver()
  const meanwhile = await only(crm)
  await worker.record(claimed, true)

  assert.deepEqual([meanwhile.status, meanwhile.attempts], ['processing', 1])
  assert.equal(receiver.received.length, 0)
  assert.equal((await only(crm)).status, 'succeeded')
})

test('the claims of a worker whose session has been gone for three seconds return, with their leases still running', {
  rules: ['delivery.dead-worker-leaves-interrupted', 'delivery.lost-session-returns-claims'],
}, async (t) => {
  const { hub, endpoint, publishMany, statuses, log } = await startWebhooks(t)
  const crm = await endpoint()
  await publishMany(3)
  await startLostWorker(hub, () => 0x7fffffff).claim(crm, 2)
  const start = hub.clock.now().getTime()
  let elapsedMs = 0
  const now = () => new Date(start + elapsedMs)
  const { sql, liveUpdates } = hub.context
  const expiredClaims = createExpiredClaims({ sql, now, results: { listDeliveryIds: () => [] }, liveUpdates })

  const seen = []
  for (elapsedMs of [0, 2999, 3000]) {
    await expiredClaims.finishOfLostWorkers()
    seen.push((await statuses(crm)).toSorted().join())
  }

  const claimed = 'pending,processing,processing'
  assert.deepEqual(seen, [claimed, claimed, 'pending,retry,retry'])
  const interrupted = (await log(crm)).filter(({ status }) => status === 'retry')
  assert.deepEqual(
    interrupted.map((delivery) => [delivery.attempts, delivery.last_error_code]),
    [
      [1, 'INTERRUPTED'],
      [1, 'INTERRUPTED'],
    ],
  )
})

test('a worker that loses its connection for a moment keeps its claims, and a worker that stops gives up its lock', {
  rules: ['delivery.lost-session-returns-claims'],
}, async (t) => {
  const { hub, endpoint, publish, statuses } = await startWebhooks(t)
  const lock = createSessionLock({ sql: hub.sql, spaces: [PROCESS_LOCKS] })
  t.after(() => lock.stop())
  void lock.start()
  while (lock.readKey() === null) await delay(20)
  const key = lock.readKey()
  const crm = await endpoint()
  await publish({})
  // A lease that does not expire during the test, however long that takes.
  await startLostWorker(hub, lock.readKey, 3600).claim(crm)
  const listSessions = () => hub.sql<{ pid: number }[]>`
    select pid
    from pg_locks
    where locktype = 'advisory'
      and classid::bigint = ${PROCESS_LOCKS}
      and objid::bigint = ${key}
      and granted
      and database = (select oid from pg_database where datname = current_database())`
  const [before] = await listSessions()

  await hub.sql`select pg_terminate_backend(${before!.pid})`
  await hub.runJobs()
  while (!(await listSessions()).some(({ pid }) => pid !== before!.pid)) await delay(20)
  for (const seconds of [2, 2, 2]) {
    await hub.clock.advance(`${seconds} seconds`)
    await hub.runJobs()
  }
  const whileHeld = await statuses(crm)
  await lock.stop()
  // The server frees the lock when it notices the end of the connection.
  while ((await listSessions()).length > 0) await delay(20)
  for (const seconds of [0, 3]) {
    await hub.clock.advance(`${seconds} seconds`)
    await hub.runJobs()
  }

  assert.deepEqual(whileHeld, ['processing'])
  assert.deepEqual(await statuses(crm), ['retry'])
})

for (const isSuccess of [true, false]) {
  test(`the ${isSuccess ? 'success' : 'failure'} of a worker whose lease expired changes nothing`, async (t) => {
    const { hub, endpoint, publish, only, show, listAttempts } = await startWebhooks(t)
    const crm = await endpoint()
    await publish({})
    const [late, next] = [startLostWorker(hub), startLostWorker(hub)]
    const lost = await late.claim(crm)
    await hub.clock.advance('31 seconds')
    await hub.runJobs()
    await hub.clock.advance('6 seconds')
    const held = await next.claim(crm)
    const before = await only(crm)

    await late.record(lost, isSuccess)
    await late.release(lost)

    assert.equal(held.length, 1)
    assert.deepEqual([before.status, before.attempts], ['processing', 2])
    assert.deepEqual(await only(crm), before)
    assert.equal((await listAttempts(crm, before)).length, 1)
    assert.equal((await show(crm)).consecutive_failures, 0)
    await next.record(held, true)
    await late.record(lost, isSuccess)
    const { status, attempts } = await only(crm)
    assert.deepEqual([status, attempts], ['succeeded', 2])
  })
}

test('a delivery whose every worker is lost is dead after ten attempts', {
  rules: ['delivery.dead-worker-leaves-interrupted'],
}, async (t) => {
  const { hub, endpoint, publish, only, show } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  const worker = startLostWorker(hub)

  for (let attempt = 1; attempt <= 10; attempt++) {
    assert.equal((await worker.claim(crm)).length, 1)
    await hub.clock.advance('31 seconds')
    await hub.runJobs()
    await hub.clock.advance('3 days')
  }

  const dead = await only(crm)
  assert.deepEqual([dead.status, dead.attempts, dead.last_error_code], ['dead', 10, 'INTERRUPTED'])
  assert.deepEqual(await worker.claim(crm), [])
  assert.equal((await show(crm)).consecutive_failures, 0)
})

test('concurrent claims never return the same delivery, and together return all', async (t) => {
  const { hub, endpoint, publishMany } = await startWebhooks(t)
  const crm = await endpoint()
  await publishMany(100)
  const worker = startLostWorker(hub)

  const claims = await Promise.all(Array.from({ length: 10 }, () => worker.claim(crm, 20)))
  const rest = await worker.claim(crm, 100)

  const ids = [...claims.flat(), ...rest].map(({ id }) => id)
  assert.equal(ids.length, 100)
  assert.equal(new Set(ids).size, 100)
})

test('hubs that deliver at once attempt each delivery once', async (t) => {
  const { hub, receiver, endpoint, publishMany } = await startWebhooks(t)
  const hubs = [hub, await startSecondHub(t, receiver), await startSecondHub(t, receiver)]
  await endpoint()
  await publishMany(300)

  await Promise.all(hubs.map((one) => one.deliver()))

  const ids = receiver.received.map(({ headers }) => headers['x-hub-delivery-id'])
  assert.equal(ids.length, 300)
  assert.equal(new Set(ids).size, 300)
})

test('concurrent jobs finish each of many interrupted attempts once', async (t) => {
  const { hub, endpoint, publishMany } = await startWebhooks(t)
  const crm = await endpoint()
  await publishMany(1200)
  assert.equal((await startLostWorker(hub).claim(crm, 1200)).length, 1200)
  await hub.clock.advance('31 seconds')

  await Promise.all([1, 2, 3].map(() => hub.context.expiredClaims.finishInterrupted()))

  const [row] = await hub.sql`
    select count(*)::int as queued, min(attempts)::int as least, max(attempts)::int as most, count(claim)::int as claimed,
      (select count(*)::int
       from delivery_attempts a
       join delivery_queue d on d.id = a.delivery_id
       where d.endpoint_id = ${crm.id}) as attempts
    from delivery_queue
    where endpoint_id = ${crm.id}`
  assert.deepEqual({ ...row }, { queued: 1200, least: 1, most: 1, claimed: 0, attempts: 1200 })
})

test('a released claim does not count as an attempt and is due as before', {
  rules: ['delivery.graceful-release-counts-nothing'],
}, async (t) => {
  const { hub, endpoint, publish, only, listAttempts } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  const before = await only(crm)
  const worker = startLostWorker(hub)

  await worker.release(await worker.claim(crm))

  assert.deepEqual(await only(crm), before)
  assert.deepEqual(await listAttempts(crm, before), [])
  await hub.deliver()
  const { status, attempts } = await only(crm)
  assert.deepEqual([status, attempts], ['succeeded', 1])
})

test('a claim that is released after the endpoint was disabled is canceled without an attempt', async (t) => {
  const { hub, endpoint, publish, patch, only } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  const worker = startLostWorker(hub)
  const claimed = await worker.claim(crm)

  await patch(crm, { status: 'disabled' })
  await worker.release(claimed)

  const { status, attempts } = await only(crm)
  assert.deepEqual([status, attempts], ['canceled', 0])
})

// For example, a process without free file descriptors.
test('an attempt that fails inside the hub does not count and is made a few seconds later', async (t) => {
  const { hub, receiver, endpoint, publish, only, show } = await startWebhooks(t, { isOwn: true })
  const beside = await startSecondHub(t, receiver)
  const crm = await endpoint()
  await publish({})
  await hub.context.sender[Symbol.asyncDispose]()

  await hub.deliver()
  const before = await only(crm)
  await hub.clock.advance('6 seconds')
  await beside.deliver()

  assert.deepEqual([before.status, before.attempts], ['pending', 0])
  const { status, attempts } = await only(crm)
  assert.deepEqual([status, attempts], ['succeeded', 1])
  assert.equal((await show(crm)).consecutive_failures, 0)
})

// After an operator loses a sealing key for an hour, every endpoint is still active and no delivery is lost.
test('a secret that cannot be unsealed fails the attempt and is no failure of the endpoint', {
  rules: ['delivery.unreadable-secret-is-unreadable'],
}, async (t) => {
  const { hub, receiver, endpoint, publishMany, statuses, log, show } = await startWebhooks(t)
  const keyRing = (): KeyRing => [{ id: 'other', bytes: randomBytes(32) }]
  const keyless = await startSecondHub(t, receiver, { installation: { keyRing } })
  const crm = await endpoint()
  await publishMany(25)

  await keyless.deliver()
  const failed = await log(crm)
  const shown = await show(crm)
  await hub.clock.advance('6 seconds')
  await hub.deliver()

  for (const { status, attempts, last_error_code } of failed) {
    assert.deepEqual([status, attempts, last_error_code], ['retry', 1, 'UNREADABLE'])
  }
  assert.deepEqual([shown.status, shown.consecutive_failures], ['active', 0])
  assert.deepEqual(await statuses(crm), Array(25).fill('succeeded'))
})

test('a stopping engine finishes its attempts, writes the results, and starts no more', async (t) => {
  const { hub, receiver, endpoint, publish, log } = await startWebhooks(t, { isDelivering: true })
  const crm = await endpoint()
  receiver.hold()
  await publish({})
  await receiver.until(1)

  const stopping = hub.context.engine.stop()
  await publish({})
  receiver.letGo()
  await stopping

  const [pending, ended] = await log(crm)
  assert.deepEqual([ended?.status, ended?.attempts], ['succeeded', 1])
  assert.deepEqual([pending?.status, pending?.attempts], ['pending', 0])
  assert.equal(receiver.received.length, 1)
})

test('a stopping hub waits for its attempts and leaves none unfinished', async (t) => {
  const { hub, receiver, endpoint, publishMany } = await startWebhooks(t, { isDelivering: true })
  const crm = await endpoint()
  receiver.hold()
  await publishMany(5)
  await receiver.until(5)

  const stopping = hub.stop()
  receiver.letGo()
  await stopping

  const rows = await hub.sql`select status, attempts from deliveries where endpoint_id = ${crm.id}`
  assert.deepEqual(
    rows.map(({ status, attempts }) => [status, attempts]),
    Array(5).fill(['succeeded', 1]),
  )
})
