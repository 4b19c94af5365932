import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '../../server/test/database.ts'
import { measureGateways } from './gateways.ts'

test('the hub has a figure for everything that is measured, and loses nothing when it is killed', async () => {
  const { sql, target } = await testDatabase()
  const keys = [{ id: 'bench', bytes: randomBytes(32) }] as const
  const stand = { sql, databaseUrl: target, keyRing: () => keys, progress: () => {} }

  const columns = await measureGateways(stand, {}, { warmUp: 20, bulk: 50, quietSeconds: 1, killed: 40 })

  assert.deepEqual(
    columns.map(({ name }) => name),
    ['hubline'],
  )
  const figures = Object.entries(columns[0]?.figures ?? {})
  assert.equal(figures.length, 8)
  for (const [title, figure] of figures) assert.match(figure, /\d/, title)
  assert.match(figures.at(-1)?.[1] ?? '', /^0, \d+ of \d+$/)
})
