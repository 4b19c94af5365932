import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { newId } from '../ids.ts'
import { isInWindow, listIdWindows } from './id-windows.ts'
import { createPartitions, toPartitionDays } from './partitions.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2026-11-16T12:00:00Z')
const toDaysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

test('windows go from the newest id to the oldest without a gap', () => {
  for (const retentionDays of [1, 30, 90, 365, 3650]) {
    const windows = listIdWindows({ now: NOW, beforeId: null, createdAt: new Date(0), retentionDays })

    const [first, last] = [windows[0], windows.at(-1)]
    assert.ok(first && last && first.from <= newId(NOW) && newId(NOW) < first.before)
    assert.ok(last.from <= newId(toDaysAgo(retentionDays)))
    for (const [i, { from }] of windows.entries()) assert.equal(windows[i + 1]?.before ?? from, from)
    assert.ok(windows.length <= 11, `${windows.length} windows for ${retentionDays} days`)
  }
})

test('windows begin at the cursor and end at the creation of what the log is about', () => {
  const beforeId = newId(toDaysAgo(40))

  const windows = listIdWindows({ now: NOW, beforeId, createdAt: toDaysAgo(45), retentionDays: 365 })

  assert.ok(windows[0] && windows[0].from <= beforeId && beforeId < windows[0].before)
  assert.ok(windows.at(-1)?.from ?? '' <= newId(toDaysAgo(45)))
  assert.ok(windows.length <= 2)
})

test('windows end now, also before an id of a far future', () => {
  const query = { now: NOW, createdAt: toDaysAgo(45), retentionDays: 365 }

  const ofNow = listIdWindows({ ...query, beforeId: null })

  for (const beforeId of [newId(new Date('2900-01-01T00:00:00Z')), 'ffffffff-ffff-7fff-bfff-ffffffffffff']) {
    assert.deepEqual(listIdWindows({ ...query, beforeId }), ofNow)
  }
})

// The settings of the pool make generic plans, which lock everything that they may have to read.
test('a statement over a window locks few partitions of a log that is kept for a year', async () => {
  const { sql } = await testDatabase()
  await sql`create table windowed (id uuid primary key, note text) partition by range (id)`
  await sql`create table windowed_default partition of windowed default`
  await createPartitions(sql, 'windowed', toDaysAgo(365), 372, toPartitionDays(365))
  const [window] = listIdWindows({ now: NOW, beforeId: null, createdAt: new Date(0), retentionDays: 365 })

  const countLocks = (condition: Parameters<typeof isInWindow>[1] | undefined) =>
    sql.begin(async (tx) => {
      await tx`
        select note from windowed
        where id < ${newId(NOW)} ${condition ? tx`and ${isInWindow(tx, condition)}` : tx``}
        order by id desc
        limit 1`
      const [row] = await tx<{ count: number }[]>`
        select count(*)::int as count
        from pg_locks l
        join pg_class c on c.oid = l.relation
        where l.pid = pg_backend_pid() and c.relname like 'windowed%'`
      return row?.count ?? 0
    })

  assert.ok((await countLocks(undefined)) > 100)
  assert.ok((await countLocks(window)) < 25)
})
