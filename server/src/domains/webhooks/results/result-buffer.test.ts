import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { createBatchSplits } from '../../../kernel/db/batch-splits.ts'
import { ConnectionLost } from '../../../kernel/db/driver/connection.ts'
import { newId } from '../../../kernel/ids.ts'
import { createLogger } from '../../../kernel/logger.ts'
import type { AttemptResult } from './attempt-result.ts'
import { createResultBuffer } from './result-buffer.ts'

const UNREACHABLE = new ConnectionLost('ECONNREFUSED', 'the database is unreachable')

function buildResult(): AttemptResult {
  return {
    organizationId: newId(),
    endpointId: newId(),
    id: newId(),
    claimToken: newId(),
    attemptId: newId(),
    isSuccess: true,
    httpStatus: 200,
    errorCode: null,
    waitMs: null,
    requestHeaders: null,
    responseHeaders: null,
    responseBody: null,
    address: null,
    timings: null,
    latencyMs: 12,
  }
}

/** Adds `count` results to a buffer whose writes fail as `refuse` says. Returns what was written, and the batch sizes. */
async function writeThrough(count: number, refuse: (batch: AttemptResult[], writes: number) => Error | undefined) {
  const results = Array.from({ length: count }, buildResult)
  const written: AttemptResult[] = []
  const sizes: number[] = []
  const lines: { level: string; msg: string; err?: { message: string } }[] = []
  const logger = createLogger('warn', { write: (line) => void lines.push(JSON.parse(line)) })
  const outages: unknown[] = []
  const buffer = createResultBuffer({
    logger,
    outages: { report: (err) => void outages.push(err) },
    batchSplits: createBatchSplits({ logger }),
    async write(batch) {
      sizes.push(batch.length)
      const refusal = refuse(batch, sizes.length)
      if (refusal) throw refusal
      written.push(...batch)
    },
  })
  for (const result of results) buffer.add(result)
  await buffer.flush()
  return { results, written, sizes, lines, outages }
}

test('results are written in order and in batches', async () => {
  const { results, written, sizes } = await writeThrough(600, () => undefined)

  assert.deepEqual(written, results)
  assert.deepEqual(sizes, [250, 250, 100])
})

test('results wait while the database is unreachable and are written when it is reachable again', async () => {
  const { results, written } = await writeThrough(3, (_batch, writes) => (writes <= 2 ? UNREACHABLE : undefined))

  assert.deepEqual(written, results)
})

test('results that wait for an unreachable database are failures of its outage, and no lines of their own', {
  rules: ['database.outage-is-two-log-lines'],
}, async () => {
  const { lines, outages } = await writeThrough(3, (_batch, writes) => (writes <= 2 ? UNREACHABLE : undefined))

  assert.deepEqual([lines, outages], [[], [UNREACHABLE, UNREACHABLE]])
})

for (const [reason, code] of [
  ['is read-only', '25006'],
  ['has no disk space', '53100'],
  ['takes too long', '57014'],
  ['finds a deadlock', '40P01'],
] as const) {
  test(`results wait while the database ${reason}, one by one as well`, async () => {
    const refusal = Object.assign(new pg.DatabaseError(reason, 0, 'error'), { code })
    const { results, written, lines } = await writeThrough(3, (_batch, writes) => {
      if (writes === 1) return new Error('refused')
      return writes <= 3 ? refusal : undefined
    })

    assert.deepEqual(written, results)
    assert.deepEqual(new Set(lines.map(({ level }) => level)), new Set(['warn']))
  })
}

test('a result that cannot be written does not stop the others of its batch', async () => {
  let refused: AttemptResult | undefined
  const { results, written, sizes } = await writeThrough(5, (batch) => {
    refused ??= batch[2]
    return refused && batch.includes(refused) ? new Error('refused') : undefined
  })

  assert.deepEqual(
    written,
    results.filter((one) => one !== refused),
  )
  assert.deepEqual(sizes, [5, 1, 1, 1, 1, 1])
})

test('no result is lost when the database goes away while results are written one by one', async () => {
  const { results, written } = await writeThrough(5, (batch, writes) => {
    if (batch.length > 1) return new Error('refused')
    return writes === 3 ? UNREACHABLE : undefined
  })

  assert.deepEqual(written, results)
})

test('the results after a refused batch are written in batches again', async () => {
  const { written, sizes } = await writeThrough(300, (_batch, writes) =>
    writes === 1 ? new Error('refused') : undefined,
  )

  assert.equal(written.length, 300)
  assert.deepEqual(sizes, [250, ...Array(250).fill(1), 50])
})

test('a refused batch is logged as a warning with its cause before its results are written one by one', async () => {
  const { lines } = await writeThrough(3, (_batch, writes) => (writes === 1 ? new Error('refused') : undefined))

  assert.deepEqual(
    lines.map(({ level, msg, err }) => [level, msg, err?.message]),
    [['warn', 'a batch was refused and is written again', 'refused']],
  )
})

test('further claims wait while 512 results are not written, and direct claims do not yet', async () => {
  const writes: PromiseWithResolvers<void>[] = []
  const logger = createLogger('silent', { write: () => undefined })
  const buffer = createResultBuffer({
    logger,
    outages: { report: () => undefined },
    batchSplits: createBatchSplits({ logger }),
    write: () => (writes[writes.push(Promise.withResolvers()) - 1] as PromiseWithResolvers<void>).promise,
  })
  const steps: string[] = []
  for (let count = 0; count < 511; count++) buffer.add(buildResult())
  await buffer.waitForRoom()
  buffer.add(buildResult())
  assert.equal(buffer.hasRoom(), true)

  const waiting = buffer.waitForRoom().then(() => void steps.push('room'))
  while (writes.length === 0) await setImmediate()
  steps.push('written')
  writes[0]?.resolve()
  await waiting

  assert.deepEqual(steps, ['written', 'room'])
  const flushed = buffer.flush()
  while (writes.length < 2) await setImmediate()
  writes[1]?.resolve()
  while (writes.length < 3) await setImmediate()
  writes[2]?.resolve()
  await flushed
})
