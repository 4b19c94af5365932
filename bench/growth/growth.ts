import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Pool } from '../../server/src/kernel/db/pool.ts'
import type { Benchmark } from '../benchmark.ts'
import type { CountingDatabase } from '../counting-database.ts'
import { openGrowthDatabase } from './database.ts'
import { insertExpired } from './expired.ts'
import { createIdFunction, fillTables } from './fill.ts'
import { type GrowthHub, openGrowthHub } from './growth-hub.ts'
import { type Blocks, compareSizes, listUncompared, readStatistics, resetStatistics } from './report.ts'
import { listSteps, type Round } from './workload.ts'

export const GROWTH_ROWS = 10_000_000
const GROWTH_FACTOR = 10
/** The newest rows of a log are filled ones for as long as a workload runs: it is not measured where its own few rows are. */
const AHEAD_MS = 50 * 60_000
/** The size of one row in all logs together, with its indexes and the log of the database. */
const BYTES_PER_ROW = 3500

/**
 * Measures if statements read more as the tables grow: the blocks of each statement
 * of the same requests and jobs, at one size of the logs and at ten times it,
 * whether they are read from the disk or from memory.
 */
export function createGrowth(rows: number, report: (line: string) => void): Benchmark {
  return {
    name: 'growth',
    summary: 'what each statement reads of large tables, with what it reads of tables a tenth as large',
    async run() {
      await requireSpace(rows * BYTES_PER_ROW)
      await using database = await openGrowthDatabase()
      await using growth = await openGrowthHub(database)
      await createIdFunction(database.sql)
      const fewer = rows / GROWTH_FACTOR
      const measured: Blocks[] = []
      for (const { from, to } of [
        { from: 0, to: fewer },
        { from: fewer, to: rows },
      ]) {
        report(`  filling the logs to ${to} rows`)
        await fillTables(database.sql, growth.tenant, { from, to, until: new Date(Date.now() + AHEAD_MS) }, report)
        await runWorkload(database, growth, { rows: fewer, round: 2 * measured.length })
        measured.push(await runWorkload(database, growth, { rows: fewer, round: 2 * measured.length + 1 }))
      }
      const [small = new Map(), large = new Map()] = measured
      const figures = compareSizes(small, large)
      const heading = { remark: `blocks of ${figures.length} statements, the largest ratio first:` }
      return [heading, ...figures, ...listUncompared(small, large)]
    },
  }
}

async function requireSpace(bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir())
  if (bavail * bsize > bytes) return
  throw new Error(`The benchmark needs ${Math.ceil(bytes / 1e9)} GB in ${tmpdir()}`)
}

/** The first run of a size only lets each connection prepare its statements. */
async function runWorkload({ sql }: CountingDatabase, growth: GrowthHub, round: Round): Promise<Blocks> {
  const blocks: Blocks = new Map()
  await sql`vacuum`
  await insertExpired(sql, growth.tenant)
  await sql`update rate_limits set used = 0 where used > 0 and bucket <> 'other'`
  // Their updates have spread the organization's channels over the blocks of all. Each block keeps room for their next
  // versions: one that has to move to another block adds an entry to every index.
  await sql`alter table channels set (fillfactor = 50)`
  await sql`cluster channels using channels_pkey`
  await sql`analyze`
  for (const step of await listSteps(sql, growth, round)) {
    await liftRateLimits(sql)
    await resetStatistics(sql)
    for (let i = 0; i < step.times; i++) await step.run(i)
    await readStatistics(sql, step, blocks)
  }
  return blocks
}

/** The steps are more requests than a client may make. Autovacuum would remove the old versions of the counters. */
async function liftRateLimits(sql: Pool): Promise<void> {
  await sql`update rate_limits set used = 0 where used > 100`
  await sql`vacuum (index_cleanup on) rate_limits`
}
