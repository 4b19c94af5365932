import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { holdTransaction } from '../../../../test/hub-with-upstream.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { eventually, startWebhooks } from '../test/fixture.ts'

type Inserted = { id: string; is_claimed: boolean; attempts: number }

/** A hub that delivers, and an endpoint that it has delivered to once, so that it knows where its deliveries go. */
async function startDelivering(t: TestContext) {
  const fixture = await startWebhooks(t, { isDelivering: true, isOwn: true })
  const { hub, endpoint, publish } = fixture
  const crm = await endpoint()

  async function untilSucceeded(count: number): Promise<void> {
    await eventually(async () => {
      const [row] = await hub.sql`
        select count(*)::int as count
        from deliveries
        where endpoint_id = ${crm.id} and status = 'succeeded'`
      return row?.count === count
    })
  }

  async function listInserted(tx: Tx): Promise<Inserted[]> {
    return tx<Inserted[]>`
      select id, claim is not null as is_claimed, attempts
      from delivery_queue
      where endpoint_id = ${crm.id}
      order by id`
  }

  /** Publishes events in a transaction, and returns the deliveries as they are in it. */
  async function publishAndList(count = 1, work: () => Promise<void> = async () => {}): Promise<Inserted[]> {
    return hub.sql.begin(async (tx) => {
      const event = { organizationId: fixture.acme.organizationId, kind: 'account.update', channelId: null } as const
      await hub.context.publish(
        tx,
        Array.from({ length: count }, () => ({ ...event, data: { change: { field: 'account_update' } } })),
      )
      await work()
      return listInserted(tx)
    })
  }

  await publish({})
  await untilSucceeded(1)
  return { ...fixture, crm, untilSucceeded, publishAndList }
}

test('a delivery that this process can attempt at once is inserted with its claim, and attempted once', {
  rules: ['delivery.claim-fixes-address-and-secret'],
}, async (t) => {
  const { crm, arrived, log, untilSucceeded, publishAndList } = await startDelivering(t)

  const inserted = await publishAndList()
  await untilSucceeded(2)

  assert.deepEqual(
    inserted.map(({ is_claimed, attempts }) => [is_claimed, attempts]),
    [[true, 1]],
  )
  assert.equal(arrived(crm).length, 2)
  const [newest] = await log(crm)
  assert.deepEqual([newest?.id, newest?.attempts], [inserted[0]?.id, 1])
})

test('a transaction that is rolled back leaves no claim and no occupied slot', async (t) => {
  const { crm, arrived, untilSucceeded, publishAndList } = await startDelivering(t)
  const refuse = async () => {
    throw new Error('refused')
  }

  for (let i = 0; i < 100; i++) await assert.rejects(publishAndList(1, refuse), /refused/)
  const [inserted] = await publishAndList()
  await untilSucceeded(2)

  assert.equal(inserted?.is_claimed, true)
  assert.equal(arrived(crm).length, 2)
})

test('a delivery for an endpoint that has changed since waits for a claim, and goes to the new address', {
  rules: ['delivery.claim-fixes-address-and-secret'],
}, async (t) => {
  const { receiver, crm, patch, untilSucceeded, publishAndList } = await startDelivering(t)
  await patch(crm, { url: `${receiver.url}/moved` })

  const [first] = await publishAndList()
  await untilSucceeded(2)
  const [second] = await publishAndList()
  await untilSucceeded(3)

  assert.deepEqual([first?.is_claimed, second?.is_claimed], [false, true])
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    [crm.path, '/moved', '/moved'],
  )
})

test('a delivery for an endpoint that changes before it commits goes to the new address, and is attempted once', {
  rules: ['delivery.claim-fixes-address-and-secret'],
}, async (t) => {
  const { receiver, crm, patch, publish, log, untilSucceeded, publishAndList } = await startDelivering(t)

  const [inserted] = await publishAndList(1, async () => {
    await patch(crm, { url: `${receiver.url}/moved` })
    await publish({})
    await untilSucceeded(2)
  })
  await untilSucceeded(3)

  assert.equal(inserted?.is_claimed, true)
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    [crm.path, '/moved', '/moved'],
  )
  assert.deepEqual(
    (await log(crm)).map(({ attempts, last_error_code }) => [attempts, last_error_code]),
    Array(3).fill([1, null]),
  )
})

const CHANGES = [
  { what: 'is disabled', body: { status: 'disabled' }, status: 'canceled' },
  { what: 'is paused', body: { status: 'paused' }, status: 'pending' },
  { what: 'excludes it', body: { payload_mode: 'upstream_raw' }, status: 'canceled' },
]

for (const { what, body, status } of CHANGES) {
  test(`a delivery whose endpoint ${what} before it commits is not attempted`, {
    rules: ['pause.holds-open-deliveries', 'pause.disabling-cancels-at-once', 'endpoint.payload-mode-change-cancels'],
  }, async (t) => {
    const { hub, crm, patch, arrived, log, publishAndList } = await startDelivering(t)

    const [inserted] = await publishAndList(1, () => patch(crm, body))
    await eventually(async () => (await hub.sql`select from delivery_queue where claim is not null`).length === 0)

    assert.equal(inserted?.is_claimed, true)
    const [newest] = await log(crm)
    assert.deepEqual([newest?.status, newest?.attempts], [status, 0])
    assert.equal(arrived(crm).length, 1)
  })
}

test('a delivery whose endpoint is deleted before it commits is not attempted', async (t) => {
  const { hub, crm, remove, arrived, publishAndList } = await startDelivering(t)

  const [inserted] = await publishAndList(1, async () => void (await remove(crm)))
  await eventually(async () => (await hub.sql`select from delivery_queue where claim is not null`).length === 0)

  assert.equal(inserted?.is_claimed, true)
  assert.equal(arrived(crm).length, 1)
})

test('a delivery that commits 200 ms after it was claimed is claimed again, and attempted once', {
  rules: ['delivery.claim-fixes-address-and-secret'],
}, async (t) => {
  const { crm, arrived, log, untilSucceeded, publishAndList } = await startDelivering(t)
  const readNow = performance.now.bind(performance)
  let passedMs = 0
  t.mock.method(performance, 'now', () => readNow() + passedMs)

  const [inserted] = await publishAndList(1, async () => {
    passedMs = 201
  })
  await untilSucceeded(2)

  assert.equal(inserted?.is_claimed, true)
  assert.equal(arrived(crm).length, 2)
  assert.equal((await log(crm))[0]?.attempts, 1)
})

test('more deliveries than an endpoint gets at once wait for claims, and each arrives once', async (t) => {
  const { crm, arrived, untilSucceeded, publishAndList } = await startDelivering(t)

  const inserted = await publishAndList(70)
  await untilSucceeded(71)

  assert.deepEqual([...new Set(inserted.map(({ is_claimed }) => is_claimed))], [false])
  assert.equal(arrived(crm).length, 71)
})

test('transactions at once claim no more than an endpoint gets at once, and each delivery arrives once', async (t) => {
  const { receiver, crm, arrived, untilSucceeded, publishAndList } = await startDelivering(t)
  receiver.hold()

  const inserted = await Promise.all(Array.from({ length: 40 }, () => publishAndList()))
  const claimed = new Set(inserted.flat().flatMap(({ id, is_claimed }) => (is_claimed ? [id] : [])))
  await receiver.until(9)
  receiver.letGo()
  await untilSucceeded(41)

  // Eight at first, and one more after the first response.
  assert.ok(claimed.size >= 1 && claimed.size <= 9, `${claimed.size} claimed`)
  assert.equal(arrived(crm).length, 41)
})

test('a stopping engine makes the attempts that are claimed in a transaction that has not ended yet', async (t) => {
  const { hub, acme, crm, arrived, statuses } = await startDelivering(t)
  const event = { organizationId: acme.organizationId, kind: 'account.update', channelId: null } as const
  const held = await holdTransaction(hub.sql, (tx) => hub.context.publish(tx, [{ ...event, data: { change: {} } }]))
  let isStopped = false

  const stopping = hub.context.engine.stop().then(() => {
    isStopped = true
  })
  await hub.sql`select 1`
  const wasStopped = isStopped
  await held.release()
  await stopping

  assert.equal(wasStopped, false)
  assert.equal(arrived(crm).length, 2)
  assert.deepEqual(await statuses(crm), ['succeeded', 'succeeded'])
})

test('a process that does not deliver claims nothing', async (t) => {
  const { hub, endpoint, publish } = await startWebhooks(t)
  await endpoint()

  await publish({})

  const rows = await hub.sql`select claim, attempts from delivery_queue`
  assert.deepEqual(
    rows.map(({ claim, attempts }) => [claim, attempts]),
    [[null, 0]],
  )
})
