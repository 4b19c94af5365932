import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '../../server/test/database.ts'
import { measureGateways } from './gateways.ts'

const AMOUNTS = { rounds: 1, warmUp: 20, bulk: 50, settleSeconds: 0, leadSeconds: 0, seconds: 1, killed: 40 }

test('the hub has a figure for everything that is measured, and loses nothing when it is killed', async () => {
  const { sql, target } = await testDatabase()
  const keys = [{ id: 'bench', bytes: randomBytes(32) }] as const
  const stand = { sql, databaseUrl: target, keyRing: () => keys, progress: () => {} }

  const [hub, ...others] = await measureGateways(stand, {}, AMOUNTS)

  assert.equal(hub?.name, 'hubline')
  assert.deepEqual(others, [])
  for (const [title, figures] of hub?.figures ?? []) for (const { text } of figures) assert.match(text, /\d/, title)
  assert.equal(hub?.figures.get('ms of the acknowledgement at 100/s, p50')?.length, 1)
  assert.match(hub?.figures.get('lost and repeated after kill -9, of those acknowledged')?.[0]?.text ?? '', /^0, /)
})
