import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contend } from '../../../../test/lock-contention.ts'
import { newId } from '../../../kernel/ids.ts'
import { createLogger } from '../../../kernel/logger.ts'
import { createEndpointHealth } from '../endpoints/health.ts'
import { startWebhooks } from '../test/fixture.ts'
import { type Claimed, startLostWorker } from '../test/lost-worker.ts'
import { type AttemptResult, toClaimKey } from './attempt-result.ts'
import { createExpiredClaims } from './expired-claims.ts'
import { createResultBuffer } from './result-buffer.ts'
import { createResultWriter } from './result-writer.ts'

const logger = createLogger('silent', { write: () => undefined })

function toSuccess(delivery: Claimed): AttemptResult {
  return {
    ...toClaimKey(delivery, delivery.claimToken),
    attemptId: newId(),
    isSuccess: true,
    httpStatus: 200,
    errorCode: null,
    waitMs: null,
    requestHeaders: {},
    responseHeaders: {},
    responseBody: Buffer.alloc(0),
    address: '127.0.0.1',
    timings: {},
    latencyMs: 12,
  }
}

test('results with an empty response body are written in one statement', async (t) => {
  const { hub, endpoint, publishMany, statuses } = await startWebhooks(t)
  const crm = await endpoint()
  await publishMany(5)
  const claimed = await startLostWorker(hub).claim(crm, 5)
  const { sql, audit, liveUpdates } = hub.context
  const { writeResults } = createResultWriter({
    sql,
    health: createEndpointHealth({ audit, logger, publish: hub.context.publish }),
    liveUpdates,
  })

  await writeResults(claimed.map(toSuccess))

  assert.deepEqual(await statuses(crm), Array(5).fill('succeeded'))
  const transactions = await hub.sql`select distinct xmin::text from deliveries where endpoint_id = ${crm.id}`
  assert.equal(transactions.length, 1)
})

test('a response without a body has a null body in the log', async (t) => {
  const { hub, receiver, endpoint, publish, only, listAttempts } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(() => ({ status: 200, body: '' }))
  await publish({})

  await hub.deliver()

  const [attempt] = await listAttempts(crm, await only(crm))
  assert.equal(attempt?.response_body_base64, null)
})

test('results of receivers that answer empty, 204, text, JSON or in chunks are written in batches', async (t) => {
  const { hub, endpoint, publishMany, statuses, listAttempts, log } = await startWebhooks(t)
  const crm = await endpoint()
  const splits: string[] = []
  hub.context.batchSplits.observe((batch) => void splits.push(batch))
  await publishMany(20)

  await hub.deliver()

  assert.deepEqual(await statuses(crm), Array(20).fill('succeeded'))
  assert.deepEqual(splits, [])
  const bodies = new Set<string | null>()
  for (const delivery of await log(crm))
    bodies.add((await listAttempts(crm, delivery))[0]?.response_body_base64 ?? null)
  assert.equal(bodies.size, 4)
})

test('a queue that is locked for longer than a lease repeats no attempt whose result waits', {
  rules: ['delivery.dead-worker-leaves-interrupted'],
}, async (t) => {
  const { hub, endpoint, publishMany, statuses } = await startWebhooks(t)
  const crm = await endpoint()
  // More than one batch of results: the job comes between the batches.
  await publishMany(300)
  const claimed = await startLostWorker(hub).claim(crm, 300)
  const { sql, now, audit, outages, batchSplits, liveUpdates } = hub.context
  const { writeResults: write } = createResultWriter({
    sql,
    health: createEndpointHealth({ audit, logger, publish: hub.context.publish }),
    liveUpdates,
  })
  const results = createResultBuffer({ write, logger, outages, batchSplits })
  const expiredClaims = createExpiredClaims({ sql, now, results, liveUpdates })

  await contend((tx) => tx`lock table delivery_queue in exclusive mode`, {
    waiting: 2,
    async work() {
      for (const delivery of claimed) results.add(toSuccess(delivery))
      await hub.clock.advance('31 seconds')
      await Promise.all([results.flush(), expiredClaims.finishInterrupted()])
    },
  })

  assert.deepEqual(new Set(await statuses(crm)), new Set(['succeeded']))
})
