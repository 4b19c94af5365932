import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { testDatabase } from '../../../../test/database.ts'
import { holdConnections, openLimited } from '../../../../test/limited-database.ts'
import { openPool, readSqlState } from '../pool.ts'
import type { ConnectionLost } from './connection.ts'

test('when the server refuses more connections, every statement waits for one that the pool has', {
  rules: ['database.refused-connections-wait'],
}, async (t) => {
  const { sql, limits } = await openLimited(t, 3, 10)

  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      n % 2 === 0 ? sql`select ${n}::int as n` : sql.begin((tx) => tx`select ${n}::int as n`),
    ),
  )

  assert.deepEqual(
    answers.map(([row]) => row?.n),
    answers.map((_, n) => n),
  )
  assert.deepEqual(limits, [3])
})

test('a server that allows few connections has one of them for urgent statements', async (t) => {
  const { sql } = await openLimited(t, 3, 10)
  await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.01)`))

  const holding = holdConnections(sql, 2)
  await holding.begun
  let isAnswered = false
  const normal = sql`select 1`.then(() => (isAnswered = true))
  const [urgent] = await sql.urgent`select 2 as n`
  await setImmediate()

  assert.equal(urgent?.n, 2)
  assert.equal(isAnswered, false)
  await holding.release()
  assert.equal(await normal, true)
})

test('a pool has as many connections as wanted again after the limit of the server is raised', async (t) => {
  const { sql, setLimit } = await openLimited(t, 3, 6)
  await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.01)`))
  await setLimit(6)

  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + 11_000)
  const holding = holdConnections(sql, 6)
  await holding.begun

  await holding.release()
})

test('urgent statements go before those that wait', async (t) => {
  const { sql } = await openLimited(t, 10, 1)
  const holding = holdConnections(sql, 1)
  await holding.begun
  const order: string[] = []

  const waiting = [
    sql`select 1`.then(() => order.push('normal')),
    sql`select 1`.then(() => order.push('normal')),
    sql.urgent`select 1`.then(() => order.push('urgent')),
  ]
  await setImmediate()
  await holding.release()
  await Promise.all(waiting)

  assert.deepEqual(order, ['urgent', 'normal', 'normal'])
})

test('a server that allows no connection at all is an error', async (t) => {
  const { sql } = await openLimited(t, 0, 4)

  const states = await Promise.all(Array.from({ length: 6 }, () => sql`select 1`.catch(readSqlState)))

  assert.deepEqual(new Set(states), new Set(['53300']))
})

test('the end of a pool waits for the statements that are under way, and refuses new ones', async () => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 2, name: 'ending' })

  const running = Promise.all(Array.from({ length: 6 }, (_, n) => sql`select ${n}::int as n from pg_sleep(0.02)`))
  await setImmediate()
  const ended = sql.end()
  const refused = await sql`select 1`.catch((err) => (err as ConnectionLost).code)
  const answers = await running
  await ended

  assert.deepEqual(
    answers.map(([row]) => row?.n),
    [0, 1, 2, 3, 4, 5],
  )
  assert.equal(refused, 'CONNECTION_ENDED')
})

test('the end of a pool whose database cannot be reached waits for nothing', async () => {
  const sql = openPool('postgres://hub@127.0.0.1:1/hub', { max: 2, name: 'ending' })

  const lost = sql`select 1`.catch((err) => (err as ConnectionLost).code)
  await setImmediate()
  await sql.end()

  assert.equal(await lost, 'ECONNREFUSED')
})

for (const [what, isOpen] of [
  ['does not answer', true],
  ['waits for its connection', false],
] as const) {
  test(`the end of a pool with a time limit ends what ${what}`, async () => {
    const { target } = await testDatabase()
    const sql = openPool(target, { max: 1, name: 'ending' })
    if (isOpen) await sql`select 1`

    const running = Promise.all(
      [sql`select pg_sleep(60)`, sql`select 1`].map((statement) =>
        statement.catch((err) => (err as ConnectionLost).code),
      ),
    )
    await setImmediate()
    await sql.end({ timeout: 0 })

    assert.deepEqual(await running, ['CONNECTION_ENDED', 'CONNECTION_ENDED'])
  })
}

test('a pool that is ended twice ends for both callers', async () => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 2, name: 'ending' })

  const running = sql`select 1 as n from pg_sleep(0.02)`.execute()
  await Promise.all([sql.end(), sql.end({ timeout: 60 })])

  assert.equal((await running)[0]?.n, 1)
})
