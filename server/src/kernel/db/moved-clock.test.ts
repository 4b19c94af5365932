import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDatabaseTime } from './database-time.ts'
import { isClockMoved, withMovedClock } from './moved-clock.ts'
import { createEmptyDatabase } from './test/empty-database.ts'

const CLOCK = 'create function hub_now() returns timestamptz language sql stable as $$ select now() $$'
const DAY_MS = 86_400_000
/** More than a machine can be slow by. */
const SOON_MS = 3_600_000

test('a moved clock runs from the time that it is given, never goes back, and is put back', async (t) => {
  const { sql } = await createEmptyDatabase(t)
  await sql.unsafe(CLOCK)
  const weekAgo = new Date(Date.now() - 7 * DAY_MS)
  const differences: number[] = []

  await withMovedClock(sql, async ({ now, moveTo }) => {
    const compare = async (time: Date) => {
      differences.push(Math.abs(now().getTime() - time.getTime()))
      differences.push(Math.abs((await readDatabaseTime(sql)).getTime() - time.getTime()))
    }
    await moveTo(weekAgo)
    await compare(weekAgo)
    const later = new Date(weekAgo.getTime() + DAY_MS)
    await moveTo(later)
    await moveTo(weekAgo)
    await compare(later)
    assert.equal(await isClockMoved(sql), true)
  })

  differences.push(Math.abs((await readDatabaseTime(sql)).getTime() - Date.now()))
  for (const difference of differences) assert.ok(difference < SOON_MS, String(difference))
  assert.equal(await isClockMoved(sql), false)
})

test('the clock stays moved after work that fails, so that a start sees it', async (t) => {
  const { sql } = await createEmptyDatabase(t)
  await sql.unsafe(CLOCK)

  await assert.rejects(
    withMovedClock(sql, async () => {
      throw new Error('interrupted')
    }),
    /interrupted/,
  )

  assert.equal(await isClockMoved(sql), true)
})
