import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addEndpoints } from '../../src/domains/webhooks/test/many-endpoints.ts'
import { breakableDatabase } from '../breakable-database.ts'
import { testDatabase } from '../database.ts'
import { startHub } from '../hub.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { freePort, type Running, startProcess } from './processes.ts'

const RING = [{ id: 'k1', bytes: Buffer.alloc(32, 5) }] as const
/** The number of workers to kill. Each costs the start of another. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 2)
const ROUNDS_PER_KILL = 8
const EVENTS_PER_ROUND = 25
const ROUND_MS = 100

type Log = { status: string; attempts: number; deliveries: number }

/** An installation with workers in other processes. This process publishes its events. */
async function startInstallation(t: TestContext) {
  const { target } = await testDatabase()
  const receiver = await startReceiver(t)
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' }
  const hub = await startHub(t, { env, installation: { keyRing: () => [...RING] } })
  const acme = await hub.organization()

  async function startWorker(DATABASE_URL = target): Promise<Running> {
    return startProcess(t, {
      ...env,
      ROLE: 'worker',
      DATABASE_URL,
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      SEALING_KEYS: `k1:${RING[0].bytes.toString('base64')}`,
      UPSTREAM_URL: 'http://127.0.0.1:1',
      UPSTREAM_APP_ID: '1',
      UPSTREAM_APP_SECRET: 's',
      UPSTREAM_CONFIG_ID: '1',
      UPSTREAM_VERIFY_TOKEN: 'v',
    })
  }

  /** Publishes numbered events to every endpoint. */
  async function publish(first: number, count: number): Promise<void> {
    const numbers = Array.from({ length: count }, (_, i) => first + i)
    await hub.sql.begin((tx) =>
      hub.context.publish(
        tx,
        numbers.map((number) => ({
          organizationId: acme.organizationId,
          kind: 'account.update' as const,
          channelId: null,
          data: { change: { field: 'account_update', number } },
        })),
      ),
    )
  }

  async function endpoint(path: string): Promise<string> {
    const made = await acme.post('/api/v1/webhooks', { name: path, url: `${receiver.url}/${path}` })
    assert.equal(made.status, 201, made.text)
    return made.body.data.webhook.id
  }

  return { hub, acme, receiver, startWorker, publish, endpoint }
}

test('workers killed under load lose no delivery, repeat it only with the same id, and make at most ten attempts', {
  rules: ['delivery.is-at-least-once'],
}, async (t) => {
  const { hub, receiver, startWorker, publish, endpoint } = await startInstallation(t)
  const endpoints = await Promise.all(['one', 'two', 'three', 'four'].map(endpoint))
  // Some fail, so that there are retries too.
  receiver.answer(() => (Math.random() < 0.05 ? 503 : 200))
  const workers = [await startWorker(), await startWorker()]
  let published = 0

  for (let kill = 0; kill < KILLS; kill++) {
    for (let round = 0; round < ROUNDS_PER_KILL; round++, published += EVENTS_PER_ROUND) {
      await Promise.all([publish(published, EVENTS_PER_ROUND), delay(ROUND_MS)])
    }
    assert.equal(await workers.shift()?.end('SIGKILL'), 'SIGKILL')
    workers.push(await startWorker())
  }
  receiver.answer(200)
  // Leases expire, and the remaining workers finish by themselves.
  while ((await hub.sql`select 1 from delivery_queue limit 1`).length > 0) {
    await hub.clock.advance('1 hour')
    await delay(500)
  }

  const log = await hub.sql<Log[]>`
    select status, max(attempts)::int as attempts, count(*)::int as deliveries from deliveries group by status`
  assert.deepEqual(
    log.map(({ status, deliveries }) => ({ status, deliveries })),
    [{ status: 'succeeded', deliveries: published * endpoints.length }],
  )
  assert.ok(log.every(({ attempts }) => attempts <= 10))
  assertNothingLost(receiver, published)
})

/** Each event arrived at each path at least once, always as the same delivery. */
function assertNothingLost(receiver: Receiver, published: number): void {
  const arrivals = Map.groupBy(receiver.received, ({ path }) => path)
  assert.equal(arrivals.size, 4)
  for (const [path, requests] of arrivals) {
    const ids = new Map<number, Set<string>>()
    for (const { body, headers } of requests) {
      const { number } = JSON.parse(body.toString()).data.change
      ids.set(number, (ids.get(number) ?? new Set()).add(String(headers['x-hub-delivery-id'])))
    }
    assert.equal(ids.size, published, path)
    assert.ok([...ids.values()].every((deliveryIds) => deliveryIds.size === 1))
  }
}

test('workers killed while they make the deliveries of deferred fan-outs lose none, and make none twice', {
  rules: ['fanout.workers-make-each-once'],
}, async (t) => {
  const { hub, receiver, startWorker, publish, acme } = await startInstallation(t)
  const endpoints = await addEndpoints(hub, acme.organizationId, { count: 120, url: receiver.url })
  const workers = [await startWorker(), await startWorker()]
  let published = 0

  for (let kill = 0; kill < KILLS; kill++) {
    await publish(published, EVENTS_PER_ROUND)
    published += EVENTS_PER_ROUND
    await receiver.until(receiver.received.length + endpoints.length)
    assert.equal(await workers.shift()?.end('SIGKILL'), 'SIGKILL')
    workers.push(await startWorker())
  }
  const listOpen = () => hub.sql`
    (select 1 from deferred_fan_outs limit 1) union all (select 1 from delivery_queue limit 1)`
  while ((await listOpen()).length > 0) {
    await hub.clock.advance('1 hour')
    await delay(500)
  }

  const pairs = await hub.sql<{ deliveries: number }[]>`
    select count(*)::int as deliveries
    from deliveries
    where organization_id = ${acme.organizationId} and status = 'succeeded'
    group by endpoint_id, event_id`
  assert.equal(pairs.length, published * endpoints.length)
  assert.ok(pairs.every(({ deliveries }) => deliveries === 1))
})

test('the claims of a killed worker return before their leases expire, and only what was in flight is repeated', {
  rules: ['delivery.dead-worker-leaves-interrupted', 'delivery.lost-session-returns-claims'],
}, async (t) => {
  const { hub, receiver, startWorker, publish, endpoint } = await startInstallation(t)
  await endpoint('held')
  receiver.hold()
  const worker = await startWorker()
  await publish(0, 40)
  await receiver.until(8)
  type Claim = { id: string; leased_until: string }
  const listClaims = () => hub.sql<Claim[]>`
    select id, leased_until from delivery_queue where claim is not null`

  await worker.end('SIGKILL')
  const claims = await listClaims()
  receiver.letGo()
  while ((await listClaims()).length > 0) await delay(50)
  const [returned] = await hub.sql<{ now: string }[]>`select hub_now() as now`
  await startWorker()
  while ((await hub.sql`select 1 from delivery_queue limit 1`).length > 0) {
    // Less than a lease, and not during an attempt: on a busy machine its claim would expire.
    if ((await listClaims()).length === 0) await hub.clock.advance('20 seconds')
    await delay(100)
  }

  assert.ok(claims.every(({ leased_until }) => returned!.now < leased_until))
  const arrivals = Map.groupBy(receiver.received, ({ headers }) => String(headers['x-hub-delivery-id']))
  const repeated = [...arrivals].filter(([, requests]) => requests.length > 1).map(([id]) => id)
  assert.equal(arrivals.size, 40)
  assert.ok(repeated.length >= 8)
  const inFlight = new Set(claims.map(({ id }) => id))
  assert.deepEqual(
    repeated.filter((id) => !inFlight.has(id)),
    [],
  )
})

test('the single attempt of a killed worker gives its turn to another worker', {
  rules: ['spacing.turn-returns-with-its-claim'],
}, async (t) => {
  const { hub, receiver, startWorker, publish, endpoint } = await startInstallation(t)
  const id = await endpoint('failing')
  await hub.sql`
    insert into webhook_endpoint_health (organization_id, endpoint_id, consecutive_failures, next_attempt_at)
    select organization_id, id, 7, hub_now() from webhook_endpoints where id = ${id}`
  receiver.hold()
  await publish(0, 10)
  const worker = await startWorker()
  await receiver.until(1)

  await worker.end('SIGKILL')
  await startWorker()
  await receiver.until(2)
  const heldMax = receiver.countHeldMax()
  receiver.letGo()
  while ((await hub.sql`select 1 from delivery_queue where endpoint_id = ${id} limit 1`).length > 0) {
    await hub.clock.advance('5 seconds')
    await delay(200)
  }

  assert.equal(heldMax, 1)
  const arrived = new Set(receiver.received.map(({ headers }) => headers['x-hub-delivery-id']))
  assert.equal(arrived.size, 10)
})

test('a worker that gets SIGTERM finishes its attempts and leaves nothing claimed', {
  rules: ['delivery.graceful-release-counts-nothing'],
}, async (t) => {
  const { hub, receiver, startWorker, publish, endpoint } = await startInstallation(t)
  await endpoint('slow')
  receiver.hold()
  const worker = await startWorker()
  const before = receiver.received.length
  await publish(0, 3)
  await receiver.until(before + 3)

  const stopping = worker.end('SIGTERM')
  await publish(3, 3)
  receiver.letGo()

  assert.equal(await stopping, 0)
  const claimed = await hub.sql`select 1 from delivery_queue where claim is not null`
  assert.equal(claimed.length, 0)
  const ended = await hub.sql<{ status: string; attempts: number }[]>`
    select d.status, d.attempts from deliveries d join webhook_endpoints e on e.id = d.endpoint_id where e.name = 'slow'`
  assert.deepEqual(
    [...ended],
    Array.from({ length: 3 }, () => ({ status: 'succeeded', attempts: 1 })),
  )
})

test('a worker process sends what an API process accepts at once, by a notification', async (t) => {
  const { receiver, startWorker, endpoint, hub } = await startInstallation(t)
  const id = await endpoint('noticed')
  await startWorker()
  const before = receiver.received.length
  hub.context.notifications.notifyWorkers()
  const [owner] = await hub.sql<{ organization_id: string }[]>`
    select organization_id from webhook_endpoints where id = ${id}`

  await hub.sql.begin((tx) =>
    hub.context.publish(tx, [
      {
        organizationId: owner?.organization_id ?? '',
        kind: 'account.update',
        channelId: null,
        data: { change: { field: 'account_update' } },
      },
    ]),
  )
  // The worker also sends what the test before has left.
  const arrived = () => receiver.received.slice(before).filter(({ path }) => path === '/noticed')
  for (let count = before + 1; arrived().length === 0; count++) await receiver.until(count)

  assert.equal(arrived().length, 1)
})

test('a worker that gets SIGTERM stops although its database is gone and a result waits for it', {
  rules: ['process.stops-with-0-without-its-database'],
}, async (t) => {
  const { receiver, startWorker, publish, endpoint } = await startInstallation(t)
  const database = await breakableDatabase(t)
  await endpoint('last')
  receiver.hold()
  const worker = await startWorker(database.url)
  const before = receiver.received.length
  await publish(0, 1)
  await receiver.until(before + 1)
  database.disrupt('hang up')

  const stopping = worker.end('SIGTERM')
  receiver.letGo()

  assert.equal(await stopping, 0)
})
