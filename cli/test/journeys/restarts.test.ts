import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'

import { testDatabase } from '../../../server/test/database.ts'
import { startHub } from '../../../server/test/hub.ts'
import { freePort, startProcess } from '../../../server/test/journeys/processes.ts'
import { type Received, startReceiver } from '../../../server/test/receiver.ts'
import { createPublisher } from '../events.ts'
import { newConfigDirectory, start } from '../program.ts'

const RING = [{ id: 'k1', bytes: Buffer.alloc(32, 5) }] as const

/** This process publishes; the program is connected to a hub in another process, on the same database. */
async function startInstallation(t: TestContext) {
  const { target } = await testDatabase()
  const receiver = await startReceiver(t)
  const hub = await startHub(t, { installation: { keyRing: () => [...RING] } })
  const acme = await hub.organization()
  // The clock of the database stands still, so that a listener does not expire while a slow machine starts a process.
  await hub.sql`
    create or replace function hub_now() returns timestamptz
    language sql stable
    as 'select created_at from organizations order by created_at desc limit 1'`
  const PORT = String(await freePort())
  const startApi = () =>
    startProcess(t, {
      PORT,
      ROLE: 'api',
      DATABASE_URL: target,
      LOG_LEVEL: 'warn',
      SEALING_KEYS: `k1:${RING[0].bytes.toString('base64')}`,
      UPSTREAM_URL: 'http://127.0.0.1:1',
      UPSTREAM_APP_ID: '1',
      UPSTREAM_APP_SECRET: 's',
      UPSTREAM_CONFIG_ID: '1',
      UPSTREAM_VERIFY_TOKEN: 'v',
    })
  const HUBLINE_CONFIG_DIR = await newConfigDirectory(t)
  const env = { HUBLINE_CONFIG_DIR, HUBLINE_URL: `http://127.0.0.1:${PORT}`, HUBLINE_KEY: acme.key }
  const listen = () => start(t, ['listen', '--forward-to', receiver.url], env)

  /** The ids of the deliveries that the hub would send again. */
  async function listUnacknowledged(): Promise<string[]> {
    const rows = await hub.sql<{ id: string }[]>`
      select id from listener_deliveries where organization_id = ${acme.organizationId}`
    return rows.map(({ id }) => id)
  }
  return { receiver, startApi, listen, listUnacknowledged, ...createPublisher(hub, acme) }
}

function readDeliveryId({ headers }: Received): string {
  return String(headers['x-hub-delivery-id'])
}

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('nothing is lost when the hub and the program are killed, and only what was not acknowledged is repeated', {
  rules: ['cli.listen-loses-nothing-for-60-seconds', 'cli.listen-repeats-only-unacknowledged'],
}, async (t) => {
  const { receiver, startApi, listen, publishMany, listUnacknowledged } = await startInstallation(t)
  const [first, hub] = await startApi().then((api) => [listen(), api] as const)
  await first.prints(/Connected/)
  await publishMany(20)
  await receiver.until(20)
  await until(async () => (await listUnacknowledged()).length === 0)
  const acknowledged = new Set(receiver.received.map(readDeliveryId))

  await publishMany(10)
  await hub.end('SIGKILL')
  await publishMany(10)
  await first.prints(/Lost the connection to the hub\. [^()]*[^.]\. Reconnecting…/)
  const next = await startApi()
  await until(async () => (await listUnacknowledged()).length === 0)

  await publishMany(10)
  await first.end('SIGKILL')
  const left = new Set(await listUnacknowledged())
  const before = new Set(receiver.received.map(readDeliveryId))
  const seen = receiver.received.length
  await publishMany(10)
  const second = listen()
  await second.prints(/Going on with the former run/)
  await until(async () => (await listUnacknowledged()).length === 0)
  // A graceful stop: the program connects again by itself.
  await next.end('SIGTERM')
  await startApi()
  await publishMany(5)
  await until(() => new Set(receiver.received.map(readDeliveryId)).size === 65)

  const repeated = receiver.received
    .slice(seen)
    .map(readDeliveryId)
    .filter((id) => before.has(id))
  assert.ok(
    repeated.every((id) => left.has(id)),
    'a delivery that was acknowledged came again',
  )
  const all = receiver.received.map(readDeliveryId)
  assert.ok(all.every((id, index) => !acknowledged.has(id) || all.indexOf(id) === index))
  const events = new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).id))
  assert.equal(events.size, 65)
  assert.equal(await second.end('SIGTERM'), 0)
})
