import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { buildUsageInsert } from '../../billing/usage/service.ts'
import { buildAttemptCountInsert } from '../../statistics/counts/service.ts'
import { buildFailureReset } from '../endpoints/health.ts'
import { type AttemptResult, toClaimKey } from '../results/attempt-result.ts'
import { finishAttempts } from '../results/store.ts'
import { eventually, startWebhooks } from '../test/fixture.ts'
import { startLostWorker } from '../test/lost-worker.ts'
import { startOwnWorker } from '../test/own-worker.ts'
import { isSignedWith } from '../test/signature.ts'
import { releaseClaims } from './store.ts'

const OTHER_WRITES = { buildUsageInsert, buildAttemptCountInsert, buildFailureReset }

/** A cache without payloads, of which each read takes `ms` on a clock of its own. */
function createSlowPayloads(waits: { ms: number }) {
  let clockMs = 0
  const now = () => clockMs
  const payloads = {
    get() {
      clockMs += waits.ms
      return undefined
    },
    put: () => undefined,
  }
  return { now, payloads }
}

// By then the endpoint may have another URL or secret, or may be paused.
test('a claim that cannot start within 200 ms is released: nothing is sent, and no attempt counts', {
  rules: ['delivery.claim-fixes-address-and-secret'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publish, only, listAttempts } = await startWebhooks(t, { isOwn: true })
  const crm = await endpoint()
  await publish({})
  const before = await only(crm)
  const waits = { ms: 201 }
  const { now, payloads } = createSlowPayloads(waits)
  t.mock.method(performance, 'now', now)
  const { step } = startOwnWorker(hub, { payloads })
  const key = { organizationId: acme.organizationId, endpointId: crm.id }

  const late = await step(key)
  const released = await only(crm)
  const sent = receiver.received.length
  waits.ms = 200
  const inTime = await step(key)

  assert.deepEqual([late, sent], [0, 0])
  assert.deepEqual(released, before)
  assert.equal(inTime, 1)
  const { status, attempts } = await only(crm)
  assert.deepEqual([status, attempts], ['succeeded', 1])
  assert.equal((await listAttempts(crm, before)).length, 1)
})

test('deliveries whose payloads could not be loaded are released at once: no attempt counts', async (t) => {
  const { hub, acme, receiver, endpoint, publish, only } = await startWebhooks(t, { isOwn: true })
  const crm = await endpoint()
  await publish({})
  const before = await only(crm)
  const payloads = {
    get(): never {
      throw new Error('the statement took too long')
    },
    put: () => undefined,
  }
  const { step } = startOwnWorker(hub, { payloads })

  await assert.rejects(step({ organizationId: acme.organizationId, endpointId: crm.id }), /took too long/)

  assert.deepEqual(await only(crm), before)
  assert.deepEqual([before.status, before.attempts, receiver.received.length], ['pending', 0, 0])
})

test('a delivery is sent although other endpoints fill the memory for lanes while its payload loads', async (t) => {
  const { hub, acme, endpoint, publish, statuses } = await startWebhooks(t, { isOwn: true })
  const crm = await endpoint()
  const others = Array.from({ length: 5 }, () => ({ organizationId: acme.organizationId, endpointId: newId() }))
  const payloads = {
    get() {
      worker.wake(others)
      return undefined
    },
    put: () => undefined,
  }
  const worker = startOwnWorker(hub, { payloads, lanesMax: 1 })
  const key = { organizationId: acme.organizationId, endpointId: crm.id }

  await publish({})
  await worker.step(key)
  await publish({})
  await worker.step(key)

  assert.deepEqual(await statuses(crm), ['succeeded', 'succeeded'])
})

test('an attempt uses the URL and the secret that its endpoint had at the claim', {
  rules: ['delivery.claim-fixes-address-and-secret'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publish, patch, only, arrived } = await startWebhooks(t, { isOwn: true })
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  t.mock.method(performance, 'now', () => 0)
  const { step, deliver } = startOwnWorker(hub)
  const held = await holdTransaction(hub.sql, (tx) => tx`lock table events in access exclusive mode`)

  // The delivery is claimed and waits for its payload.
  const attempting = step({ organizationId: acme.organizationId, endpointId: crm.id })
  await waitUntilBlocked(hub.sql, 1)
  await patch(crm, { url: `${receiver.url}/moved` })
  const { secret } = (await acme.post(`/api/v1/webhooks/${crm.id}/rotate-secret`)).body.data
  await held.release()
  await attempting
  await hub.clock.advance('6 seconds')
  await deliver()

  const [first, second] = [arrived(crm), arrived({ path: '/moved' })]
  assert.deepEqual([first.length, second.length, (await only(crm)).attempts], [1, 1, 2])
  assert.ok(isSignedWith(first[0]!, crm.secret))
  assert.ok(isSignedWith(second[0]!, secret))
})

const CLAIMS = 60
const OTHERS = 400

// Analyzed while nothing is claimed, the index of leases looks empty, and the planner would prefer it.
for (const ending of ['finish', 'release'] as const) {
  test(`to ${ending} claims reads only the rows of these claims`, async (t) => {
    const { hub, endpoint, publish } = await startWebhooks(t)
    const crm = await endpoint()
    await publish(...Array.from({ length: CLAIMS + OTHERS }, () => ({})))
    await hub.sql`vacuum analyze delivery_queue`
    const worker = startLostWorker(hub)
    const claimed = await worker.claim(crm, CLAIMS)
    await worker.claim(crm, OTHERS / 2)

    const read = await hub.sql.begin(async (tx) => {
      if (ending === 'finish') await finishAttempts(tx, claimed.map(toSuccess), OTHER_WRITES)
      else await releaseClaims(tx, claimed.map(toKey), 0)
      const [row] = await tx<{ leases: number; keys: number }[]>`
        select pg_stat_get_xact_tuples_returned('delivery_queue_leases'::regclass)::int as leases,
          pg_stat_get_xact_tuples_returned('delivery_queue_pkey'::regclass)::int as keys`
      return row
    })

    assert.equal(read?.leases, 0)
    // A claimed row has left dead entries in the index.
    assert.ok((read?.keys ?? Infinity) <= 4 * CLAIMS, `${read?.keys} entries were read`)
  })
}

type Claimed = Awaited<ReturnType<ReturnType<typeof startLostWorker>['claim']>>[number]

function toKey(claimed: Claimed) {
  return toClaimKey(claimed, claimed.claimToken)
}

function toSuccess(claimed: Claimed): AttemptResult {
  const nothing = {
    requestHeaders: null,
    responseHeaders: null,
    responseBody: null,
    address: null,
    timings: null,
    latencyMs: 12,
  }
  const result = { attemptId: newId(), isSuccess: true, httpStatus: 200, errorCode: null, waitMs: null }
  return { ...toKey(claimed), ...result, ...nothing }
}

for (const { bytesMax, inFlight } of [
  { bytesMax: 20_000, inFlight: 3 },
  { bytesMax: 1000, inFlight: 1 },
]) {
  test(`payloads of 3 KB are sent ${inFlight} at a time where ${bytesMax} bytes may be in flight`, async (t) => {
    const { hub, receiver, endpoint, publish, log } = await startWebhooks(t)
    const crm = await endpoint()
    const data = { change: { field: 'account_update', text: 'x'.repeat(3000) } }
    await publish(...Array.from({ length: 6 }, () => ({ data })))
    const { deliver } = startOwnWorker(hub, { limits: { inFlightBytesMax: bytesMax } })
    const listClaims = () => hub.sql`select 1 from delivery_queue where claim is not null`
    receiver.hold()

    const delivering = deliver()
    await receiver.until(inFlight)
    await eventually(async () => (await listClaims()).length === inFlight)
    const arrived = receiver.received.length
    receiver.letGo()
    await delivering

    assert.equal(arrived, inFlight)
    assert.deepEqual(
      (await log(crm)).map(({ status, attempts }) => `${status} ${attempts}`),
      Array(6).fill('succeeded 1'),
    )
    assert.equal(receiver.received.length, 6)
  })
}
