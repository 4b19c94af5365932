import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { breakableDatabase } from '../../../test/breakable-database.ts'
import { testDatabase } from '../../../test/database.ts'
import type { Pool } from './pool.ts'
import { createSessionLock } from './session-lock.ts'

const SPACE = 4711

async function listHeld(): Promise<{ key: number; pid: number }[]> {
  const { sql } = await testDatabase()
  return sql<{ key: number; pid: number }[]>`
    select objid::bigint::int as key, pid from pg_locks where locktype = 'advisory' and classid = ${SPACE} and objsubid = 2`
}

function startLock(t: TestContext, sql: Pool) {
  const lock = createSessionLock({ sql, spaces: [SPACE] })
  t.after(() => lock.stop())
  void lock.start()
  return lock
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(20)
}

test('a lock is held on a session of its own, and released when it is stopped', async (t) => {
  const { sql } = await testDatabase()
  const lock = startLock(t, sql)
  await until(() => lock.readKey() !== null)
  const key = lock.readKey()
  const held = await listHeld()

  await lock.stop()

  assert.deepEqual(
    held.map((one) => one.key),
    [key],
  )
  assert.equal(lock.readKey(), null)
  await until(async () => (await listHeld()).length === 0)
})

test('a lock whose connection is lost is taken again with the same key', async (t) => {
  const { sql, disrupt } = await breakableDatabase(t)
  const lock = startLock(t, sql)
  await until(() => lock.readKey() !== null)
  const [before] = await listHeld()

  disrupt('relay')
  await until(async () => (await listHeld()).some(({ pid }) => pid !== before?.pid))

  assert.deepEqual(
    (await listHeld()).map(({ key }) => key),
    [before?.key],
  )
})

test('a lock whose connection does not respond is lost, and taken again when the database responds', async (t) => {
  const { sql, disrupt, restore } = await breakableDatabase(t)
  const lock = startLock(t, sql)
  await until(() => lock.readKey() !== null)

  disrupt('be silent')
  await until(() => lock.readKey() === null)
  await restore()
  await until(() => lock.readKey() !== null)

  assert.equal((await listHeld()).length, 1)
})

test('a lock is taken again after a database that took long to accept connections, on one session', async (t) => {
  const { sql, disrupt, countHeld, release } = await breakableDatabase(t)
  const lock = startLock(t, sql)
  await until(() => lock.readKey() !== null)

  disrupt('hold')
  await until(() => countHeld() === 2)
  release()
  await until(() => lock.readKey() !== null)
  const held = await listHeld()
  await lock.stop()

  assert.equal(held.length, 1)
  await until(async () => (await listHeld()).length === 0)
})

test('behind a connection pooler a lock does not count as held, because its session is not its own', async (t) => {
  const { sql } = await breakableDatabase(t, { isPooler: true })
  const lock = startLock(t, sql)

  await until(async () => (await listHeld()).length > 0)
  await lock.stop()

  assert.equal(lock.readKey(), null)
})
