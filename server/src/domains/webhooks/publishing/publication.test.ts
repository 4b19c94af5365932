import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openRecordingPool } from '../../../../test/query-plans.ts'
import { ConnectionLost } from '../../../kernel/db/driver/connection.ts'
import type { Pool, Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { newId } from '../../../kernel/ids.ts'
import { EVENT_COLUMNS } from '../../events/event-row.ts'
import { eventually, type Owner, startWebhooks } from '../test/fixture.ts'
import type { Publication, Published } from './service.ts'
import { insertPublication } from './store.ts'

/** More than an endpoint has slots. */
const FAILURES = 100

function buildEvent({ organizationId }: Owner, id = newId()) {
  return { organizationId, id, kind: 'account.update' as const, channelId: null, data: { change: {} } }
}

/** A hub that delivers, and an endpoint whose next delivery it can attempt at once. */
async function startReady(t: TestContext) {
  const fixture = await startWebhooks(t, { isDelivering: true, isOwn: true })
  const { hub, acme, receiver, endpoint, publish, statuses } = fixture
  const { publishWith } = hub.context.publishing
  const crm = await endpoint()
  const woken: unknown[] = []

  async function untilSucceeded(count: number): Promise<void> {
    await eventually(async () => (await statuses(crm)).filter((status) => status === 'succeeded').length === count)
  }

  /** Publishes an event by a statement of the pool, and returns its only delivery. */
  async function publishAlone() {
    const [row] = await publishWith(hub.sql, [buildEvent(acme)], insertPublication)
    assert.equal(row?.deliveries.length, 1)
    return row.deliveries[0]!
  }

  await publish({})
  await receiver.until(1)
  await untilSucceeded(1)
  hub.context.wakeUps.listen((keys) => woken.push(...keys))
  return { ...fixture, crm, woken, publishWith, publishAlone, untilSucceeded }
}

test('a statement outside a transaction is announced when it is committed', async (t) => {
  const { crm, arrived, log, publishAlone, untilSucceeded } = await startReady(t)

  const delivery = await publishAlone()
  await untilSucceeded(2)

  assert.equal(delivery.is_claimed, true)
  assert.equal(arrived(crm).length, 2)
  assert.equal((await log(crm))[0]?.id, delivery.delivery_id)
})

async function refuse(sql: Sql, { insertAll, deliveries }: Publication): Promise<Published[]> {
  return sql<Published[]>`with ${insertAll()} select ${deliveries}, 1 / (select 0)`
}

async function breakOff(): Promise<Published[]> {
  throw new Error('before anything is sent')
}

type PublishOne = (db: Pool | Tx) => Promise<unknown>
const FAILED_STATEMENTS = [
  { what: 'that the database refuses', statement: refuse, run: (sql: Pool, one: PublishOne) => one(sql) },
  { what: 'that is never sent', statement: breakOff, run: (sql: Pool, one: PublishOne) => one(sql) },
  { what: 'that its transaction outlives', statement: breakOff, run: runInCommitted },
]

async function runInCommitted(sql: Pool, one: PublishOne): Promise<unknown> {
  const failed = await sql.begin((tx) => one(tx).catch((err) => ({ err })))
  throw (failed as { err: unknown }).err
}

for (const { what, statement, run } of FAILED_STATEMENTS) {
  test(`a statement ${what} publishes nothing, announces nothing, and leaves the endpoint's slots free`, async (t) => {
    const { hub, acme, crm, woken, arrived, statuses, publishWith, publishAlone, untilSucceeded } = await startReady(t)

    for (let failure = 0; failure < FAILURES; failure++) {
      const failed = run(hub.sql, (db) => publishWith(db, [buildEvent(acme)], statement))
      await assert.rejects(failed, /division by zero|before anything is sent/)
    }
    const before = await statuses(crm)
    const delivery = await publishAlone()
    await untilSucceeded(2)

    assert.deepEqual(before, ['succeeded'])
    assert.equal(delivery.is_claimed, true)
    assert.equal(arrived(crm).length, 2)
    assert.deepEqual(woken, [])
  })
}

test('a transaction that is rolled back after its statement announces nothing', async (t) => {
  const { hub, acme, crm, woken, endpoint, publishAlone, untilSucceeded, publishWith, arrived } = await startReady(t)
  const unclaimed = await endpoint()
  let deliveries = 0

  const undone = hub.sql.begin(async (tx) => {
    const [row] = await publishWith(tx, [buildEvent(acme)], insertPublication)
    deliveries = row?.deliveries.length ?? 0
    throw new Error('something else failed')
  })

  await assert.rejects(undone, /something else failed/)
  assert.equal(deliveries, 2)
  assert.deepEqual(woken, [])
  await hub.sql`update webhook_endpoints set status = 'disabled' where id = ${unclaimed.id}`
  assert.equal((await publishAlone()).is_claimed, true)
  await untilSucceeded(2)
  assert.equal(arrived(crm).length, 2)
})

test('a statement publishes and attempts only the events that it selects', async (t) => {
  const { hub, acme, crm, log, arrived, publishWith, untilSucceeded } = await startReady(t)
  const [selected, other] = [buildEvent(acme), buildEvent(acme)]

  await publishWith(
    hub.sql,
    [other, selected],
    (sql, { events, insertFrom, deliveries }) => sql<Published[]>`
      with open as (select * from ${rows(sql, events, EVENT_COLUMNS)} as r where id = ${selected.id}),
      ${insertFrom(sql`select * from open`)}
      select ${deliveries}`,
  )
  await untilSucceeded(2)

  const recorded = await hub.sql<{ id: string }[]>`select id from events where id in (${selected.id}, ${other.id})`
  assert.deepEqual(
    recorded.map(({ id }) => id),
    [selected.id],
  )
  assert.equal(arrived(crm).length, 2)
  assert.equal((await log(crm)).length, 2)
})

test('deliveries that are committed although the answer was lost are released, and attempted once', async (t) => {
  const { hub, acme, crm, receiver, arrived, log, publishWith, untilSucceeded } = await startReady(t)
  const lost = new ConnectionLost('CONNECTION_CLOSED', 'the answer was lost')
  let published: Published[] = []

  const failed = publishWith(hub.sql, [buildEvent(acme)], async (sql, publication) => {
    published = await insertPublication(sql, publication)
    throw lost
  })

  await assert.rejects(failed, lost)
  await receiver.until(2)
  await untilSucceeded(2)
  assert.deepEqual(
    published.flatMap(({ deliveries }) => deliveries.map(({ is_claimed }) => is_claimed)),
    [true],
  )
  assert.equal(arrived(crm).length, 2)
  assert.equal((await log(crm))[0]?.attempts, 1)
})

test('any events are published by one text, which each connection prepares once', async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const { hub, acme, endpoint } = await startWebhooks(t, { installation: { sql } })
  const raw = { ...buildEvent(acme), kind: 'upstream.raw' as const, raw: Buffer.from('{}') }

  await sql.begin((tx) => hub.context.publish(tx, [buildEvent(acme)]))
  await endpoint()
  await sql.begin((tx) => hub.context.publish(tx, [buildEvent(acme), buildEvent(acme), raw]))

  const texts = statements.flatMap(({ text }) => (text.includes('publish_events_1(') ? [text] : []))
  assert.equal(texts.length, 2)
  assert.equal(new Set(texts).size, 1)
})
