import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../../test/database.ts'
import { rows } from '../rows.ts'
import { parseTimestamp } from './timestamps.ts'

const DAY_MS = 86_400_000
/** The first day that PostgreSQL can store (24 November 4714 BC of the Gregorian calendar), and the last one of `Date`. */
const FIRST = Date.UTC(-4713, 10, 24)
const LAST = 8.64e15

const anyInstant = fc.oneof(
  fc.integer({ min: FIRST, max: LAST }),
  fc.integer({ min: Date.parse('0000-01-01'), max: Date.parse('0100-01-01') }),
  fc.integer({ min: Date.parse('1970-01-01'), max: Date.parse('2100-01-01') }),
)
const anyMicroseconds = fc.integer({ min: 0, max: 999 })

test('timestamps leave the pool as ISO text, from 4714 BC to the last instant of Date', async () => {
  const { sql } = await testDatabase()

  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyInstant, anyMicroseconds), { maxLength: 200 }), async (instants) => {
      const items = instants.map(([ms, microseconds]) => {
        const day = Math.floor(ms / DAY_MS)
        return { day, microseconds: (ms - day * DAY_MS) * 1000 + (ms === LAST ? 0 : microseconds) }
      })

      const stored = await sql<{ with_zone: string; without_zone: string; date: string }[]>`
        select t as with_zone, t at time zone 'UTC' as without_zone, (t at time zone 'UTC')::date as date
        from ${rows(sql, items, { day: 'int', microseconds: 'bigint' })} as r,
          lateral (select timestamptz 'epoch' + r.day * interval '1 day' + r.microseconds * interval '1 microsecond') as i (t)`

      assert.deepEqual(
        stored.map((row) => ({ ...row })),
        instants.map(([ms]) => {
          const iso = new Date(ms).toISOString()
          return { with_zone: iso, without_zone: iso, date: iso.replace(/T.*/, 'T00:00:00.000Z') }
        }),
      )
    }),
    {
      numRuns: 100,
      examples: [[[FIRST, LAST, 0, -1, Date.UTC(-1, 0), Date.parse('0099-12-31')].map((ms) => [ms, 999])]],
    },
  )
})

test('a timestamp of a session in another time zone keeps its instant', async () => {
  const { sql } = await testDatabase()

  const [row] = await sql.begin(async (tx) => {
    await tx`set local time zone 'Asia/Kolkata'`
    return tx<{ at: string }[]>`select timestamptz '2026-11-16 16:07:36.5+00' as at`
  })

  assert.equal(row?.at, '2026-11-16T16:07:36.500Z')
})

test('a timestamp that Date cannot express is refused', () => {
  for (const text of ['infinity', '-infinity', '294276-12-31 23:59:59+00', '']) {
    assert.throws(() => parseTimestamp(text), { name: 'RangeError' }, text)
  }
})
