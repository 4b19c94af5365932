import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { breakableDatabase } from '../../../test/breakable-database.ts'
import { testDatabase } from '../../../test/database.ts'
import { AppError } from '../errors.ts'
import { createBatches } from './batches.ts'
import { isDatabaseUnavailable, readSqlState } from './pool.ts'

/** Batches whose runs the test ends, with the items of each run. */
function createControlledBatches<In>(options: {
  runsMax: number
  weightMax: number
  weightOf?: (item: In) => number
  waitingWeightMax?: number
}) {
  const runs: { items: In[]; end: () => void; fail: (err: unknown) => void }[] = []
  const batches = createBatches<In, string>({
    ...options,
    run: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>()
      runs.push({ items, end: () => resolve(items.map((item) => `did ${item}`)), fail: reject })
      return promise
    },
  })
  return { runs, batches, runItems: () => runs.map(({ items }) => items) }
}

/** Batches that divide by each number in one statement, which a zero among them fails. */
async function createDivisions() {
  const { sql } = await testDatabase()
  const runs: number[][] = []
  const splits: { state: string | undefined; count: number }[] = []
  const divide = createBatches<number, number>({
    runsMax: 1,
    weightMax: 200,
    onSplit: (err, count) => splits.push({ state: readSqlState(err), count }),
    run: async (items) => {
      runs.push(items)
      const rows = await sql<{ q: number }[]>`
        select 12 / n as q from unnest(${items}::int[]) with ordinality i (n, at) order by at`
      return rows.map(({ q }) => q)
    },
  })
  return { divide, runs, splits }
}

test('items of the same event loop iteration share a run, and each gets its own result', async () => {
  const { batches, runs, runItems } = createControlledBatches<number>({ runsMax: 1, weightMax: 10 })

  const answers = Promise.all([1, 2, 3].map(batches))
  await setImmediate()
  runs[0]?.end()

  assert.deepEqual(runItems(), [[1, 2, 3]])
  assert.deepEqual(await answers, ['did 1', 'did 2', 'did 3'])
})

test('an item runs at once when no run is in flight', async () => {
  const { batches, runs, runItems } = createControlledBatches<number>({ runsMax: 1, weightMax: 10 })

  const first = batches(1)
  await setImmediate()
  runs[0]?.end()
  await first
  const second = batches(2)
  await setImmediate()
  runs[1]?.end()

  assert.equal(await second, 'did 2')
  assert.deepEqual(runItems(), [[1], [2]])
})

test('items gather beside a run in flight, and run when it ends', async () => {
  const { batches, runs, runItems } = createControlledBatches<number>({ runsMax: 2, weightMax: 10 })

  const first = batches(1)
  await setImmediate()
  const answers = [2, 3].map(batches)
  await setImmediate()
  answers.push(batches(4))
  const meanwhile = runItems()
  runs[0]?.end()
  await first
  await setImmediate()
  runs[1]?.end()

  assert.deepEqual(meanwhile, [[1]])
  assert.deepEqual(await Promise.all(answers), ['did 2', 'did 3', 'did 4'])
  assert.deepEqual(runItems(), [[1], [2, 3, 4]])
})

test('items gather for some milliseconds only, and those that find all runs in flight wait for one to end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { batches, runs, runItems } = createControlledBatches<number>({ runsMax: 2, weightMax: 10 })

  const answers = [batches(1)]
  await setImmediate()
  answers.push(...[2, 3].map(batches))
  await setImmediate()
  t.mock.timers.tick(3)
  for (const item of [4, 5]) {
    answers.push(batches(item))
    await setImmediate()
  }
  t.mock.timers.tick(3)
  const meanwhile = runItems()
  runs[1]?.end()
  await answers[1]
  await setImmediate()
  runs[0]?.end()
  runs[2]?.end()

  assert.deepEqual(meanwhile, [[1], [2, 3]])
  assert.deepEqual(runItems(), [[1], [2, 3], [4, 5]])
  assert.deepEqual(
    await Promise.all(answers),
    [1, 2, 3, 4, 5].map((item) => `did ${item}`),
  )
})

test('no more than runsMax runs are in flight at once', async () => {
  let [running, most] = [0, 0]
  const batches = createBatches<number, number>({
    runsMax: 3,
    weightMax: 2,
    run: async (items) => {
      most = Math.max(most, ++running)
      await setImmediate()
      running--
      return items.map((item) => -item)
    },
  })
  const items = Array.from({ length: 50 }, (_, i) => i + 1)

  const answers = await Promise.all(items.map(batches))

  assert.deepEqual(
    answers,
    items.map((item) => -item),
  )
  assert.equal(most, 3)
})

test('a run takes items up to weightMax, and a heavier item runs alone', async () => {
  const { batches, runs, runItems } = createControlledBatches<number>({
    runsMax: 9,
    weightMax: 10,
    weightOf: (item) => item,
  })

  const answers = Promise.all([4, 6, 1, 25, 3, 7, 1].map(batches))
  await setImmediate()
  for (const { end } of runs) end()

  assert.deepEqual(runItems(), [[4, 6], [1], [25], [3, 7], [1]])
  assert.equal((await answers).length, 7)
})

test('an item that the database refuses fails alone, and the others get their results in order', async () => {
  const { divide, runs } = await createDivisions()

  const [a, b, c, d] = await Promise.allSettled([divide(1), divide(0), divide(3), divide(4)])

  assert.deepEqual(
    [a, c, d].map((outcome) => outcome?.status === 'fulfilled' && outcome.value),
    [12, 4, 3],
  )
  assert.equal(b?.status === 'rejected' && readSqlState(b.reason), '22012')
  assert.deepEqual(runs, [[1, 0, 3, 4], [1, 0], [1], [0], [3, 4]])
})

test('one refused item among 200 costs few runs, and the split is reported once with its cause', async () => {
  const { divide, runs, splits } = await createDivisions()
  const items = Array.from({ length: 200 }, (_, i) => (i === 77 ? 0 : 1))

  const outcomes = await Promise.allSettled(items.map(divide))

  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 199)
  assert.equal(runs.length, 17)
  assert.deepEqual(splits, [{ state: '22012', count: 200 }])
})

test('a batch of many refused items ends after a bounded number of runs', async () => {
  const { divide, runs } = await createDivisions()

  const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => divide(0)))

  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.ok(runs.length <= 40, `${runs.length} runs`)
})

test('a timeout fails all items of the run without a retry, because the database is slow already', async () => {
  const { sql } = await testDatabase()
  const runs: number[][] = []
  const batches = createBatches<number, number>({
    runsMax: 1,
    weightMax: 100,
    run: async (items) => {
      runs.push(items)
      await sql.begin(async (tx) => {
        await tx`set local statement_timeout = 1`
        await tx`select pg_sleep(10)`
      })
      return items
    },
  })

  const outcomes = await Promise.allSettled([1, 2, 3].map(batches))

  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && readSqlState(outcome.reason)),
    ['57014', '57014', '57014'],
  )
  assert.deepEqual(runs, [[1, 2, 3]])
})

test('an item that failed alone is not retried', async () => {
  const { divide, runs } = await createDivisions()

  await assert.rejects(divide(0))

  assert.deepEqual(runs, [[0]])
  assert.equal(await divide(2), 6)
})

test('a lost connection fails all items of the run without a retry, because the run may have been committed', async (t) => {
  const { sql, disrupt, restore } = await breakableDatabase(t)
  const runs: number[][] = []
  const batches = createBatches<number, number>({
    runsMax: 1,
    weightMax: 100,
    run: async (items) => {
      runs.push(items)
      await sql`select pg_sleep(0)`
      return items
    },
  })
  disrupt('hang up')

  const outcomes = await Promise.allSettled([1, 2, 3].map(batches))
  await restore()

  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && isDatabaseUnavailable(outcome.reason)))
  assert.deepEqual(runs, [[1, 2, 3]])
  assert.equal(await batches(4), 4)
})

test('an item that fails with an error of the program fails alone too, and the next run starts', async () => {
  const { batches, runs, runItems } = createControlledBatches<number>({ runsMax: 1, weightMax: 10 })
  const failure = new Error('a bug')

  const outcomes = Promise.allSettled([1, 2].map(batches))
  await setImmediate()
  const next = batches(3)
  runs[0]?.fail(failure)
  await setImmediate()
  runs[1]?.fail(failure)
  await setImmediate()
  runs[2]?.end()
  const settled = await outcomes
  await setImmediate()
  runs[3]?.end()

  assert.deepEqual(
    settled.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome.value)),
    [failure, 'did 2'],
  )
  assert.equal(await next, 'did 3')
  assert.deepEqual(runItems(), [[1, 2], [1], [2], [3]])
})

test('items beyond the weight that may wait are refused with OVERLOADED, and the others run', async () => {
  const { batches, runs, runItems } = createControlledBatches<number>({
    runsMax: 1,
    weightMax: 5,
    weightOf: (item) => item,
    waitingWeightMax: 10,
  })
  const first = batches(99)
  await setImmediate()
  const waiting = [batches(4), batches(5)]

  await assert.rejects(batches(2), (err) => err instanceof AppError && err.code === 'OVERLOADED')
  waiting.push(batches(1))
  runs[0]?.end()
  await first
  await setImmediate()
  const next = batches(4)
  for (let i = 1; i < 4; i++) {
    runs[i]?.end()
    await setImmediate()
  }

  assert.deepEqual(await Promise.all([...waiting, next]), ['did 4', 'did 5', 'did 1', 'did 4'])
  assert.deepEqual(runItems(), [[99], [4], [5], [1, 4]])
})
