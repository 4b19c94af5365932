import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { openPool } from '../db/pool.ts'
import { withRotationLock } from './rotation-lock.ts'

// The pool closes connections that are silent for longer than a statement may take.
test('a rotation may take longer than a statement, and the next one waits for it', async (t) => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 2, name: 'rotation', statementTimeoutMs: 1000 })
  t.after(() => sql.end())
  const order: string[] = []
  async function rotate(name: string): Promise<void> {
    await withRotationLock(sql, async () => {
      order.push(`${name} begins`)
      for (let step = 0; step < 30; step++) await sql`select pg_sleep(0.05)`
      order.push(`${name} ends`)
    })
  }

  await Promise.all([rotate('first'), rotate('second')])

  const [first = ''] = order
  const names = first.startsWith('first') ? ['first', 'second'] : ['second', 'first']
  assert.deepEqual(
    order,
    names.flatMap((name) => [`${name} begins`, `${name} ends`]),
  )
})
