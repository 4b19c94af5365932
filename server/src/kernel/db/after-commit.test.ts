import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { afterCommit } from './after-commit.ts'
import type { Pool } from './pool.ts'

/** A table that refuses two equal rows only at the end of the transaction. */
async function pickyTable(sql: Pool): Promise<void> {
  await sql`create table if not exists picky (n int unique deferrable initially deferred)`
  await sql`delete from picky`
}

test('work is called once the transaction is committed, when everybody sees what it did', async () => {
  const { sql } = await testDatabase()
  await pickyTable(sql)
  const seen: Promise<number>[] = []
  const count = async () => (await sql`select n from picky`).length

  const called: string[] = []
  const result = await sql.begin(async (tx) => {
    afterCommit(tx, () => void seen.push(count()))
    afterCommit(tx, () => void called.push('second'))
    await tx`insert into picky values (1)`
    called.push('in the transaction')
    return 'its result'
  })

  assert.equal(result, 'its result')
  assert.deepEqual(called, ['in the transaction', 'second'])
  assert.deepEqual(await Promise.all(seen), [1])
})

test('work is never called where the transaction is rolled back', async () => {
  const { sql } = await testDatabase()
  const called: string[] = []

  const undone = sql.begin(async (tx) => {
    afterCommit(tx, () => void called.push('after'))
    throw new Error('undone')
  })

  await assert.rejects(undone, /undone/)
  assert.deepEqual(called, [])
})

test('work is never called where a statement failed, though somebody caught it', async () => {
  const { sql } = await testDatabase()
  const called: string[] = []

  const undone = sql.begin(async (tx) => {
    afterCommit(tx, () => void called.push('after'))
    await tx`select 1 / 0`.catch(() => undefined)
    await tx`select 1`
  })

  await assert.rejects(undone)
  assert.deepEqual(called, [])
})

test('work is never called where the commit itself fails', async () => {
  const { sql } = await testDatabase()
  await pickyTable(sql)
  const called: string[] = []

  const refused = sql.begin(async (tx) => {
    afterCommit(tx, () => void called.push('after'))
    await tx`insert into picky values (1), (1)`
    called.push('all statements done')
  })

  await assert.rejects(refused, { code: '23505' })
  assert.deepEqual(called, ['all statements done'])
})

test('of transactions at the same time each calls its own work, by its own end', async () => {
  const { sql } = await testDatabase()
  const called: number[] = []
  const numbers = Array.from({ length: 8 }, (_, index) => index)

  const ends = await Promise.allSettled(
    numbers.map((number) =>
      sql.begin(async (tx) => {
        afterCommit(tx, () => void called.push(number))
        await tx`select pg_sleep(0)`
        if (number % 2 === 1) throw new Error('undone')
      }),
    ),
  )

  assert.deepEqual(
    ends.map(({ status }) => status),
    numbers.map((number) => (number % 2 === 1 ? 'rejected' : 'fulfilled')),
  )
  assert.deepEqual(called.toSorted(), [0, 2, 4, 6])
})

test('a connection that is used again does not call the work of the transaction before', async () => {
  const { sql } = await testDatabase()
  const called: string[] = []

  await sql.begin(async (tx) => afterCommit(tx, () => void called.push('first')))
  for (let count = 0; count < 20; count++) await sql.begin(async (tx) => void (await tx`select 1`))

  assert.deepEqual(called, ['first'])
})
