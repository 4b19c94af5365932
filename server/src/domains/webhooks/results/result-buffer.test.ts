import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../kernel/ids.ts'
import { createLogger } from '../../../kernel/logger.ts'
import type { AttemptResult } from './attempt-result.ts'
import { createResultBuffer } from './result-buffer.ts'

const logger = createLogger('silent', { write: () => undefined })
const AWAY = Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' })

function ending(): AttemptResult {
  const key = { organizationId: newId(), endpointId: newId(), id: newId(), claim: newId() }
  const nothing = { requestHeaders: null, responseHeaders: null, responseBody: null, address: null, timings: null }
  return { ...key, attemptId: newId(), isSuccess: true, httpStatus: 200, errorCode: null, waitMs: null, ...nothing }
}

/** A results of so many endings, whose writes go as `refuse` says; what was written, in order, and in which batches. */
async function record(count: number, refuse: (batch: AttemptResult[], writes: number) => Error | undefined) {
  const endings = Array.from({ length: count }, ending)
  const written: AttemptResult[] = []
  const sizes: number[] = []
  const results = createResultBuffer({
    logger,
    async write(batch) {
      sizes.push(batch.length)
      const refusal = refuse(batch, sizes.length)
      if (refusal) throw refusal
      written.push(...batch)
    },
  })
  for (const one of endings) results.add(one)
  await results.flush()
  return { endings, written, sizes }
}

test('endings are written in their order, many at once', async () => {
  const { endings, written, sizes } = await record(600, () => undefined)

  assert.deepEqual(written, endings)
  assert.deepEqual(sizes, [250, 250, 100])
})

test('while the database is away endings wait, and are written when it is back', async () => {
  const { endings, written } = await record(3, (_batch, writes) => (writes <= 2 ? AWAY : undefined))

  assert.deepEqual(written, endings)
})

test('an ending that cannot be written takes no other along', async () => {
  let poison: AttemptResult | undefined
  const { endings, written, sizes } = await record(5, (batch) => {
    poison ??= batch[2]
    return poison && batch.includes(poison) ? new Error('refused') : undefined
  })

  assert.deepEqual(
    written,
    endings.filter((one) => one !== poison),
  )
  assert.deepEqual(sizes, [5, 1, 1, 1, 1, 1])
})

test('a database that goes away while endings are written one by one costs none of them', async () => {
  const { endings, written } = await record(5, (batch, writes) => {
    if (batch.length > 1) return new Error('refused')
    return writes === 3 ? AWAY : undefined
  })

  assert.deepEqual(written, endings)
})

test('after a refusal the next endings are written together again', async () => {
  const { written, sizes } = await record(300, (_batch, writes) => (writes === 1 ? new Error('refused') : undefined))

  assert.equal(written.length, 300)
  assert.deepEqual(sizes, [250, ...Array(250).fill(1), 50])
})
