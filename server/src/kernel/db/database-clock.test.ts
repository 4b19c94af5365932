import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { createLogger } from '../logger.ts'
import { startDatabaseClock } from './database-clock.ts'

const HOUR_MS = 3_600_000
/** More than the machine can be slow by, and less than any shift of these tests. */
const SOON_MS = 10_000

/** A clock on the database of the test, and a process whose own clock is off by `offsetMs`. */
async function start(t: TestContext, offsetMs = 0) {
  const { sql } = await testDatabase()
  const process = { offsetMs }
  const lines: { level: string; msg: string }[] = []
  const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const now = () => new Date(Date.now() + process.offsetMs)
  const clock = await startDatabaseClock({ sql, logger, now })
  t.after(() => clock[Symbol.asyncDispose]())
  /** Samples until one was quick enough, as a busy machine may need. */
  async function sample(): Promise<void> {
    while (!t.signal.aborted && !(await clock.sample()));
  }
  await sample()
  const setShift = (seconds: number) => sql`update test_clock set shift = make_interval(secs => ${seconds})`
  t.after(() => setShift(0))
  return { clock, sample, process, lines, sql, setShift }
}

test('the time of a process whose clock is an hour off is that of its database', {
  rules: ['clock.times-follow-the-database'],
}, async (t) => {
  const { clock } = await start(t, -HOUR_MS)

  const differenceMs = clock.now().getTime() - Date.now()

  assert.ok(Math.abs(differenceMs) < SOON_MS, String(differenceMs))
})

test('the time stands still when the database is set back by less than a minute', {
  rules: ['clock.never-goes-backwards'],
}, async (t) => {
  const { clock, sample, setShift } = await start(t)
  const before = clock.now().getTime()

  await setShift(-40)
  await sample()
  const after = [clock.now().getTime(), clock.now().getTime()]

  assert.ok(after.every((ms) => ms >= before && ms < before + SOON_MS))
  assert.equal(after[0], after[1])
})

test('the time follows a database that is set back by an hour', async (t) => {
  const { clock, sample, setShift } = await start(t)

  await setShift(-3600)
  await sample()

  assert.ok(Math.abs(clock.now().getTime() - (Date.now() - HOUR_MS)) < SOON_MS)
})

test('clocks that differ are one warning, and one line when they agree again', {
  rules: ['clock.difference-is-warned-of'],
}, async (t) => {
  const { sample, process, lines } = await start(t, 60_000)

  await sample()
  await sample()
  process.offsetMs = 0
  await sample()
  await sample()

  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      ['warn', 'the clocks of this process and of the database differ: check both against NTP'],
      ['info', 'the clocks of this process and of the database agree again'],
    ],
  )
})

test('a sample whose round trip took longer changes nothing', async (t) => {
  const { clock, setShift } = await start(t)
  await setShift(3600)
  const now = performance.now.bind(performance)
  let addedMs = 0
  t.mock.method(performance, 'now', () => {
    addedMs += 200
    return now() + addedMs
  })

  const isTaken = await clock.sample()
  t.mock.reset()

  assert.equal(isTaken, false)
  assert.ok(clock.now().getTime() < Date.now() + SOON_MS)
})
