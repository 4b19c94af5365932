import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestDatabase } from './database.ts'
import { createHubPool, type Poolable } from './hub-pool.ts'

function createWorld() {
  const stopped: string[] = []
  const database = { closing: [] } as unknown as TestDatabase
  const hub = (name: string, kind: unknown = {}, isIdle = true): Poolable & { name: string } => {
    return { name, kind, isIdle: () => isIdle, stop: async () => void stopped.push(name) }
  }
  return { pool: createHubPool<ReturnType<typeof hub>>(), database, hub, stopped }
}

test('a hub is taken once, by its kind', async () => {
  const { pool, database, hub, stopped } = createWorld()
  await pool.leave(database, hub('billed', { env: {} }))
  await pool.leave(database, hub('free', { env: { BILLING: 'off' } }))

  assert.equal(pool.take(database, { env: {} })?.name, 'billed')
  assert.equal(pool.take(database, { env: {} }), undefined)
  assert.equal(pool.take({ ...database }, { env: { BILLING: 'off' } }), undefined)
  assert.deepEqual(stopped, [])
})

test('a hub that is busy is stopped, and so is the one that was left longest ago when there are too many', async () => {
  const { pool, database, hub, stopped } = createWorld()
  for (const name of ['first', 'second', 'third']) await pool.leave(database, hub(name, name))

  await pool.leave(database, hub('busy', 'busy', false))
  await pool.leave(database, hub('fourth', 'fourth'))

  assert.deepEqual(stopped, ['busy', 'first'])
})

test('the hubs that are left stop with their database, and those that were taken do not', async () => {
  const { pool, database, hub, stopped } = createWorld()
  for (const name of ['taken', 'left']) await pool.leave(database, hub(name, name))
  pool.take(database, 'taken')

  for (const close of database.closing) await close()

  assert.deepEqual(stopped, ['left'])
})
