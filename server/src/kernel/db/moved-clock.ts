import type { Pool } from './pool.ts'

/**
 * It stands in a database for as long as the database's clock is moved. Nothing may serve from such a database: it has times and
 * ids of another day, and part of what was to be written.
 */
const CLOCK = 'moved_clock'

export type MovedClock = {
  now: () => Date
  /** The clock runs on from this time. It never goes back. */
  moveTo: (time: Date) => Promise<void>
}

/**
 * Moves the clock of a database that nothing else uses while `work` runs, and puts it back when the work has ended. After work
 * that fails, and in a process that is killed, the clock stays moved, so that a later start sees it.
 */
export async function withMovedClock<T>(sql: Pool, work: (clock: MovedClock) => Promise<T>): Promise<T> {
  const [clock] = await sql<
    { definition: string }[]
  >`select pg_get_functiondef('hub_now()'::regprocedure) as definition`
  if (!clock) throw new Error('The database has no clock')
  await sql.begin(async (tx) => {
    // It is written thousands of times, and nothing has to survive a crash but the table itself.
    await tx`create unlogged table moved_clock (shift interval not null)`
    await tx`insert into moved_clock values ('0')`
    await tx.unsafe(
      'create or replace function hub_now() returns timestamptz language sql stable as $$ select now() + shift from moved_clock $$',
    )
  })
  let shiftMs = Number.NEGATIVE_INFINITY
  const now = () => new Date(Date.now() + (Number.isFinite(shiftMs) ? shiftMs : 0))
  const result = await work({
    now,
    async moveTo(time) {
      shiftMs = Math.max(shiftMs, time.getTime() - Date.now())
      await sql`update moved_clock set shift = make_interval(secs => ${shiftMs / 1000})`
    },
  })
  await sql.begin(async (tx) => {
    await tx.unsafe(clock.definition)
    await tx`drop table moved_clock`
  })
  return result
}

/** True for a database in which such work was interrupted. */
export async function isClockMoved(sql: Pool): Promise<boolean> {
  const [found] = await sql<{ exists: boolean }[]>`select to_regclass(${CLOCK}) is not null as exists`
  return found?.exists ?? false
}
