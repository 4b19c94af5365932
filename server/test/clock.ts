import type { Pool } from '../src/kernel/db/pool.ts'

const UNIT_SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 }

export type TestClock = Awaited<ReturnType<typeof testClock>>

/** Makes `hub_now()` movable. Only for the template database of a test run. */
export const MOVABLE_NOW = `
  create table test_clock (shift interval not null, stopped_at timestamptz);
  insert into test_clock values ('0');
  create or replace function hub_now() returns timestamptz
    language sql stable
    as $$ select coalesce(stopped_at, now() + shift) from test_clock $$;
`

/** One clock for the process and its database, which runs by itself and can be advanced. It goes on from an earlier one's time. */
export async function testClock(sql: Pool) {
  const [row] = await sql<{ seconds: number }[]>`
    update test_clock set stopped_at = null returning extract(epoch from shift)::float8 as seconds`
  let shiftMs = (row?.seconds ?? 0) * 1000
  let stoppedAt: Date | undefined
  const now = () => stoppedAt ?? new Date(Date.now() + shiftMs)
  async function shiftBy(ms: number): Promise<void> {
    shiftMs += ms
    await sql`update test_clock set shift = make_interval(secs => ${shiftMs / 1000})`
  }
  return {
    now,

    /** `advance('4 days')` */
    async advance(text: string): Promise<void> {
      const [, count, unit] = /^(\d+) (second|minute|hour|day)s?$/.exec(text) ?? []
      if (!count || !unit) throw new Error(`Not a duration: ${text}`)
      await shiftBy(Number(count) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS] * 1000)
    },

    /** To the beginning of the next one in UTC, for a test that must not begin in one and end in another. */
    async advanceToNext(unit: 'hour' | 'month'): Promise<void> {
      const from = now()
      const hours = unit === 'hour' ? [from.getUTCDate(), from.getUTCHours() + 1] : []
      const next = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + (unit === 'month' ? 1 : 0), ...hours)
      await shiftBy(next - from.getTime())
    },

    /** For a test in which nothing may become due by itself, on any machine. */
    async stop(): Promise<void> {
      stoppedAt = now()
      await sql`update test_clock set stopped_at = ${stoppedAt}`
    },
  }
}
