import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdConnections, openLimited } from '../../../test/limited-database.ts'
import { createReadiness } from './readiness.ts'

test('a database that has no connection left for the check is checked by one of the pool', {
  rules: ['database.refused-connections-wait', 'probe.ready-is-503-without-a-dependency'],
}, async (t) => {
  const { sql } = await openLimited(t, 2, 4)
  const holding = holdConnections(sql, 2)
  await holding.begun
  await holding.release()
  // The pool learns of the limit, and keeps one of its two connections for what is urgent.
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.01)`))
  const work = holdConnections(sql, 1)
  await work.begun
  await using readiness = createReadiness(sql)

  const problem = await readiness.findProblem()
  await work.release()

  assert.equal(problem, undefined)
})
