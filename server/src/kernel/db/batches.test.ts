import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { breakableDatabase } from '../../../test/breakable-database.ts'
import { testDatabase } from '../../../test/database.ts'
import { createBatches } from './batches.ts'
import { isDatabaseAway, sqlState } from './pool.ts'

/** Runs that end when the test says so, and what they were given. */
function controlled<In>(options: { runsMax: number; weightMax: number; weightOf?: (item: In) => number }) {
  const runs: { items: In[]; end: () => void; fail: (err: unknown) => void }[] = []
  const batches = createBatches<In, string>({
    ...options,
    run: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>()
      runs.push({ items, end: () => resolve(items.map((item) => `did ${item}`)), fail: reject })
      return promise
    },
  })
  return { runs, batches, given: () => runs.map(({ items }) => items) }
}

/** Divides by each number on the server, in one statement: a zero among them refuses it for all. */
async function startDividing() {
  const { sql } = await testDatabase()
  const runs: number[][] = []
  const divide = createBatches<number, number>({
    runsMax: 1,
    weightMax: 100,
    run: async (items) => {
      runs.push(items)
      const rows = await sql<{ q: number }[]>`
        select 12 / n as q from unnest(${sql.array(items)}::int[]) with ordinality i (n, at) order by at`
      return rows.map(({ q }) => q)
    },
  })
  return { divide, runs }
}

test('whoever comes in the same turn of the event loop shares a run, and each gets the answer to its own item', async () => {
  const { batches, runs, given } = controlled<number>({ runsMax: 1, weightMax: 10 })

  const answers = Promise.all([1, 2, 3].map(batches))
  await setImmediate()
  runs[0]?.end()

  assert.deepEqual(given(), [[1, 2, 3]])
  assert.deepEqual(await answers, ['did 1', 'did 2', 'did 3'])
})

test('at a quiet moment nobody waits for company', async () => {
  const { batches, runs, given } = controlled<number>({ runsMax: 1, weightMax: 10 })

  const first = batches(1)
  await setImmediate()
  runs[0]?.end()
  await first
  const second = batches(2)
  await setImmediate()
  runs[1]?.end()

  assert.equal(await second, 'did 2')
  assert.deepEqual(given(), [[1], [2]])
})

test('while all runs are under way those who come wait, and share the next one in the order in which they came', async () => {
  const { batches, runs, given } = controlled<number>({ runsMax: 2, weightMax: 10 })

  const answers = [batches(1)]
  await setImmediate()
  answers.push(batches(2))
  await setImmediate()
  for (const item of [3, 4, 5]) {
    answers.push(batches(item))
    await setImmediate()
  }
  const meanwhile = given()
  runs[1]?.end()
  await answers[1]
  await setImmediate()
  runs[0]?.end()
  runs[2]?.end()

  assert.deepEqual(meanwhile, [[1], [2]])
  assert.deepEqual(given(), [[1], [2], [3, 4, 5]])
  assert.deepEqual(
    await Promise.all(answers),
    [1, 2, 3, 4, 5].map((item) => `did ${item}`),
  )
})

test('no more than the allowed runs are under way at once, however many wait', async () => {
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

test('a run takes as much as its weight allows, and something too heavy for any goes alone', async () => {
  const { batches, runs, given } = controlled<number>({ runsMax: 9, weightMax: 10, weightOf: (item) => item })

  const answers = Promise.all([4, 6, 1, 25, 3, 7, 1].map(batches))
  await setImmediate()
  for (const { end } of runs) end()

  assert.deepEqual(given(), [[4, 6], [1], [25], [3, 7], [1]])
  assert.equal((await answers).length, 7)
})

test('an item that the database refuses fails alone: its neighbours get their answers, in order', async () => {
  const { divide, runs } = await startDividing()

  const [a, b, c, d] = await Promise.allSettled([divide(1), divide(0), divide(3), divide(4)])

  assert.deepEqual(
    [a, c, d].map((outcome) => outcome?.status === 'fulfilled' && outcome.value),
    [12, 4, 3],
  )
  assert.equal(b?.status === 'rejected' && sqlState(b.reason), '22012')
  assert.deepEqual(runs, [[1, 0, 3, 4], [1], [0], [3], [4]])
})

test('an item that is refused alone is not tried again', async () => {
  const { divide, runs } = await startDividing()

  await assert.rejects(divide(0))

  assert.deepEqual(runs, [[0]])
  assert.equal(await divide(2), 6)
})

test('a database that is away fails all who share the run, and nobody is tried again: it may have been done', async (t) => {
  const { sql, spoil, mend } = await breakableDatabase(t)
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
  spoil('hang up')

  const outcomes = await Promise.allSettled([1, 2, 3].map(batches))
  await mend()

  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && isDatabaseAway(outcome.reason)))
  assert.deepEqual(runs, [[1, 2, 3]])
  assert.equal(await batches(4), 4)
})

test('an item that fails for a reason of ours fails alone too, and the next run goes on', async () => {
  const { batches, runs, given } = controlled<number>({ runsMax: 1, weightMax: 10 })
  const failure = new Error('a mistake of ours')

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
  assert.deepEqual(given(), [[1, 2], [1], [2], [3]])
})
