import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../test/clock.ts'
import { testDatabase } from '../../../test/database.ts'
import { openPool } from '../db/pool.ts'
import { newId } from '../ids.ts'
import { perMinute } from './limit.ts'
import { countRequest, deleteExpiredWindows, deleteWindow } from './store.ts'

const LIMIT = perMinute('webhooks', 120)

test('a limit of 120 admits exactly 120 of 200 concurrent requests over two processes', {
  rules: ['limit.holds-across-processes'],
}, async (t) => {
  const { target, sql } = await testDatabase()
  const other = openPool(target, { max: 10, name: 'another process' })
  t.after(() => other.end())
  const subject = newId()

  const usages = await Promise.all(
    Array.from({ length: 200 }, (_, index) => countRequest(index % 2 === 0 ? sql : other, LIMIT, subject)),
  )

  const admitted = usages.map(({ used }) => used).filter((used) => used <= LIMIT.requests)
  assert.deepEqual(
    admitted.sort((a, b) => a - b),
    Array.from({ length: 120 }, (_, index) => index + 1),
  )
})

test('a window starts with the first request, and the next one after it has ended', {
  rules: ['limit.window-opens-at-first-request'],
}, async () => {
  const { sql } = await testDatabase()
  const clock = await testClock(sql)
  const subject = newId()
  const count = () => countRequest(sql, perMinute('test', 2), subject)

  const first = await count()
  await clock.advance('30 seconds')
  const [second, third] = [await count(), await count()]
  await clock.advance('30 seconds')
  const reopened = await count()

  assert.deepEqual(first, { used: 1, reset_seconds: 60 })
  assert.equal(second.used, 2)
  assert.ok(second.reset_seconds <= 30)
  assert.equal(third.used, 3)
  assert.deepEqual(reopened, { used: 1, reset_seconds: 60 })
})

test('requests over the limit are counted only up to one past it', async () => {
  const { sql } = await testDatabase()
  const subject = newId()

  const usages = []
  for (let index = 0; index < 6; index++) usages.push(await countRequest(sql, perMinute('test', 3), subject))

  assert.deepEqual(
    usages.map(({ used }) => used),
    [1, 2, 3, 4, 4, 4],
  )
})

test('each subject and each bucket has a window of its own', async () => {
  const { sql } = await testDatabase()
  const [one, other] = [newId(), newId()]
  await countRequest(sql, LIMIT, one)

  const [same, bucket, subject] = [
    await countRequest(sql, LIMIT, one),
    await countRequest(sql, perMinute('general', 600), one),
    await countRequest(sql, LIMIT, other),
  ]

  assert.deepEqual([same.used, bucket.used, subject.used], [2, 1, 1])
})

test('deleting a window resets only its own count', async () => {
  const { sql } = await testDatabase()
  const [one, other] = [newId(), newId()]
  await countRequest(sql, LIMIT, one)
  await countRequest(sql, LIMIT, other)

  await deleteWindow(sql, LIMIT, one)

  assert.equal((await countRequest(sql, LIMIT, one)).used, 1)
  assert.equal((await countRequest(sql, LIMIT, other)).used, 2)
})

test('only windows that have ended are deleted', async () => {
  const { sql } = await testDatabase()
  const clock = await testClock(sql)
  const [ended, open] = [newId(), newId()]
  await countRequest(sql, LIMIT, ended)
  await clock.advance('3 minutes')
  await countRequest(sql, LIMIT, open)

  await deleteExpiredWindows(sql)

  const rows = await sql<{ subject: string }[]>`select subject from rate_limits where subject in (${ended}, ${open})`
  assert.deepEqual(
    rows.map((row) => row.subject),
    [open],
  )
})
