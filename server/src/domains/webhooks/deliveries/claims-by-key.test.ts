import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../kernel/ids.ts'
import { counting } from '../../billing/usage/service.ts'
import type { ClaimKey, Ending } from './claims.ts'
import * as store from './queue-store.ts'
import { startLostWorker } from './test/lost-worker.ts'
import { startScene } from './test/scene.ts'

const CLAIMS = 60
const OTHERS = 400

// To whoever analyzes a queue in which nothing is claimed, the index of the leases is empty, and the shortest way.
for (const ending of ['finish', 'release'] as const) {
  test(`to ${ending} claims reads the rows of these claims, however many others there are`, async (t) => {
    const { hub, endpoint, publish } = await startScene(t)
    const crm = await endpoint()
    await publish(...Array.from({ length: CLAIMS + OTHERS }, () => ({})))
    await hub.sql`vacuum analyze delivery_queue`
    const worker = startLostWorker(hub)
    const claimed = await worker.claim(crm, CLAIMS)
    await worker.claim(crm, OTHERS / 2)

    const read = await hub.sql.begin(async (tx) => {
      if (ending === 'finish') await store.finish(tx, claimed.map(succeeded), counting)
      else await store.release(tx, claimed.map(keyOf), 0)
      const [row] = await tx<{ leases: number; keys: number }[]>`
        select pg_stat_get_xact_tuples_returned('delivery_queue_leases'::regclass)::int as leases,
          pg_stat_get_xact_tuples_returned('delivery_queue_pkey'::regclass)::int as keys`
      return row
    })

    assert.equal(read?.leases, 0)
    // A row that was claimed has left older selves in the index.
    assert.ok((read?.keys ?? Infinity) <= 4 * CLAIMS, `${read?.keys} entries were read`)
  })
}

type Claimed = Awaited<ReturnType<ReturnType<typeof startLostWorker>['claim']>>[number]

function keyOf({ organization_id: organizationId, endpoint_id: endpointId, id, claim }: Claimed): ClaimKey {
  return { organizationId, endpointId, id, claim }
}

function succeeded(claimed: Claimed): Ending {
  const nothing = { requestHeaders: null, responseHeaders: null, responseBody: null, address: null, timings: null }
  const result = { attemptId: newId(), isSuccess: true, httpStatus: 200, errorCode: null, waitMs: null }
  return { ...keyOf(claimed), ...result, ...nothing }
}
