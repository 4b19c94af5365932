import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countRowsRead, explainStatement, openRecordingPool } from '../../../../test/query-plans.ts'
import { startWebhooks } from '../test/fixture.ts'
import { startLostWorker } from '../test/lost-worker.ts'

const ENDPOINTS = 50
const EVENTS = 5
/** The results, their endpoints and the counts of those; joined to each other they were 90,000. */
const ROWS_READ_MAX = 10 * ENDPOINTS * EVENTS

test('results beside endpoints that fail read few rows, even with a plan from when none failed', {
  rules: ['delivery.dead-worker-leaves-interrupted'],
}, async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const { hub, endpoint, publishMany } = await startWebhooks(t, { installation: { sql } })
  const created = []
  for (let i = 0; i < ENDPOINTS; i++) created.push(await endpoint())
  await publishMany(EVENTS)
  const worker = startLostWorker(hub)
  const claimed = []
  for (const each of created) claimed.push(...(await worker.claim(each, EVENTS)))
  assert.equal(claimed.length, ENDPOINTS * EVENTS)
  await hub.sql`create table claimed_before as select * from delivery_queue`
  await hub.sql`analyze`
  statements.length = 0
  await worker.record(claimed, true)
  const statement = statements.find(({ text }) => text.includes('insert into delivery_attempts'))
  assert.ok(statement)

  const plan = await explainStatement(sql, statement, async (tx) => {
    await tx`delete from delivery_attempts`
    await tx`delete from deliveries`
    await tx`insert into delivery_queue select * from claimed_before`
    await tx`
      insert into webhook_endpoint_health (organization_id, endpoint_id, consecutive_failures)
      select organization_id, id, 1 from webhook_endpoints`
  })

  const read = countRowsRead(plan)
  assert.ok(read <= ROWS_READ_MAX, `${read} rows: ${JSON.stringify(plan)}`)
})
